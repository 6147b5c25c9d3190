# --- case: cv2.imread in py_function
import cv2
import tensorflow as tf


def read(path):
    image = cv2.imread(path.numpy().decode())
    return image / 255.0


ds = tf.data.Dataset.from_tensor_slices(paths)
ds = ds.map(lambda p: tf.py_function(read, [p], tf.float32))  # expect: PP304
# --- case: PIL in numpy_function, import from
import numpy as np
import tensorflow as tf
from PIL import Image


def load(path):
    return np.array(Image.open(path))


def parse(path, label):
    return tf.numpy_function(load, [path], tf.uint8), label  # expect: PP304
# --- case: TF1's py_func
import tensorflow.compat.v1 as tf
from scipy import misc


def _read(name):
    return misc.imread(name)


def parse(name):
    return tf.py_func(_read, [name], tf.uint8)  # expect: PP304
# --- case: a lambda of numpy
import numpy as np
import tensorflow as tf

ds = ds.map(lambda x: tf.numpy_function(lambda v: np.log(v + 1), [x], tf.float32))  # expect: PP304
# --- case: numpy's function itself
import numpy
import tensorflow

y = tensorflow.py_function(numpy.expand_dims, [x, 0], tensorflow.float32)  # expect: PP304
# --- case: simple arithmetic
import numpy as np
from tensorflow import numpy_function, float32


def normalise(x):
    """Zero mean, unit deviation."""
    x = x.astype(np.float32)
    return (x - np.mean(x)) / np.std(x)


def prepare(x):
    return numpy_function(normalise, [x], float32)  # expect: PP304
# --- case: keras' load_img in a generator
import tensorflow as tf
from tensorflow.keras.preprocessing.image import load_img, img_to_array


def images():
    for path in paths:
        yield img_to_array(load_img(path))


ds = tf.data.Dataset.from_generator(images, tf.float32)  # expect: PP304
# --- case: records, by a Python iterator
import tensorflow as tf


def records():
    for record in tf.python_io.tf_record_iterator("x.tfrecord"):
        yield record


ds = tf.data.Dataset.from_generator(records, tf.string)  # expect: PP304
# --- case: arrays, index by index
import numpy as np
from tensorflow.data import Dataset

x, y = np.load("x.npy"), 1
data = np.load("y.npy")


def rows():
    for i in range(len(data)):
        yield data[i]


ds = Dataset.from_generator(rows, "float32")  # expect: PP304
# --- case: arrays, zipped
import numpy as np
import tensorflow as tf


def make():
    images = np.load("a.npy")
    labels = np.load("b.npy")

    def gen():
        for image, label in zip(images, labels):
            yield image, label

    return tf.data.Dataset.from_generator(gen, (tf.float32, tf.int32))  # expect: PP304
# --- case: Keras' arrays
import tensorflow as tf
from tensorflow.keras.datasets import mnist

(x_train, y_train), (x_test, y_test) = mnist.load_data()


def gen():
    for image, label in zip(x_train, y_train):
        yield image, label


ds = tf.data.Dataset.from_generator(gen, (tf.float32, tf.int32))  # expect: PP304
# --- case: a method
import imageio
import tensorflow as tf


class Loader:
    def read(self, path):
        return imageio.imread(path)

    def __call__(self, path):
        return tf.py_function(self.read, inp=[path], Tout=tf.uint8)  # expect: PP304
# --- case: through a lambda with self
import tensorflow as tf
import matplotlib.pyplot as plt


class Data:
    def frames(self, folder):
        for name in folder:
            yield plt.imread(name)

    def dataset(self):
        return tf.data.Dataset.from_generator(lambda: self.frames("x"), tf.uint8)  # expect: PP304
# --- case: the rows of a batch, one by one
import numpy as np
from tensorflow import keras

codes = np.load("codes.npy")


class Pairs(keras.utils.Sequence):
    def __getitem__(self, n):
        rows = pairs[n * 32:(n + 1) * 32]
        left = np.array([codes[i] for i, _ in rows])  # expect: PP304
        return left, np.stack([codes[j] for _, j in rows])  # expect: PP304
# --- case: the same in a generator
import numpy as np
import tensorflow as tf

images = np.zeros((5000, 28, 28), dtype="float32")


def batches():
    while True:
        chosen = np.random.choice(5000, 32)
        yield np.asarray([images[k] for k in chosen])  # expect: PP304


model.fit(batches(), steps_per_epoch=100)
# --- case: an array, row by row
import numpy as np
import tensorflow as tf

table = np.genfromtxt("table.csv", delimiter=",")


def rows():
    """One row after the other."""
    for row in table:
        yield row


ds = tf.data.Dataset.from_generator(rows, tf.float64)  # expect: PP304
