import tensorflow as tf
# --- case: keras' load_img in a generator
from tensorflow.keras.preprocessing.image import load_img, img_to_array


def images():
    for path in paths:
        yield img_to_array(load_img(path))


ds = tf.data.Dataset.from_generator(images, tf.float32)  # expect: PP309
# --- case: records, by a Python iterator
def records():
    for record in tf.python_io.tf_record_iterator("x.tfrecord"):
        yield record


ds = tf.data.Dataset.from_generator(records, tf.string)  # expect: PP309
# --- whole: arrays, index by index
import numpy as np
from tensorflow.data import Dataset

x, y = np.load("x.npy"), 1
data = np.load("y.npy")


def rows():
    for i in range(len(data)):
        yield data[i]


ds = Dataset.from_generator(rows, "float32")  # expect: PP309
# --- whole: arrays, zipped
import numpy as np
import tensorflow as tf


def make():
    images = np.load("a.npy")
    labels = np.load("b.npy")

    def gen():
        for image, label in zip(images, labels):
            yield image, label

    return tf.data.Dataset.from_generator(gen, (tf.float32, tf.int32))  # expect: PP309
# --- case: Keras' arrays
from tensorflow.keras.datasets import mnist

(x_train, y_train), (x_test, y_test) = mnist.load_data()


def gen():
    for image, label in zip(x_train, y_train):
        yield image, label


ds = tf.data.Dataset.from_generator(gen, (tf.float32, tf.int32))  # expect: PP309
# --- case: through a lambda with self
import matplotlib.pyplot as plt


class Data:
    def frames(self, folder):
        for name in folder:
            yield plt.imread(name)

    def dataset(self):
        return tf.data.Dataset.from_generator(lambda: self.frames("x"), tf.uint8)  # expect: PP309
# --- whole: an array, row by row
import numpy as np
import tensorflow as tf

table = np.genfromtxt("table.csv", delimiter=",")


def rows():
    """One row after the other."""
    for row in table:
        yield row


ds = tf.data.Dataset.from_generator(rows, tf.float64)  # expect: PP309
# --- whole: cv2 in a generator
import cv2
import tensorflow as tf


def images():
    for name in names:
        yield cv2.imread(name)


ds = tf.data.Dataset.from_generator(images, tf.uint8)  # expect: PP309
# --- case: PIL in a generator, with a label
from PIL import Image


def images():
    for name, label in pairs:
        yield Image.open(name), label


ds = tf.data.Dataset.from_generator(images, (tf.uint8, tf.int32))  # expect: PP309
# --- whole: an array, element by element
import numpy as np
import tensorflow as tf

rows = np.load('rows.npy')


def each():
    for row in rows:
        yield row


ds = tf.data.Dataset.from_generator(each, tf.float32)  # expect: PP309
# --- case: sound in a generator
import scipy.io.wavfile


def sounds():
    for name in names:
        rate, data = scipy.io.wavfile.read(name)
        yield data


ds = tf.data.Dataset.from_generator(sounds, tf.int16)  # expect: PP309
# --- case: images through a helper
import skimage.io


def load(name):
    return skimage.io.imread(name) / 255


def images():
    for name in names:
        yield load(name)


ds = tf.data.Dataset.from_generator(images, tf.float32)  # expect: PP309
