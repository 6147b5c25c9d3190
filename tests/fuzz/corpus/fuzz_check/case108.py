import tensorflow as tf


def augment(image):
    return tf.image.random_flip_left_right(tf.io.decode_jpeg(image))


ds = tf.data.TFRecordDataset("x").map(augment)  # expect: PP301
