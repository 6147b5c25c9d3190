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
