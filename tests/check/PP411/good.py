import tensorflow as tf
# --- case: once, of the whole tensor
y = tf.py_function(f, [xs], tf.float32)
# --- case: ops alone
y = tf.map_fn(lambda x: tf.strings.substr(x, 0, 3), xs)
# --- case: an image for each element
y = tf.map_fn(lambda x: tf.py_function(draw, [x], tf.uint8), xs)
# --- case: a data set
ds = ds.map(lambda x: tf.py_function(f, [x], tf.float32))
# --- case: Python's map
y = list(map(f, xs))
# --- case: a function that is not known
from lib import one

y = tf.map_fn(one, xs)
# --- case: beside it, not in it
z = tf.py_function(f, [xs], tf.float32)
y = tf.map_fn(lambda x: x + 1, z)
# --- case: no elements
y = tf.map_fn(lambda x: tf.py_function(f, [x], tf.float32))
# --- case: vectorized_map
y = tf.vectorized_map(lambda x: tf.square(x), xs)
# --- case: one of two functions
def a(x):
    return tf.py_function(f, [x], tf.float32)


def run(fn, xs):
    return tf.map_fn(fn, xs)
# --- case: a scan
y = tf.scan(lambda a, x: a + tf.py_function(f, [x], tf.float32), xs)
# --- whole: another library's map_fn
import jax
import tensorflow as tf

y = jax.map_fn(lambda x: tf.py_function(f, [x], tf.float32), xs)
