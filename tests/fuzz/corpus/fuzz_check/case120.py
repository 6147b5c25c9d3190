import tensorflow as tf

d = tf.data.TFRecordDataset("x")
d = d.map(lambda x: tf.cast(x, tf.float32))  # expect: PP301 note
