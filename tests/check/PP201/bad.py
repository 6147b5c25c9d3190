import tensorflow as tf
# --- case: scaling, in a chain
ds = tf.data.TFRecordDataset("x")
ds = ds.map(lambda x: tf.cast(x, tf.float32) / 255.0).batch(32)  # expect: PP201
# --- case: in two statements
def scale(x, y):
    return tf.cast(x, tf.float32) * 2.0 - 1.0, y


ds = tf.data.Dataset.from_tensor_slices((images, labels))
ds = ds.map(scale, num_parallel_calls=tf.data.AUTOTUNE)  # expect: PP201
ds = ds.batch(64)
# --- case: shuffle, repeat and prefetch in between
ds = tf.data.Dataset.from_tensor_slices(images)
ds = ds.map(tf.math.sqrt)  # expect: PP201
ds = ds.shuffle(100).repeat().prefetch(1).batch(9)
# --- case: two mappers before the batch
ds = tf.data.Dataset.from_tensor_slices(images)
ds = ds.map(lambda x: x * 2)  # expect: PP201
ds = ds.map(lambda x: tf.one_hot(x, 10))  # expect: PP201
ds = ds.batch(9)
# --- case: a mapper that must be rewritten
def prepare(x):
    return tf.reshape(tf.transpose(x), [-1])


ds = tf.data.Dataset.from_tensor_slices(images).map(prepare).batch(8)  # expect: PP201
# --- whole: compat.v1
import tensorflow.compat.v1 as tf

ds = tf.data.TFRecordDataset("x")
ds = ds.map(lambda x: tf.to_float(x) / 2.0)  # expect: PP201
ds = ds.batch(batch_size, drop_remainder=True)
# --- whole: tfds
import tensorflow_datasets as tfds
import tensorflow as tf

ds = tfds.load("mnist", split="train", as_supervised=True)
ds = ds.map(lambda x, y: (x / 255, y)).batch(32)  # expect: PP201
# --- case: the batch size comes from a call
ds = tf.data.Dataset.range(100000)
ds = ds.map(lambda x: x * x).batch(int(size))  # expect: PP201
# --- whole: a method, and a partial
import functools
import tensorflow as tf


class Input:
    def scale(self, x, by):
        return x / by

    def build(self, images):
        ds = tf.data.Dataset.from_tensor_slices(images)
        return ds.map(functools.partial(self.scale, by=2)).batch(3)  # expect: PP201
# --- whole: a helper of another file
from ops import scale
import tensorflow as tf

ds = tf.data.Dataset.from_tensor_slices(images).map(scale).batch(3)  # expect: PP201
# --- file: ops.py
import tensorflow as tf


def scale(x):
    return tf.clip_by_value(x * 3, 0, 1)
# --- case: in one of two branches
def make(images, training):
    ds = tf.data.Dataset.from_tensor_slices(images)
    ds = ds.map(lambda x: x + 1)  # expect: PP201
    if training:
        ds = ds.shuffle(9)
    return ds.batch(4)
# --- case: the batch is in the caller
def load(images):
    return tf.data.Dataset.from_tensor_slices(images).map(lambda x: x + 1)  # expect: PP201


ds = load(images).batch(4)
# --- case: records are parsed one at a time
ds = tf.data.TFRecordDataset("x")
ds = ds.map(lambda r: tf.io.parse_single_example(r, FEATURES)).batch(8)  # expect: PP201
# --- case: lines of a CSV file, columns by name
def columns(line):
    fields = tf.io.decode_csv(line, [[0.0]] * 5)
    features = dict(zip(NAMES, fields[:-1]))
    return features, tf.cast(fields[-1], tf.int32)


ds = tf.data.TextLineDataset(path).skip(1).map(columns)  # expect: PP201
ds = ds.shuffle(1000).batch(64).repeat()
# --- whole: a record's features are cast in a loop
import tensorflow.compat.v1 as tf


def decode(record):
    example = tf.parse_single_example(record, features)
    for name in list(example.keys()):
        t = example[name]
        if t.dtype == tf.int64:
            t = tf.to_int32(t)
        example[name] = t
    return example


ds = tf.data.TFRecordDataset(files).map(decode).batch(32)  # expect: PP201
# --- case: raw bytes of a fixed length
ds = tf.data.FixedLengthRecordDataset(files, 784)
ds = ds.map(lambda x: tf.cast(tf.io.decode_raw(x, tf.uint8), tf.float32) / 255.0)  # expect: PP201
ds = ds.batch(128)
