import functools
import tensorflow as tf


def parse(record, size):
    return tf.image.resize(tf.io.decode_png(record), [size, size])


def build(n, size):
    ds = tf.data.TFRecordDataset("x").batch(int(n)).unbatch()
    return ds.map(functools.partial(parse, size=size))  # expect: PP301
