
# --- case: once, of the whole tensor
import tensorflow as tf

y = tf.py_function(f, [xs], tf.float32)
# --- case: ops alone
import tensorflow as tf

y = tf.map_fn(lambda x: tf.strings.substr(x, 0, 3), xs)
# --- case: an image for each element
import tensorflow as tf

y = tf.map_fn(lambda x: tf.py_function(draw, [x], tf.uint8), xs)
# --- case: a data set
import tensorflow as tf

ds = ds.map(lambda x: tf.py_function(f, [x], tf.float32))
# --- case: Python's map
import tensorflow as tf

y = list(map(f, xs))
# --- case: a function that is not known
import tensorflow as tf
from lib import one

y = tf.map_fn(one, xs)
# --- case: beside it, not in it
import tensorflow as tf

z = tf.py_function(f, [xs], tf.float32)
y = tf.map_fn(lambda x: x + 1, z)
# --- case: no elements
import tensorflow as tf

y = tf.map_fn(lambda x: tf.py_function(f, [x], tf.float32))
# --- case: vectorized_map
import tensorflow as tf

y = tf.vectorized_map(lambda x: tf.square(x), xs)
# --- case: one of two functions
import tensorflow as tf


def a(x):
    return tf.py_function(f, [x], tf.float32)


def run(fn, xs):
    return tf.map_fn(fn, xs)
# --- case: a scan
import tensorflow as tf

y = tf.scan(lambda a, x: a + tf.py_function(f, [x], tf.float32), xs)
# --- case: another library's map_fn
import jax
import tensorflow as tf

y = jax.map_fn(lambda x: tf.py_function(f, [x], tf.float32), xs)
