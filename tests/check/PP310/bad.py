# --- case: the rows of a batch, one by one
import numpy as np
from tensorflow import keras

codes = np.load("codes.npy")


class Pairs(keras.utils.Sequence):
    def __getitem__(self, n):
        rows = pairs[n * 32:(n + 1) * 32]
        left = np.array([codes[i] for i, _ in rows])  # expect: PP310
        return left, np.stack([codes[j] for _, j in rows])  # expect: PP310
# --- case: the same in a generator
import numpy as np
import tensorflow as tf

images = np.zeros((5000, 28, 28), dtype="float32")


def batches():
    while True:
        chosen = np.random.choice(5000, 32)
        yield np.asarray([images[k] for k in chosen])  # expect: PP310


model.fit(batches(), steps_per_epoch=100)
# --- case: a PyDataset
import numpy as np
from tensorflow import keras

rows = np.load('rows.npy')


class Data(keras.utils.PyDataset):
    def __getitem__(self, n):
        return np.array([rows[i] for i in self.order[n]])  # expect: PP310
# --- case: Sequence by its name
import numpy as np
from tensorflow.keras.utils import Sequence

rows = np.zeros((900, 8))


class Data(Sequence):
    def __getitem__(self, n):
        chosen = self.order[n]
        return np.stack([rows[i] for i in chosen])  # expect: PP310
# --- case: the labels, too
import numpy as np
from tensorflow import keras

rows = np.load('rows.npy')


labels = np.load('labels.npy')


def batches(order):
    for n in range(0, 900, 32):
        part = order[n:n + 32]
        yield np.array([rows[i] for i in part]), np.array([labels[i] for i in part])  # expect: PP310
# --- case: an array that is made in the generator's module by Keras
import numpy as np
from tensorflow import keras

(x, y), _ = keras.datasets.mnist.load_data()


def batches():
    while True:
        yield np.asarray([x[i] for i in np.random.choice(60000, 32)])  # expect: PP310
# --- case: a generator expression
import numpy as np
from tensorflow import keras

rows = np.load('rows.npy')


def batches(order):
    for part in order:
        yield np.array([rows[k] for k in part])  # expect: PP310
# --- case: pairs of numbers
import numpy as np
from tensorflow import keras

rows = np.load('rows.npy')


def batches(pairs):
    for part in pairs:
        left = np.array([rows[a] for a, b in part])  # expect: PP310
        yield left
# --- case: by enumerate
import numpy as np
from tensorflow import keras

rows = np.load('rows.npy')


def batches(parts):
    for part in parts:
        yield np.stack([rows[k] for n, k in enumerate(part)])  # expect: PP310
# --- case: a base of the project's own
import numpy as np
from tensorflow import keras

rows = np.load('rows.npy')


class Base(keras.utils.Sequence):
    pass


class Data(Base):
    def __getitem__(self, n):
        return np.array([rows[i] for i in self.order[n]])  # expect: PP310
# --- case: zeros that are filled
import numpy as np
import tensorflow as tf

bank = np.zeros((100, 64))


def batches():
    while True:
        picked = np.random.randint(0, 100, 16)
        yield np.array([bank[i] for i in picked])  # expect: PP310
# --- case: random numbers
import numpy as np
import tensorflow as tf

bank = np.random.rand(100, 64)


def batches():
    while True:
        yield np.array([bank[i] for i in picks()])  # expect: PP310
