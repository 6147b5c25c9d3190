# --- case: images are standardised one by one
import tensorflow as tf

y = tf.map_fn(tf.image.per_image_standardization, images)  # expect: PP408
# --- case: in a lambda
import tensorflow.compat.v1 as tf


def prepare(images):
    return tf.map_fn(lambda image: tf.image.resize_images(image, [3, 3]), images)  # expect: PP408
# --- case: a function that only returns
from tensorflow import map_fn, image


def flip(x):
    """Mirrors an image."""
    return image.flip_left_right(x)


y = map_fn(flip, images)  # expect: PP408
# --- case: arithmetic
import tensorflow as tf

y = tf.map_fn(lambda x: x * 2.0 + 1.0, x)  # expect: PP408
# --- case: element-wise ops
import tensorflow as tf

y = tf.map_fn(lambda x: tf.math.log(tf.maximum(x, 1e-6)) / 3, x, dtype=tf.float32)  # expect: PP408
# --- case: matmul with the same matrix
import tensorflow as tf

y = tf.map_fn(lambda x: tf.matmul(x, w), xs)  # expect: PP408
# --- case: pairs
import tensorflow as tf

y = tf.map_fn(lambda p: tf.matmul(p[0], p[1]), (a, b), fn_output_signature=tf.float32)  # expect: PP408
z = tf.map_fn(lambda p: p[0] * p[1], [a, b], dtype=tf.float32)  # expect: PP408
# --- case: gather from pairs
import tensorflow as tf

rows = tf.map_fn(lambda p: tf.gather(p[0], p[1]), (params, ids), dtype=tf.float32)  # expect: PP408
# --- case: a sum over each row
import tensorflow as tf

sums = tf.map_fn(fn=lambda row: tf.reduce_sum(row), elems=rows)  # expect: PP408
# --- case: Keras' backend
import keras.backend as K
import tensorflow as tf

y = K.map_fn(lambda x: tf.square(x), x)  # expect: PP408
# --- case: a stack of what a loop over the batch gives
import tensorflow as tf

y = tf.stack([tf.matmul(a[i], b[i]) for i in range(batch_size)])  # expect: PP408
# --- case: over what was unstacked
import tensorflow as tf

y = tf.stack([tf.image.per_image_standardization(x) for x in tf.unstack(images)])  # expect: PP408
# --- case: cast by name
import tensorflow as tf


class Layer(tf.keras.layers.Layer):
    def call(self, inputs):
        return tf.map_fn(lambda t: tf.cast(t, tf.float32), inputs, tf.float32)  # expect: PP408
