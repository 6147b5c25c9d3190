# --- case: lists, files, and work on each row
import numpy as np
import cv2
from tensorflow import keras

codes = np.load("codes.npy")


class Pairs(keras.utils.Sequence):
    def __getitem__(self, n):
        rows = self.rows[n * 32:(n + 1) * 32]
        a = np.array([self.codes[i] for i in rows])  # lacks: it is not known to be an array
        b = np.array([names[i] for i in rows])
        c = np.array([scaled(codes[i]) for i in rows])
        d = np.array([codes[i] for i in rows if i > 3])
        return codes[rows], a, b, c, d
# --- case: the same, once, outside of what makes batches
import numpy as np
import tensorflow as tf

codes = np.load("codes.npy")
first = np.array([codes[i] for i in order])
# --- case: all rows at once
import numpy as np
from tensorflow import keras

rows = np.load('rows.npy')


class Data(keras.utils.Sequence):
    def __getitem__(self, n):
        return rows[self.order[n]]
# --- case: a list
import numpy as np
import tensorflow as tf

names = ['a', 'b']


def batches():
    while True:
        yield np.array([names[i] for i in picks()])
# --- case: something is done with each row
import numpy as np
from tensorflow import keras

rows = np.load('rows.npy')


def batches(order):
    for part in order:
        yield np.array([scale(rows[i]) for i in part])
# --- case: some of the rows
import numpy as np
from tensorflow import keras

rows = np.load('rows.npy')


def batches(order):
    for part in order:
        yield np.array([rows[i] for i in part if i > 3])
# --- case: the neighbour of each
import numpy as np
from tensorflow import keras

rows = np.load('rows.npy')


def batches(order):
    for part in order:
        yield np.array([rows[i + 1] for i in part])
# --- case: one place of each row
import numpy as np
from tensorflow import keras

rows = np.load('rows.npy')


def batches(order):
    for part in order:
        yield np.array([rows[i, 0] for i in part])
# --- case: a dictionary
import numpy as np
import tensorflow as tf

table = {}


def batches():
    while True:
        yield np.array([table[k] for k in picks()])
# --- case: __getitem__ of something else
import numpy as np
from tensorflow import keras

rows = np.load('rows.npy')


class Table:
    def __getitem__(self, n):
        return np.array([rows[i] for i in self.order[n]])
# --- case: once, at the top
import numpy as np
from tensorflow import keras

rows = np.load('rows.npy')


first = np.array([rows[i] for i in range(3)])
# --- case: an attribute of which nothing is known
import numpy as np
from tensorflow import keras

rows = np.load('rows.npy')


class Data(keras.utils.Sequence):
    def __getitem__(self, n):
        return np.array([self.rows[i] for i in self.order[n]])
