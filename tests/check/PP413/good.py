from keras.models import Sequential
from keras.layers import Dense
from PIL import Image
# --- case: workers
model = Sequential([Dense(3)])


def batches(paths):
    while True:
        for path in paths:
            yield Image.open(path), 1


model.fit_generator(batches(paths), steps_per_epoch=9, workers=4)  # lacks: it is told how many workers
# --- case: workers from the command line
model = Sequential([Dense(3)])


def batches(paths):
    while True:
        for path in paths:
            yield Image.open(path), 1


model.fit_generator(batches(paths), steps_per_epoch=9, workers=args.workers)
# --- case: rows of arrays are picked
model = Sequential([Dense(3)])


def batches(paths):
    while True:
        for path in paths:
            yield arrays[path], 1


model.fit_generator(batches(paths), steps_per_epoch=9)
# --- whole: arrays
import tensorflow as tf
from PIL import Image

model = tf.keras.Sequential([tf.keras.layers.Dense(3)])


def arrays(paths):
    return [Image.open(path) for path in paths]


model.fit(arrays(paths), epochs=9)
# --- whole: a data set
import tensorflow as tf
from PIL import Image

model = tf.keras.Sequential([tf.keras.layers.Dense(3)])


def batches(paths):
    while True:
        for path in paths:
            yield Image.open(path), 1


model.fit(tf.data.TFRecordDataset("x").batch(32), epochs=9)
# --- whole: a Sequence with workers
import tensorflow as tf
from PIL import Image

model = tf.keras.Sequential([tf.keras.layers.Dense(3)])


class Pictures(tf.keras.utils.Sequence):
    def __getitem__(self, i):
        return Image.open(self.paths[i]), 1


model.fit(Pictures(), workers=8, use_multiprocessing=True)
# --- whole: a Sequence of arrays
import tensorflow as tf
from PIL import Image

model = tf.keras.Sequential([tf.keras.layers.Dense(3)])


class Rows(tf.keras.utils.Sequence):
    def __getitem__(self, i):
        return self.x[i * 32:i * 32 + 32], self.y[i * 32:i * 32 + 32]


model.fit(Rows(), epochs=9)
# --- case: a parameter of unknown kind
model = Sequential([Dense(3)])


def train(model, generator):
    model.fit_generator(generator, steps_per_epoch=9)


train(model, load())
# --- case: options that are not seen
model = Sequential([Dense(3)])


def batches(paths):
    while True:
        for path in paths:
            yield Image.open(path), 1


model.fit_generator(batches(paths), **options)
# --- case: no model: a scaler
model = Sequential([Dense(3)])


def batches(paths):
    while True:
        for path in paths:
            yield Image.open(path), 1


scaler.fit(batches(paths))
# --- whole: arrays and labels
import tensorflow as tf
from PIL import Image

model = tf.keras.Sequential([tf.keras.layers.Dense(3)])


def batches(paths):
    while True:
        for path in paths:
            yield Image.open(path), 1


model.fit(x, y, epochs=9)
# --- whole: validation only
import tensorflow as tf
from PIL import Image

model = tf.keras.Sequential([tf.keras.layers.Dense(3)])


def batches(paths):
    while True:
        for path in paths:
            yield Image.open(path), 1


model.fit(x, y, validation_data=batches(paths), epochs=9)
# --- case: an evaluation
model = Sequential([Dense(3)])


def batches(paths):
    while True:
        for path in paths:
            yield Image.open(path), 1


model.evaluate_generator(batches(paths), steps=9)
# --- whole: an option whose default is four
import argparse

import keras

parser = argparse.ArgumentParser()
parser.add_argument("--workers", type=int, default=4)
args = parser.parse_args()
model = keras.models.Sequential()
model.fit_generator(batches, steps_per_epoch=100, workers=args.workers)
# --- whole: one array, loaded before the loop
import numpy as np
from tensorflow import keras


def batches():
    rows = np.load("rows.npy")
    while True:
        at = np.random.randint(0, len(rows), 32)
        yield rows[at], rows[at]


model = keras.models.load_model("m.h5")
model.fit_generator(batches(), steps_per_epoch=100)
# --- case: workers=1
from PIL import Image

model = Sequential([Dense(3)])


def batches(paths):
    while True:
        for path in paths:
            yield Image.open(path), 1


model.fit_generator(batches(paths), steps_per_epoch=9, workers=1)
# --- whole: an option whose default is one
import argparse

import keras

parser = argparse.ArgumentParser()
parser.add_argument("--workers", type=int, default=1)
args = parser.parse_args()
model = keras.models.Sequential()
model.fit_generator(batches, steps_per_epoch=100, workers=args.workers)
