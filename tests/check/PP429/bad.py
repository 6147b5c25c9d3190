# --- case: a generator
import keras
import numpy as np


def batches():
    while True:
        x = np.zeros((32, 64, 64, 3))  # expect: PP429
        for i in range(32):
            x[i] = load(i)
        yield x, y
# --- case: ones
import keras
import numpy as np


def batches():
    while True:
        x = np.ones((32, 64, 64, 3))  # expect: PP429
        for i in range(32):
            x[i] = load(i)
        yield x, y
# --- case: empty
import keras
import numpy as np


def batches():
    while True:
        x = np.empty((32, 64, 64))  # expect: PP429
        for i in range(32):
            x[i] = load(i)
        yield x, y
# --- case: a list
import keras
import numpy as np


def batches():
    while True:
        x = np.zeros([32, 64, 64, 3])  # expect: PP429
        for i in range(32):
            x[i] = load(i)
        yield x, y
# --- case: by keyword
import keras
import numpy as np


def batches():
    while True:
        x = np.zeros(shape=(32, 64, 64, 3))  # expect: PP429
        for i in range(32):
            x[i] = load(i)
        yield x, y
# --- case: float, which is float64
import keras
import numpy as np


def batches():
    while True:
        x = np.zeros((32, 64, 64, 3), dtype=float)  # expect: PP429
        for i in range(32):
            x[i] = load(i)
        yield x, y
# --- case: float64
import keras
import numpy as np


def batches():
    while True:
        x = np.zeros((32, 64, 64, 3), np.float64)  # expect: PP429
        for i in range(32):
            x[i] = load(i)
        yield x, y
# --- case: a Sequence
import keras
import numpy as np


class Batches(keras.utils.Sequence):
    def __getitem__(self, i):
        x = np.zeros((32, 64, 64, 3))  # expect: PP429
        for k in range(32):
            x[k] = self.load(k)
        return x, self.y[i]
# --- case: a shape by a star
import keras
import numpy as np


def batches():
    while True:
        x = np.zeros((32, *shape))  # expect: PP429
        for i in range(32):
            x[i] = load(i)
        yield x, y
# --- case: a list of inputs
import keras
import numpy as np


def batches():
    while True:
        x = np.zeros((32, 64, 64, 3))  # expect: PP429
        for i in range(32):
            x[i] = load(i)
        yield [x, z], y
# --- case: alone
import keras
import numpy as np


def batches():
    while True:
        x = np.zeros((32, 64, 64, 3))  # expect: PP429
        for i in range(32):
            x[i] = load(i)
        yield x
# --- case: TensorFlow
import numpy as np
import tensorflow as tf


def batches():
    while True:
        x = np.zeros((32, 64, 64, 3))  # expect: PP429
        for i in range(32):
            x[i] = load(i)
        yield x, y
# --- case: by slices
import keras
import numpy as np


def batches():
    while True:
        x = np.zeros((32, 64, 64, 3))  # expect: PP429
        x[0, :, :] = load(0)
        yield x, y
# --- case: scaled where it is given away
import keras
import numpy as np


def batches():
    while True:
        x = np.zeros((32, 64, 64, 3))  # expect: PP429
        for i in range(32):
            x[i] = load(i)
        yield (x - 127.5) / 127.5, y
