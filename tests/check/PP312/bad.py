# --- case: counting only notes, where it is a data set
import tensorflow as tf

records = tf.data.TFRecordDataset("x")
n = sum(1 for _ in records)  # expect: PP312 low
m = sum(1 for _ in tf.compat.v1.io.tf_record_iterator("x"))  # expect: PP312 low
k = sum(1 for _ in open("x"))
j = sum(1 for r in records if r)
# --- case: a data set
import tensorflow as tf

ds = tf.data.TFRecordDataset('a')
n = sum(1 for _ in ds)  # expect: PP312 low
# --- case: a list in between
import tensorflow as tf

ds = tf.data.TFRecordDataset('a')
n = sum([1 for _ in ds])  # expect: PP312 low
# --- case: batches
import tensorflow as tf

ds = tf.data.TFRecordDataset('a')
n = sum(1 for batch in ds.batch(32))  # expect: PP312 low
# --- case: the records of a file
import tensorflow as tf

n = sum(1 for r in tf.python_io.tf_record_iterator(path))  # expect: PP312 low
# --- case: tfds
import tensorflow as tf
import tensorflow_datasets as tfds

n = sum(1 for _ in tfds.load('mnist', split='test'))  # expect: PP312 low
# --- case: in a function
import tensorflow as tf


def size(names):
    return sum(1 for _ in tf.data.TextLineDataset(names))  # expect: PP312 low
# --- case: by the name of the parameter
import tensorflow as tf


def size(train_ds):
    return sum(1 for _ in train_ds)  # expect: PP312 low
# --- case: filtered by the pipeline
import tensorflow as tf

ds = tf.data.TFRecordDataset('a')
n = sum(1 for _ in ds.filter(keep))  # expect: PP312 low
# --- case: for each file
import tensorflow as tf

for path in paths:
    n = sum(1 for _ in tf.data.TFRecordDataset(path))  # expect: PP312 low
# --- case: an attribute
import tensorflow as tf


class Data:
    def __init__(self):
        self.ds = tf.data.TFRecordDataset('a')

    def __len__(self):
        return sum(1 for _ in self.ds)  # expect: PP312 low
# --- case: compat.v1
import tensorflow.compat.v1 as tf

n = sum(1 for _ in tf.io.tf_record_iterator(path))  # expect: PP312 low
