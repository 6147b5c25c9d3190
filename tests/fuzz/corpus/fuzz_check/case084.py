import tensorflow as tf

ds = tf.data.Dataset.range(100000).map(lambda i: tf.data.Dataset.range(i)).batch(8)
