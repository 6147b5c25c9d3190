import tensorflow as tf

d = tf.data.TFRecordDataset("x")
d = d.map(lambda r: tf.io.decode_png(r), num_parallel_calls=tf.data.AUTOTUNE)
d = d.map(lambda r: tf.image.resize(r, [9, 9]), 8)
d = d.interleave(lambda x: tf.data.Dataset.from_tensors(x), 4, 1, tf.data.AUTOTUNE)
