import numpy as np
import tensorflow as tf
# --- whole: a generator of lists of different lengths
import tensorflow as tf


def gen():
    for a, b in zip(sentences, tags):
        yield a, b


ds = tf.data.Dataset.from_generator(gen, (tf.string, tf.int32))  # lacks: it is not seen to only take arrays apart, nor to read or decode what TensorFlow can
# --- case: a generator that makes its data
def noise():
    while True:
        yield np.random.normal(size=[3])


ds = tf.data.Dataset.from_generator(noise, tf.float32)
# --- whole: a generator over a file of a format of its own
import h5py
import tensorflow as tf


class Reader:
    def __call__(self):
        with h5py.File("x.h5") as file:
            for image in file["images"]:
                yield image


ds = tf.data.Dataset.from_generator(Reader(), tf.uint8)
# --- whole: a generator that tokenizes
import tensorflow as tf


def tokens():
    for line in open("x.txt"):
        yield tokenizer.encode(line)


ds = tf.data.Dataset.from_generator(tokens, tf.int32)
# --- case: from_tensor_slices
ds = tf.data.Dataset.from_tensor_slices(np.load('rows.npy'))
# --- case: a generator that computes
def samples():
    while True:
        yield np.random.rand(3)


ds = tf.data.Dataset.from_generator(samples, tf.float32)
# --- case: larger than memory
rows = np.memmap('rows.bin')


def each():
    for row in rows:
        yield row


ds = tf.data.Dataset.from_generator(each, tf.float32)
# --- whole: a generator that is handed over
import tensorflow as tf


def dataset(generator):
    return tf.data.Dataset.from_generator(generator, tf.float32)
# --- whole: a database
import sqlite3
import tensorflow as tf


def rows():
    for row in sqlite3.connect('x.db').execute('SELECT * FROM t'):
        yield row


ds = tf.data.Dataset.from_generator(rows, tf.float32)
# --- whole: a generator of another library
import lib
import tensorflow as tf

ds = tf.data.Dataset.from_generator(lib.samples, tf.float32)
# --- whole: a generator that nothing is made of
import cv2
import tensorflow as tf


def images():
    for name in names:
        yield cv2.imread(name)


for image in images():
    print(image.shape)
# --- whole: an array beside what is no array
import numpy as np
import tensorflow as tf

images = np.zeros((100, 8, 8, 3))
names = open("names.txt")


def pairs():
    for image, name in zip(images, names):
        yield image, name


ds = tf.data.Dataset.from_generator(pairs, (tf.float32, tf.string))
