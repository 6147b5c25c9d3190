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
# --- case: a generator of lists of different lengths
import tensorflow as tf


def gen():
    for a, b in zip(sentences, tags):
        yield a, b


ds = tf.data.Dataset.from_generator(gen, (tf.string, tf.int32))
# --- case: a generator that makes its data
import numpy as np
import tensorflow as tf


def noise():
    while True:
        yield np.random.normal(size=[3])


ds = tf.data.Dataset.from_generator(noise, tf.float32)
# --- case: a generator over a file of a format of its own
import h5py
import tensorflow as tf


class Reader:
    def __call__(self):
        with h5py.File("x.h5") as file:
            for image in file["images"]:
                yield image


ds = tf.data.Dataset.from_generator(Reader(), tf.uint8)
# --- case: a generator that tokenizes
import tensorflow as tf


def tokens():
    for line in open("x.txt"):
        yield tokenizer.encode(line)


ds = tf.data.Dataset.from_generator(tokens, tf.int32)
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


ds = ds.map(lambda p: tf.py_function(prepare, [p], tf.uint8))  # expect: PP304 note
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
    return tf.py_function(cv2.imread, [p], tf.uint8)  # expect: PP304 note
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
# --- case: lists, files, and work on each row
import numpy as np
import cv2
from tensorflow import keras

codes = np.load("codes.npy")


class Pairs(keras.utils.Sequence):
    def __getitem__(self, n):
        rows = self.rows[n * 32:(n + 1) * 32]
        a = np.array([self.codes[i] for i in rows])
        b = np.array([names[i] for i in rows])
        c = np.array([scaled(codes[i]) for i in rows])
        d = np.array([codes[i] for i in rows if i > 3])
        return codes[rows], a, b, c, d
# --- case: the same, once, outside of what makes batches
import numpy as np
import tensorflow as tf

codes = np.load("codes.npy")
first = np.array([codes[i] for i in order])
# --- case: counting only notes, where it is a data set
import tensorflow as tf

records = tf.data.TFRecordDataset("x")
n = sum(1 for _ in records)  # expect: PP304 note
m = sum(1 for _ in tf.compat.v1.io.tf_record_iterator("x"))  # expect: PP304 note
k = sum(1 for _ in open("x"))
j = sum(1 for r in records if r)
# --- case: files in a Python loop only note
import tensorflow as tf


def read(path):
    return tf.io.decode_png(tf.io.read_file(path), channels=1)


a = tf.stack([tf.image.resize(read(name), (24, 24)) for name in names])  # expect: PP304 note
b = tf.stack([read(name) for name in ("a.png", "b.png")])
c = tf.stack([tf.cast(x, tf.float32) for x in images])
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
        return tf.py_function(func=self.decode, inp=[ids], Tout=tf.string)  # expect: PP304 note


class Points(Vocabulary):
    def _decode(self, ids):
        return "".join(chr(i) for i in ids)

    def decode_tf(self, ids):
        return tf.numpy_function(self.decode, [ids], tf.string)  # expect: PP304 note


class Pieces(Vocabulary):
    def _decode(self, ids):
        return self.tokenizer.DecodeIds(ids)

    def decode_tf(self, ids):
        return tf.py_function(func=self.decode, inp=[ids], Tout=tf.string)


def numbers(text):
    return [ord(c) for c in text.numpy().decode()]


def words(text):
    return text.numpy().decode().split(bytes().decode())


a = tf.py_function(numbers, [text], tf.int32)  # expect: PP304 note
b = tf.py_function(words, [text], tf.string)
# --- case: a data set that was put into a list only notes
import tensorflow as tf


class Preloader:
    def transform(self, ds_input: tf.data.Dataset):
        self.examples = list(iter(ds_input))
        keys = list(self.examples[0].keys())

        def gen():
            for example in self.examples:
                yield tuple(example[key] for key in keys)

        return tf.data.Dataset.from_generator(gen, tf.float32)  # expect: PP304 note


def kept(dataset):
    elements = [x for x in dataset]

    def gen():
        for image, label in elements:
            yield image, label

    return tf.data.Dataset.from_generator(gen, (tf.float32, tf.int32))  # expect: PP304 note
# --- case: a list that is more than the data set, or is not known
import random
import numpy as np
import tensorflow as tf


def shuffled(dataset):
    elements = list(dataset)
    elements.sort(key=size)

    def gen():
        for x in elements:
            yield x

    return tf.data.Dataset.from_generator(gen, tf.float32)


def changed(dataset):
    elements = list(dataset)

    def gen():
        for x in elements:
            yield x * random.random()

    return tf.data.Dataset.from_generator(gen, tf.float32)


def twice(dataset, other):
    elements = list(dataset)
    elements = elements + list(other)

    def gen():
        for x in elements:
            yield x

    return tf.data.Dataset.from_generator(gen, tf.float32)


def some(dataset):
    elements = [x for x in dataset if wanted(x)]
    parts = [x["image"] for x in dataset]
    mapped = np.memmap("x.bin")

    def gen():
        for x in elements:
            yield x

    def gen_parts():
        for x in parts:
            yield x

    def gen_mapped():
        for x in mapped:
            yield x

    a = tf.data.Dataset.from_generator(gen, tf.float32)
    b = tf.data.Dataset.from_generator(gen_parts, tf.float32)
    return a, b, tf.data.Dataset.from_generator(gen_mapped, tf.float32)
