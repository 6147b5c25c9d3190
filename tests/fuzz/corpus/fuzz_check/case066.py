import tensorflow as tf


def scale(x, y):
    return tf.cast(x, tf.float32) * 2.0 - 1.0, y


ds = tf.data.Dataset.from_tensor_slices((images, labels))
ds = ds.map(scale, num_parallel_calls=tf.data.AUTOTUNE)  # expect: PP201 note
ds = ds.batch(64)
