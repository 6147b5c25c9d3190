# --- case: files in a Python loop only note
import tensorflow as tf


def read(path):
    return tf.io.decode_png(tf.io.read_file(path), channels=1)


a = tf.stack([tf.image.resize(read(name), (24, 24)) for name in names])  # expect: PP311 low
b = tf.stack([read(name) for name in ("a.png", "b.png")])
c = tf.stack([tf.cast(x, tf.float32) for x in images])
# --- case: stacked
import tensorflow as tf


def read(path):
    return tf.io.decode_png(tf.io.read_file(path))


images = tf.stack([read(name) for name in names])  # expect: PP311 low
# --- case: converted
import tensorflow as tf


def read(path):
    return tf.io.decode_png(tf.io.read_file(path))


images = tf.convert_to_tensor([read(name) for name in names])  # expect: PP311 low
# --- case: right in the comprehension
import tensorflow as tf

images = tf.stack([tf.io.decode_jpeg(tf.io.read_file(n)) for n in names])  # expect: PP311 low
# --- case: TF1's name
import tensorflow as tf

images = tf.stack([tf.image.decode_jpeg(tf.read_file(n)) for n in names])  # expect: PP311 low
# --- case: import from
from tensorflow import io, stack

images = stack([io.decode_png(io.read_file(n)) for n in names])  # expect: PP311 low
# --- case: through two functions
import tensorflow as tf


def read(path):
    return tf.io.decode_png(tf.io.read_file(path))


def prepare(path):
    return read(path) / 255


images = tf.stack([prepare(n) for n in names])  # expect: PP311 low
# --- case: in a function
import tensorflow as tf


def read(path):
    return tf.io.decode_png(tf.io.read_file(path))


def load(names):
    return tf.stack([read(n) for n in names], axis=0)  # expect: PP311 low
# --- case: a method
import tensorflow as tf


class Loader:
    def read(self, n):
        return tf.io.decode_png(tf.io.read_file(n))

    def load(self, names):
        return tf.stack([self.read(n) for n in names])  # expect: PP311 low
# --- case: a generator expression
import tensorflow as tf


def read(path):
    return tf.io.decode_png(tf.io.read_file(path))


images = tf.stack(list(x) if x else [read(n) for n in names])
others = tf.convert_to_tensor([read(n) for n in sorted(names)])  # expect: PP311 low
# --- case: texts
import tensorflow as tf

texts = tf.stack([tf.io.read_file(n) for n in names])  # expect: PP311 low
# --- case: numbers of frames
import tensorflow as tf


def read(path):
    return tf.io.decode_png(tf.io.read_file(path))


images = tf.stack([read(f'{i}.png') for i in range(500)])  # expect: PP311 low
