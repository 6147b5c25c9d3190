# --- case: kept already, random, cheap, or too large to keep
import tensorflow as tf


def prepare(encoded):
    return tf.image.resize(tf.io.decode_png(encoded, channels=3), [64, 64])


def distort(image):
    return tf.image.random_flip_left_right(tf.image.resize(image, [32, 32]))


def read(name):
    return tf.io.decode_png(tf.io.read_file(name))


a = tf.data.Dataset.from_tensor_slices(pngs).map(prepare).cache().repeat(30)  # lacks: no costly map() is seen before it that gives the same in each round and is not cached
b = tf.data.Dataset.from_tensor_slices(images).map(distort).repeat(30)
c = tf.data.Dataset.from_tensor_slices(images).map(lambda x: x / 255.0).repeat(30)
d = tf.data.Dataset.from_tensor_slices(names).map(read).repeat(30)
e = tf.data.TFRecordDataset(names).map(prepare).repeat(30)
f = tf.data.Dataset.from_tensor_slices(pngs).repeat(30).map(prepare)
g = tf.data.Dataset.from_tensor_slices(pngs).map(prepare).repeat(1)
# --- case: kept right behind the map
import tensorflow as tf


def prepare(encoded):
    return tf.image.resize(tf.io.decode_png(encoded, channels=3), [64, 64])


ds = tf.data.Dataset.from_tensor_slices(pngs).map(prepare).cache().shuffle(99).repeat(30)
# --- case: repeated before the map
import tensorflow as tf


def prepare(encoded):
    return tf.image.resize(tf.io.decode_png(encoded, channels=3), [64, 64])


ds = tf.data.Dataset.from_tensor_slices(pngs).repeat(30).map(prepare)
# --- case: no rounds
import tensorflow as tf


def prepare(encoded):
    return tf.image.resize(tf.io.decode_png(encoded, channels=3), [64, 64])


ds = tf.data.Dataset.from_tensor_slices(pngs).map(prepare).batch(32)
# --- case: random: each round differs
import tensorflow as tf


def crop(image):
    return tf.image.random_crop(tf.io.decode_png(image), [24, 24, 3])


ds = tf.data.Dataset.from_tensor_slices(pngs).map(crop).repeat(30)
# --- case: files may not fit into memory
import tensorflow as tf


def read(name):
    return tf.io.decode_png(tf.io.read_file(name))


ds = tf.data.Dataset.from_tensor_slices(names).map(read).repeat(30)
# --- case: records
import tensorflow as tf


def prepare(encoded):
    return tf.image.resize(tf.io.decode_png(encoded, channels=3), [64, 64])


ds = tf.data.TFRecordDataset(names).map(prepare).repeat(30)
# --- case: little work
import tensorflow as tf

ds = tf.data.Dataset.from_tensor_slices(images).map(lambda x: x / 255.0).repeat(30)
# --- case: a function that is not known
import tensorflow as tf
from lib import prepare

ds = tf.data.Dataset.from_tensor_slices(pngs).map(prepare).repeat(30)
# --- case: a random map in front of the repeat
import tensorflow as tf


def prepare(encoded):
    return tf.image.resize(tf.io.decode_png(encoded, channels=3), [64, 64])


def flip(x):
    return tf.image.random_flip_left_right(x)


ds = tf.data.Dataset.from_tensor_slices(pngs).map(flip).repeat(30)
# --- case: repeat of numpy
import numpy as np
import tensorflow as tf

rows = np.arange(9).repeat(3)
ds = tf.data.Dataset.from_tensor_slices(rows)
# --- case: data sets of data sets
import tensorflow as tf


def prepare(encoded):
    return tf.image.resize(tf.io.decode_png(encoded, channels=3), [64, 64])


ds = tf.data.Dataset.from_tensor_slices(shards).interleave(lambda s: tf.data.TFRecordDataset(s)).map(prepare).repeat(9)
