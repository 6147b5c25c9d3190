# --- case: decoded again in each round only notes
import tensorflow as tf


def prepare(encoded):
    return tf.image.resize(tf.io.decode_png(encoded, channels=3), [64, 64])


def scale(image):
    return tf.image.resize(image, [32, 32]) / 255.0


a = tf.data.Dataset.from_tensor_slices(pngs).map(prepare).repeat(30).batch(16)  # expect: PP306 low
b = tf.data.Dataset.from_tensor_slices(images).map(scale).shuffle(100).repeat()  # expect: PP306 low
c = tf.data.Dataset.from_tensor_slices((images, labels))
c = c.map(lambda x, y: (tf.image.resize(x, [32, 32]), y))
c = c.repeat(10).batch(32)  # expect: PP306 low
# --- case: a lambda that decodes
import tensorflow as tf

ds = tf.data.Dataset.from_tensor_slices(pngs).map(lambda x: tf.io.decode_jpeg(x)).repeat(3)  # expect: PP306 low
# --- case: in separate statements
import tensorflow as tf


def prepare(encoded):
    return tf.image.resize(tf.io.decode_png(encoded, channels=3), [64, 64])


ds = tf.data.Dataset.from_tensor_slices(pngs)
ds = ds.map(prepare)
ds = ds.repeat()  # expect: PP306 low
ds = ds.batch(32)
# --- case: batched in between
import tensorflow as tf


def prepare(encoded):
    return tf.image.resize(tf.io.decode_png(encoded, channels=3), [64, 64])


ds = tf.data.Dataset.from_tensor_slices(pngs).map(prepare).batch(32).repeat(5)  # expect: PP306 low
# --- case: shuffled in between
import tensorflow as tf


def prepare(encoded):
    return tf.image.resize(tf.io.decode_png(encoded, channels=3), [64, 64])


ds = tf.data.Dataset.from_tensor_slices(pngs).map(prepare).shuffle(100).repeat(5)  # expect: PP306 low
# --- case: TF1
import tensorflow as tf


def parse(image, label):
    return tf.image.resize_images(image, [224, 224]), label


ds = tf.data.Dataset.from_tensor_slices((images, labels)).map(parse).repeat(EPOCHS)  # expect: PP306 low
# --- case: import from
from tensorflow import io
from tensorflow.data import Dataset

ds = Dataset.from_tensor_slices(pngs).map(lambda x: io.decode_image(x)).repeat(9)  # expect: PP306 low
# --- case: the function calls another that decodes
import tensorflow as tf


def prepare(encoded):
    return tf.image.resize(tf.io.decode_png(encoded, channels=3), [64, 64])


def pair(x, y):
    return prepare(x), y


ds = tf.data.Dataset.from_tensor_slices((pngs, labels)).map(pair).repeat(9)  # expect: PP306 low
# --- case: a parallel map
import tensorflow as tf


def prepare(encoded):
    return tf.image.resize(tf.io.decode_png(encoded, channels=3), [64, 64])


ds = tf.data.Dataset.from_tensor_slices(pngs)
ds = ds.map(prepare, num_parallel_calls=tf.data.AUTOTUNE).repeat(9).prefetch(1)  # expect: PP306 low
# --- case: in a function
import tensorflow as tf


def prepare(encoded):
    return tf.image.resize(tf.io.decode_png(encoded, channels=3), [64, 64])


def training_data(pngs, epochs):
    ds = tf.data.Dataset.from_tensor_slices(pngs).map(prepare)
    return ds.repeat(epochs).batch(16)  # expect: PP306 low
# --- case: in a class
import tensorflow as tf


def prepare(encoded):
    return tf.image.resize(tf.io.decode_png(encoded, channels=3), [64, 64])


class Data:
    def __init__(self, pngs):
        self.ds = tf.data.Dataset.from_tensor_slices(pngs).map(prepare)

    def train(self):
        return self.ds.repeat().batch(16)  # expect: PP306 low
# --- case: count by its name
import tensorflow as tf


def prepare(encoded):
    return tf.image.resize(tf.io.decode_png(encoded, channels=3), [64, 64])


ds = tf.data.Dataset.from_tensor_slices(pngs).map(prepare).repeat(count=30)  # expect: PP306 low
