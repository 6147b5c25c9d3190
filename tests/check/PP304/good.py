# --- case: the native path
import tensorflow as tf

ds = tf.data.Dataset.list_files("*.jpg").map(lambda p: tf.io.decode_jpeg(tf.io.read_file(p)))
# --- case: arrays, natively
import numpy as np
import tensorflow as tf

ds = tf.data.Dataset.from_tensor_slices(np.load("x.npy"))
# --- case: a library that TensorFlow has no twin of
import librosa
import tensorflow as tf


def load(path):
    y, _ = librosa.load(path)
    return librosa.feature.mfcc(y)


ds = ds.map(lambda p: tf.py_function(load, [p], tf.float32))
# --- case: numpy, and something else
import numpy as np
import scipy.ndimage
import tensorflow as tf


def rotate(x):
    return np.clip(scipy.ndimage.rotate(x, np.random.uniform(-10, 10)), 0, 1)


ds = ds.map(lambda x: tf.numpy_function(rotate, [x], tf.float32))
# --- case: numpy functions without an op
import numpy as np
import tensorflow as tf


def ranks(x):
    return np.percentile(x, 95)


y = tf.py_function(ranks, [x], tf.float32)
# --- case: a loop that would not go into ops at once
import numpy as np
import tensorflow as tf


def merge(boxes):
    out = []
    for box in boxes:
        if np.sum(box) > 0:
            out.append(np.mean(box))
    return np.array(out)


y = tf.numpy_function(merge, [boxes], tf.float32)
# --- case: a function that is not seen
import tensorflow as tf
from library import load

ds = ds.map(lambda p: tf.py_function(load, [p], tf.float32))
ds = tf.data.Dataset.from_generator(load, tf.float32)
# --- case: reading is the least that it does: only a note
import cv2
import tensorflow as tf


def prepare(path):
    image = cv2.imread(path)
    image = cv2.warpAffine(image, find_matrix(image), (3, 3))
    return cv2.medianBlur(detect(image), 3)


ds = ds.map(lambda p: tf.py_function(prepare, [p], tf.uint8))  # expect: PP304 low
# --- case: outside of a pipeline
import cv2
import numpy as np
import tensorflow as tf

image = cv2.imread("x.png")
print(np.log(image))
# --- case: in an example
x = 1
# --- file: examples/load.py
import cv2
import tensorflow as tf


def parse(p):
    return tf.py_function(cv2.imread, [p], tf.uint8)  # expect: PP304 low
# --- case: a wrapper that is handed its function
import numpy as np
import tensorflow as tf


def py_func(func, inputs, types):
    return tf.py_func(func, inputs, types)


def stub(x):
    return np.zeros_like(x)


y = py_func(stub, [x], tf.float32)
# --- case: a metric, which is given nothing
import numpy as np
import tensorflow.compat.v1 as tf


def metrics(values):
    def factory(name):
        def value():
            return np.float32(values[name])

        return value

    return {name: tf.py_func(factory(name), [], np.float32) for name in ("recall", "precision")}
# --- case: text and numbers only note, also where the class of the object says how
import tensorflow as tf


class Vocabulary:
    def decode(self, ids):
        clean = [i for i in list(ids) if i < self.size]
        return self._decode(clean)

    def _decode(self, ids):
        raise NotImplementedError


class Bytes(Vocabulary):
    def _decode(self, ids):
        return self._text([i - self.special for i in ids])

    def _text(self, ids):
        return bytes(ids).decode("utf-8", errors="ignore")

    def decode_tf(self, ids):
        return tf.py_function(func=self.decode, inp=[ids], Tout=tf.string)  # expect: PP304 low


class Points(Vocabulary):
    def _decode(self, ids):
        return "".join(chr(i) for i in ids)

    def decode_tf(self, ids):
        return tf.numpy_function(self.decode, [ids], tf.string)  # expect: PP304 low


class Pieces(Vocabulary):
    def _decode(self, ids):
        return self.tokenizer.DecodeIds(ids)

    def decode_tf(self, ids):
        return tf.py_function(func=self.decode, inp=[ids], Tout=tf.string)


def numbers(text):
    return [ord(c) for c in text.numpy().decode()]


def words(text):
    return text.numpy().decode().split(bytes().decode())


a = tf.py_function(numbers, [text], tf.int32)  # expect: PP304 low
b = tf.py_function(words, [text], tf.string)
