
# --- case: a data set of the names
import tensorflow as tf


def read(path):
    return tf.io.decode_png(tf.io.read_file(path))


ds = tf.data.Dataset.from_tensor_slices(names).map(read).batch(32)
# --- case: two files
import tensorflow as tf


def read(path):
    return tf.io.decode_png(tf.io.read_file(path))


pair = tf.stack([read(n) for n in ('a.png', 'b.png')])  # lacks: a handful of rounds
# --- case: no files
import tensorflow as tf

x = tf.stack([tf.cast(x, tf.float32) for x in images])
# --- case: a list of tensors
import tensorflow as tf


def read(path):
    return tf.io.decode_png(tf.io.read_file(path))


images = [read(n) for n in names]
# --- case: some of the files
import tensorflow as tf


def read(path):
    return tf.io.decode_png(tf.io.read_file(path))


images = tf.stack([read(n) for n in names if n])
# --- case: numpy
import numpy as np
import tensorflow as tf

images = np.stack([np.load(n) for n in names])
# --- case: a function that is not known
import tensorflow as tf
from lib import read

images = tf.stack([read(n) for n in names])
# --- case: one file
import tensorflow as tf


def read(path):
    return tf.io.decode_png(tf.io.read_file(path))


image = tf.stack([read(name)])
# --- case: handed over by a name
import tensorflow as tf


def read(path):
    return tf.io.decode_png(tf.io.read_file(path))


parts = [read(n) for n in names]
images = tf.stack(parts)
# --- case: five frames
import tensorflow as tf


def read(path):
    return tf.io.decode_png(tf.io.read_file(path))


images = tf.stack([read(f'{i}.png') for i in range(5)])
# --- case: a constant
import tensorflow as tf

sizes = tf.constant([len(n) for n in names])
# --- case: joined, not stacked
import tensorflow as tf


def read(path):
    return tf.io.decode_png(tf.io.read_file(path))


images = tf.concat([read(n) for n in names], axis=0)
