from keras.models import Sequential
from keras.layers import Dense
# --- case: a generator that opens pictures
from PIL import Image

model = Sequential([Dense(3)])


def batches(paths):
    while True:
        for path in paths:
            yield Image.open(path), 1


model.fit_generator(batches(paths), steps_per_epoch=9, epochs=50)  # expect: PP413
# --- case: bound to a name
from PIL import Image

model = Sequential([Dense(3)])


def batches(paths):
    while True:
        for path in paths:
            yield Image.open(path), 1


train = batches(paths)
model.fit_generator(train, steps_per_epoch=9)  # expect: PP413
# --- case: through a function that gives it
from PIL import Image

model = Sequential([Dense(3)])


def batches(paths):
    while True:
        for path in paths:
            yield Image.open(path), 1


def checked(paths):
    return batches(paths) if paths else None


model.fit_generator(checked(paths), steps_per_epoch=9)  # expect: PP413
# --- case: cv2
import cv2

model = Sequential([Dense(3)])


def batches(paths):
    while True:
        for path in paths:
            yield cv2.resize(cv2.imread(path), (9, 9)), 1


model.fit_generator(batches(paths), steps_per_epoch=9)  # expect: PP413
# --- whole: fit of tf.keras
import tensorflow as tf
from PIL import Image

model = tf.keras.Sequential([tf.keras.layers.Dense(3)])


def batches(paths):
    while True:
        for path in paths:
            yield Image.open(path), 1


model.fit(batches(paths), steps_per_epoch=9)  # expect: PP413
# --- whole: a Sequence
import tensorflow as tf
from PIL import Image

model = tf.keras.Sequential([tf.keras.layers.Dense(3)])


class Pictures(tf.keras.utils.Sequence):
    def __len__(self):
        return 9

    def __getitem__(self, i):
        return [Image.open(path) for path in self.paths[i]], 1


model.fit(Pictures(), epochs=9)  # expect: PP413
# --- whole: a Sequence that calls its own methods
import tensorflow as tf
from PIL import Image

model = tf.keras.Sequential([tf.keras.layers.Dense(3)])


class Pictures(tf.keras.utils.Sequence):
    def __len__(self):
        return 9

    def load(self, path):
        return Image.open(path)

    def __getitem__(self, i):
        return self.load(i), 1


model.fit(Pictures(), epochs=9)  # expect: PP413
# --- whole: ImageDataGenerator
import tensorflow as tf
from PIL import Image

model = tf.keras.Sequential([tf.keras.layers.Dense(3)])




flow = tf.keras.preprocessing.image.ImageDataGenerator(rotation_range=9)
model.fit(flow.flow_from_directory("train"), epochs=9)  # expect: PP413
# --- whole: ImageDataGenerator of Keras
from keras.preprocessing.image import ImageDataGenerator
from keras.models import Sequential
from keras.layers import Dense
from PIL import Image

model = Sequential([Dense(3)])




generator = ImageDataGenerator().flow_from_directory("train")
model.fit_generator(generator, epochs=9)  # expect: PP413
# --- case: sounds
import librosa

model = Sequential([Dense(3)])


def batches(paths):
    while True:
        for path in paths:
            yield librosa.load(path), 1


model.fit_generator(batches(paths), steps_per_epoch=9)  # expect: PP413
# --- whole: pictures are read in another file
# --- file: pictures.py
from PIL import Image


def read(path):
    return Image.open(path)
# --- file: train.py
from keras.models import Sequential
from keras.layers import Dense
from pictures import read

model = Sequential([Dense(3)])


def batches(paths):
    while True:
        for path in paths:
            yield read(path), 1


model.fit_generator(batches(paths), steps_per_epoch=9)  # expect: PP413
# --- case: augmented by imgaug
model = Sequential([Dense(3)])


def batches(paths):
    while True:
        for path in paths:
            yield augment.augment_image(arrays[path]), 1


model.fit_generator(batches(paths), steps_per_epoch=9)  # expect: PP413
# --- whole: a Sequence that loads arrays of items
import numpy as np
from tensorflow import keras


class Items(keras.utils.Sequence):
    def __init__(self, names):
        self.names = names

    def __len__(self):
        return len(self.names) // 32

    def __getitem__(self, i):
        batch = np.empty((32, 128, 128))
        for k, name in enumerate(self.names[i * 32:(i + 1) * 32]):
            batch[k] = np.load(name + ".npy")
        return batch, np.zeros(32)


model = keras.models.load_model("m.h5")
model.fit_generator(Items(names), epochs=5)  # expect: PP413
