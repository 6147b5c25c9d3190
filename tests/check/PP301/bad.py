import tensorflow as tf
# --- case: a method on a variable
def parse(record):
    features = tf.io.parse_single_example(record, {"image": tf.io.FixedLenFeature([], tf.string)})
    return tf.io.decode_jpeg(features["image"])


ds = tf.data.TFRecordDataset("a.tfrecord")
ds = ds.map(parse)  # expect: PP301
ds = ds.batch(32)
# --- case: one chain over many lines, two calls on one line
def load(files, parse):
    return (
        tf.data.Dataset.from_tensor_slices(files)
        .shuffle(100)
        .map(lambda f: tf.io.decode_jpeg(tf.io.read_file(f)))  # expect: PP301
        .batch(8).prefetch(1)
    )
# --- whole: compat.v1
import tensorflow.compat.v1 as tf


def input_fn(params):
    d = tf.data.TextLineDataset(params["files"])
    d = d.map(lambda line: tf.image.resize(tf.decode_raw(line, tf.uint8), [64, 64]))  # expect: PP301
    return d.batch(params["batch_size"])
# --- whole: from tensorflow.compat import v1
from tensorflow.compat import v1 as tf

d = tf.data.TFRecordDataset(["x"]).map(lambda r: tf.io.decode_png(r))  # expect: PP301
# --- whole: the class is imported by name
from tensorflow.data import Dataset, TFRecordDataset
import tensorflow


def read(name):
    return TFRecordDataset(name).map(lambda r: tensorflow.io.decode_png(r))  # expect: PP301
# --- whole: from tensorflow import data
from tensorflow import data, io

d = data.TFRecordDataset("x").map(lambda r: io.decode_wav(r))  # expect: PP301
# --- case: a parameter with an annotation
def prepare(ds: tf.data.Dataset) -> tf.data.Dataset:
    return ds.map(lambda x: tf.image.resize(x, [224, 224]))  # expect: PP301
# --- case: None is no parallelism
d = tf.data.TFRecordDataset("x")
d = d.map(lambda r: tf.io.decode_wav(r), num_parallel_calls=None)  # expect: PP301
d = d.map(lambda x: tf.signal.stft(x, 256, 128), None)  # expect: PP301
# --- case: interleave reads one file at a time
files = tf.data.Dataset.list_files("gs://bucket/*.tfrecord")
d = files.interleave(tf.data.TFRecordDataset, cycle_length=16, block_length=4)  # expect: PP301
# --- whole: a data set from another file of the project
from pipeline import source
import tensorflow as tf

train = source("train").map(lambda r: tf.io.decode_jpeg(r))  # expect: PP301
# --- file: pipeline.py
import tensorflow as tf


def source(split):
    return tf.data.TFRecordDataset(split + ".tfrecord")
# --- whole: tfds.load gives a data set, and a dictionary of them
import tensorflow_datasets as tfds
import tensorflow as tf


def scale(image, label):
    return tf.image.per_image_standardization(image), label


train, info = tfds.load("mnist", split="train", with_info=True, as_supervised=True)
train = train.map(scale)  # expect: PP301
both = tfds.load("cifar10", as_supervised=True)
rest = both["train"].map(scale)  # expect: PP301
# --- whole: an argument that calls does not end the chain
import functools
import tensorflow as tf


def parse(record, size):
    return tf.image.resize(tf.io.decode_png(record), [size, size])


def build(n, size):
    ds = tf.data.TFRecordDataset("x").batch(int(n)).unbatch()
    return ds.map(functools.partial(parse, size=size))  # expect: PP301
# --- case: an attribute of an object
class Reader:
    def __init__(self, files):
        self.data = tf.data.TFRecordDataset(files)

    def decode(self, record):
        return tf.io.decode_bmp(tf.io.parse_single_example(record, {})["image"])

    def build(self):
        return self.data.map(self.decode).batch(4)  # expect: PP301
# --- whole: a re-export and a lazy loader of the project
from compat import tf

d = tf.data.TFRecordDataset("x").map(lambda r: tf.io.decode_png(r))  # expect: PP301
# --- file: compat.py
try:
    import tensorflow.compat.v2 as tf
except ImportError:
    tf = None
# --- whole: tf comes from a function that imports it
from ray.rllib.utils.framework import try_import_tf

tf1, tf, version = try_import_tf()
d = tf.data.TFRecordDataset("x").map(lambda r: tf.io.decode_png(r))  # expect: PP301
# --- whole: keras hands out a data set
import keras
from keras import layers

