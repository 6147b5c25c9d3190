import tensorflow as tf

ds = tf.data.Dataset.from_tensor_slices(images).batch(3).map(lambda x: x + 1).batch(4)
