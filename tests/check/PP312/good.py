
# --- case: reduce
import tensorflow as tf

ds = tf.data.TFRecordDataset('a')
n = ds.reduce(0, lambda n, _: n + 1)
# --- case: cardinality
import tensorflow as tf

ds = tf.data.TFRecordDataset('a')
n = ds.cardinality()
# --- case: a file
import tensorflow as tf

n = sum(1 for _ in open('x'))  # lacks: it is not known to be a tf.data.Dataset
# --- case: some of the elements
import tensorflow as tf

ds = tf.data.TFRecordDataset('a')
n = sum(1 for r in ds if r)
# --- case: a sum of values
import tensorflow as tf

ds = tf.data.TFRecordDataset('a')
n = sum(x for x in ds)
# --- case: a list
import tensorflow as tf

n = sum(1 for _ in names)
# --- case: twos
import tensorflow as tf

ds = tf.data.TFRecordDataset('a')
n = sum(2 for _ in ds)
# --- case: numpy's sum
import numpy as np
import tensorflow as tf

n = np.sum([1 for _ in names])
# --- case: two loops
import tensorflow as tf

ds = tf.data.TFRecordDataset('a')
n = sum(1 for a in ds for b in names)
# --- case: lengths
import tensorflow as tf

ds = tf.data.TFRecordDataset('a')
n = sum(len(x) for x in ds)
# --- case: a sum of another name
import tensorflow as tf

ds = tf.data.TFRecordDataset('a')

def sum(x):
    return 0


n = sum(1 for _ in ds)
# --- case: the elements are used
import tensorflow as tf

ds = tf.data.TFRecordDataset('a')
for x in ds:
    show(x)