augment = keras.Sequential([layers.Rescaling(1.0 / 255)])
ds = keras.utils.image_dataset_from_directory("images", batch_size=32)
ds = ds.map(lambda x, y: (augment(x), y))  # expect: PP301
# --- case: data sets in branches
def make(training, files):
    if training:
        ds = tf.data.TFRecordDataset(files).repeat()
    else:
        ds = tf.data.TFRecordDataset(files)
    ds = ds.map(lambda r: tf.linalg.inv(tf.io.parse_tensor(r, "float32")))  # expect: PP301
    return ds
# --- case: order is said where the mapper draws random numbers
def augment(image):
    return tf.image.random_flip_left_right(tf.io.decode_jpeg(image))


ds = tf.data.TFRecordDataset("x").map(augment)  # expect: PP301
# --- case: a trailing comma and a comment in the call
ds = tf.data.TFRecordDataset("x").map(  # expect: PP301
    lambda r: tf.io.decode_jpeg(r),  # decodes
)
# --- whole: the legacy method
import tensorflow.compat.v1 as tf

ds = tf.data.TFRecordDataset("x")
ds = ds.map_with_legacy_function(lambda r: tf.image.decode_png(r))  # expect: PP301
# --- case: AUTOTUNE has a name here already
AUTOTUNE = tf.data.experimental.AUTOTUNE
ds = tf.data.TFRecordDataset("x").map(lambda r: tf.io.decode_png(r))  # expect: PP301
# --- case: a syntax error elsewhere in the file
ds = tf.data.TFRecordDataset("x").map(lambda r: tf.io.decode_png(r))  # expect: PP301


