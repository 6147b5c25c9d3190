import numpy as np
import tensorflow as tf
# --- whole: a data set that was put into a list only notes
import tensorflow as tf


class Preloader:
    def transform(self, ds_input: tf.data.Dataset):
        self.examples = list(iter(ds_input))
        keys = list(self.examples[0].keys())

        def gen():
            for example in self.examples:
                yield tuple(example[key] for key in keys)

        return tf.data.Dataset.from_generator(gen, tf.float32)  # expect: PP309 low


def kept(dataset):
    elements = [x for x in dataset]

    def gen():
        for image, label in elements:
            yield image, label

    return tf.data.Dataset.from_generator(gen, (tf.float32, tf.int32))  # expect: PP309 low
# --- whole: a generator of lists of different lengths
import tensorflow as tf


def gen():
    for a, b in zip(sentences, tags):
        yield a, b


ds = tf.data.Dataset.from_generator(gen, (tf.string, tf.int32))
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
# --- whole: a list that is more than the data set, or is not known
import random
import numpy as np
import tensorflow as tf


def shuffled(dataset):
    elements = list(dataset)
    elements.sort(key=size)

    def gen():
        for x in elements:
            yield x

    return tf.data.Dataset.from_generator(gen, tf.float32)


def changed(dataset):
    elements = list(dataset)

    def gen():
        for x in elements:
            yield x * random.random()

    return tf.data.Dataset.from_generator(gen, tf.float32)


def twice(dataset, other):
    elements = list(dataset)
    elements = elements + list(other)

    def gen():
        for x in elements:
            yield x

    return tf.data.Dataset.from_generator(gen, tf.float32)


def some(dataset):
    elements = [x for x in dataset if wanted(x)]
    parts = [x["image"] for x in dataset]
    mapped = np.memmap("x.bin")

    def gen():
        for x in elements:
            yield x

    def gen_parts():
        for x in parts:
            yield x

    def gen_mapped():
        for x in mapped:
            yield x

    a = tf.data.Dataset.from_generator(gen, tf.float32)
    b = tf.data.Dataset.from_generator(gen_parts, tf.float32)
    return a, b, tf.data.Dataset.from_generator(gen_mapped, tf.float32)
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
