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
# --- case: a method
import imageio
import tensorflow as tf


class Loader:
    def read(self, path):
        return imageio.imread(path)

    def __call__(self, path):
        return tf.py_function(self.read, inp=[path], Tout=tf.uint8)  # expect: PP304
# --- case: imageio in py_function
import imageio
import tensorflow as tf


def load(name):
    return imageio.imread(name.numpy())


ds = files.map(lambda f: tf.py_function(load, [f], tf.uint8))  # expect: PP304
# --- case: matplotlib in numpy_function
import matplotlib.pyplot as plt
import tensorflow as tf


def load(name):
    return plt.imread(name)


ds = files.map(lambda f: tf.numpy_function(load, [f], tf.uint8))  # expect: PP304
# --- case: sound in py_function
import tensorflow as tf
from scipy.io import wavfile


def load(name):
    rate, data = wavfile.read(name.numpy())
    return data


ds = files.map(lambda f: tf.py_function(load, [f], tf.int16))  # expect: PP304
# --- case: numpy's mean, by py_function
import numpy as np
import tensorflow as tf

ds = rows.map(lambda r: tf.py_function(np.mean, [r], tf.float32))  # expect: PP304
# --- case: keras' load_img in py_function
import tensorflow as tf
from tensorflow.keras.utils import load_img


def load(name):
    return load_img(name.numpy())


ds = files.map(lambda f: tf.py_function(load, [f], tf.uint8))  # expect: PP304