def broken(:
    pass
# --- case: Python 2
print "building"
ds = tf.data.TFRecordDataset("x").map(lambda r: tf.image.decode_png(r))  # expect: PP301
print ds
# --- whole: settings give the data set
import gin
import tensorflow.compat.v1 as tf


@gin.configurable
def pairs(dataset=gin.REQUIRED, length=gin.REQUIRED):
    def parse(record):
        for pattern in ("[.,;]", "[0-9]+"):
            record = tf.strings.regex_replace(record, pattern, " ")
        words = tf.strings.regex_replace(tf.strings.regex_replace(record, "^ ", ""), " +", " ")
        tokens = tf.strings.split(words, " ")
        return {"inputs": tokens[:-1], "targets": tokens[1:]}

    return dataset.map(parse).shuffle(length)  # expect: PP301
# --- case: what it calls is not seen, and its name says that it is work
from words import tokenizer

texts = tf.data.TextLineDataset("x").map(lambda s: tokenizer.encode(s))  # expect: PP301
# --- whole: a name behind partial
import functools

import tensorflow as tf
from words import tokenize

texts = tf.data.TextLineDataset("x").map(functools.partial(tokenize, 7))  # expect: PP301
# --- case: a setting says whether it is cached
def load(files, memory):
    ds = tf.data.TFRecordDataset(files).map(lambda r: tf.io.decode_jpeg(r))  # expect: PP301
    if memory:
        ds = ds.cache()
    return ds.batch(32).prefetch(1)
# --- case: pictures come out of the records
def parse(record):
    features = tf.io.parse_single_example(record, {"x": tf.io.FixedLenFeature([], tf.string)})
    return tf.image.resize(tf.io.decode_png(features["x"]), [224, 224])


ds = tf.data.TFRecordDataset("x").map(parse)  # expect: PP301
# --- case: a bracket is missing in the call: nothing is fixed there
d = tf.data.TFRecordDataset("x")
e = d.map(lambda r: tf.io.decode_png(r))  # expect: PP301
d = d.map(lambd\ r: tf.io.decode[tf.keras.lade[tf.keras.layers.Dense(width)])  # expect: PP301
# --- case: slices of two arrays are as many as they are long
def decode(path, label):
    return tf.io.decode_png(tf.io.read_file(path)), label


ds = tf.data.Dataset.from_tensor_slices((paths, labels)).map(decode).batch(32)  # expect: PP301 high
# --- case: slices of a dictionary of arrays
def decode(row):
    return tf.io.decode_png(tf.io.read_file(row["path"])), row["label"]


ds = tf.data.Dataset.from_tensor_slices({"path": paths, "label": labels}).map(decode)  # expect: PP301 high
# --- case: print and a TensorArray are no side effects that matter
def decode(path):
    print("traced")
    parts = tf.TensorArray(tf.uint8, 1).write(0, tf.io.decode_png(tf.io.read_file(path)))
    return parts.stack()


ds = tf.data.Dataset.list_files("*.png").map(decode)  # expect: PP301 high
# --- whole: functions that do work, and those that should not run side by side or do next to nothing
import random
import numpy as np
import tensorflow as tf
from library import augment, Pair, random_crop

model = tf.keras.models.load_model("m")
functional = tf.keras.Model(inputs, outputs)
table = tf.lookup.StaticHashTable(init, 0)
other = iter(tf.data.Dataset.range(3))
FEATURES = {"image": tf.io.FixedLenFeature([], tf.string)}
seen = 0


class Example:
    def __init__(self, image, label):
        self.image = image
        self.label = label


class Reader:
    def __init__(self, size):
        self.size = size
        self.count = 0

    def decode(self, r):
        return tf.image.resize(tf.io.decode_png(r), [self.size, self.size])

    def counts(self, r):
        self.count += 1
        return tf.io.decode_png(r)

    def run(self, ds):
        a = ds.map(self.decode)  # expect: PP301
        b = ds.map(self.counts)  # expect: PP301 low
        return a, b


def decode(r):
    return tf.io.decode_png(r)


def counts(r):
    global seen
    seen += 1
    return tf.io.decode_png(r)


def raises(r):
    if r is None:
        raise ValueError(tf.io.decode_png(r))
    return r


def draws(r):
    return tf.io.decode_png(r) + tf.random.normal([3])


def draws_in_python(r):
    return tf.io.decode_png(r) * random.random()


def crops(r):
    return random_crop(tf.io.decode_png(r))


def runs_model(r):
    return model(tf.io.decode_png(r))


def runs_functional(r):
    return functional(tf.io.decode_png(r))


def predicts(r):
    return model.predict(tf.io.decode_png(r))


def with_tape(r):
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(tf.io.decode_png(r))
    return tape.gradient(y, r)


def nested(r):
    return tf.data.Dataset.from_tensor_slices(r).map(decode)  # expect: PP301


def pulls(r):
    return tf.io.decode_png(r), other.get_next()


def nearest(image):
    return tf.image.resize(image, [64, 64], method="nearest")


def nearest_named(image):
    return tf.image.resize_nearest_neighbor(image, [64, 64])


def bilinear(image):
    return tf.image.resize(image, [64, 64])


def packs(r):
    return Example(r, r)


def packs_more(r):
    return Pair(r, 1)


def packs_private(r):
    return _Pair(r, 1)


def counts_rounds(image):
    for _ in range(64):
        image = tf.io.decode_png(image)
    return image


def by_fields(features):
    for name in features.keys():
        features[name] = tf.cast(features[name], tf.float32)
    return features


def while_small(image):
    while tf.shape(image)[0] > 64:
        image = image[::2]
    return image


def chooses(image):
    return tf.image.flip_left_right(image) if image.ndim > 2 else image


def by_type(t):
    if t.dtype == tf.int64:
        t = tf.cast(t, tf.int32)
    return t


def in_python(r):
    return tf.py_function(decode, [r], tf.uint8)


def in_numpy(r):
    return tf.numpy_function(np.fft.fft2, [r], tf.float32)


def looks_up(word):
    return table.lookup(word)


def unknown(r):
    return augment(r)


def prints(r):
    print(r)
    return r


def prints_ops(r):
    tf.print(r)
    return tf.io.decode_png(r)


def of_resource(r):
    return tf.io.decode_png(read(rng_resource)), augment(rng_resource)


def regex(line):
    line = tf.strings.regex_replace(line, "a", "b")
    line = tf.strings.regex_replace(line, "c", "d")
    return tf.strings.regex_replace(line, "e", "f")


def parses(r):
    return tf.io.parse_single_example(r, FEATURES)


def arithmetic(image, label):
    return (image - 127.5) / 127.5, label


def little(image, label):
    return image[..., :3], label


def nothing(image, label):
    return {"image": image, "label": label}


def deep(r):
    return deep1(r)


def deep1(r):
    return deep2(r)


def deep2(r):
    return deep3(r)


def deep3(r):
    return deep4(r)


def deep4(r):
    return deep5(r)


def deep5(r):
    return tf.io.decode_png(r)


def pipelines(files, more, flag):
    ds = tf.data.TFRecordDataset(files)
    a0 = ds.map(decode)  # expect: PP301
    a1 = ds.map(counts)  # expect: PP301 low
    a2 = ds.map(raises)  # expect: PP301 low
    a3 = ds.map(draws)  # expect: PP301
    a4 = ds.map(draws_in_python)  # expect: PP301
    a5 = ds.map(crops)  # expect: PP301
    a6 = ds.map(runs_model)  # expect: PP301 low
    a7 = ds.map(runs_functional)  # expect: PP301 low
    a8 = ds.map(predicts)  # expect: PP301 low
    a9 = ds.map(with_tape)  # expect: PP301 low
    b0 = ds.map(nested)  # expect: PP301 low
    b1 = ds.map(pulls)  # expect: PP301 low
    b2 = ds.map(nearest)  # expect: PP301 low
    b3 = ds.map(nearest_named)  # expect: PP301 low
    b4 = ds.map(bilinear)  # expect: PP301
    b5 = ds.map(packs)  # expect: PP301 low
    b6 = ds.map(packs_more)  # expect: PP301 low
    b7 = ds.map(packs_private)  # expect: PP301 low
    b8 = ds.map(counts_rounds)  # expect: PP301
    b9 = ds.map(by_fields)  # expect: PP301 low
    c0 = ds.map(while_small)  # expect: PP301 low
    c1 = ds.map(chooses)  # expect: PP301 low
    c2 = ds.map(by_type)  # expect: PP301 low
    c3 = ds.map(in_python)  # expect: PP301 low
    c4 = ds.map(in_numpy)  # expect: PP301 low
    c5 = ds.map(looks_up)  # expect: PP301 low
    c6 = ds.map(unknown)  # expect: PP301 low
    c7 = ds.map(prints)  # expect: PP301 low
    c8 = ds.map(prints_ops)  # expect: PP301
    d0 = ds.map(of_resource)  # expect: PP301 low
    d1 = ds.map(regex)  # expect: PP301
    d2 = ds.map(parses)  # expect: PP301 low
    d3 = ds.map(arithmetic)  # expect: PP301 low
    d4 = ds.map(little)  # expect: PP301 low
    d5 = ds.map(nothing)  # expect: PP301 low
    d7 = ds.map(deep)  # expect: PP301 low
    d8 = ds.map(tf.io.decode_png)  # expect: PP301
    d9 = ds.map(tf.identity)  # expect: PP301 low
    e0 = ds.map(augment)  # expect: PP301
    e1 = ds.map(random_crop)  # expect: PP301 low
    e2 = ds.map(model)  # expect: PP301 low
    e3 = ds.map(model.predict)  # expect: PP301 low
    e4 = ds.map(tf.keras.layers.Rescaling(1.0 / 255))  # expect: PP301
    e5 = ds.map()
    e6 = ds.map(lambda r: tf.io.decode_png(r), None)  # expect: PP301
    e7 = ds.map(lambda r: tf.io.decode_png(r), 4)
    e8 = ds.map(decode, num_parallel_calls=None)  # expect: PP301
    e9 = ds.map(decode, num_parallel_calls=1)
    f0 = ds.map(decode, num_threads=4)
    f1 = ds.map(*more)
    f2 = ds.map(map_func=decode)  # expect: PP301
    f3 = ds.interleave(tf.data.TFRecordDataset)  # expect: PP301
    f4 = ds.interleave(tf.data.TFRecordDataset, cycle_length=1)
    f5 = ds.interleave(lambda f: tf.data.TFRecordDataset(f).map(decode), cycle_length=4)  # expect: PP301
    f6 = (ds if flag else ds.take(3)).map(decode)  # expect: PP301
    f7 = (copy := ds).map(decode)  # expect: PP301
    f8 = ds.apply(tf.data.experimental.ignore_errors()).map(decode)  # expect: PP301
    f9 = ds.take(3).map(decode)  # expect: PP301 low
    g0 = tf.data.Dataset.from_tensor_slices([1, 2, 3]).map(decode)  # expect: PP301 low
    g1 = tf.data.Dataset.from_tensor_slices(files).map(decode)  # expect: PP301
    g2 = tf.data.Dataset.from_tensors(files).map(decode)  # expect: PP301 low
    g3 = tf.data.Dataset.range(3).map(decode)  # expect: PP301 low
    g4 = tf.data.Dataset.zip((ds, ds)).map(arithmetic)  # expect: PP301 low
    g5 = ds.map_with_legacy_function(decode)  # expect: PP301
    g6 = ds.batch(4).map(decode)  # expect: PP301
    g7 = ds.cache().map(decode)  # expect: PP301
    g8 = ds.apply(lambda d: d.map(decode))
    g9 = ds.apply(tf.data.experimental.map_and_batch(decode, 4))
    return ds


def of_library(name):
    a = tfds_load(name).map(decode)
    import tensorflow_datasets as tfds
    b = tfds.load(name).map(decode)  # expect: PP301
    c, info = tfds.load(name, with_info=True)
    d = c.map(decode)  # expect: PP301
    e, f = tfds.load(name, split=["train", "test"])
    g = f.map(decode)  # expect: PP301
    builder = tfds.builder(name)
    h = builder.as_dataset().map(decode)  # expect: PP301
    return a, b, d, g, h, info


def annotated(ds: tf.data.Dataset, more: "tf.data.Dataset", what: "list"):
    a = ds.map(decode)  # expect: PP301
    b = more.map(decode)  # expect: PP301
    c = what.map(decode)
    return a, b, c

