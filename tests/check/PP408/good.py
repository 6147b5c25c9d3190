# --- case: the whole batch
import tensorflow as tf

y = tf.image.per_image_standardization(images)
# --- case: decoding works on one string
import tensorflow as tf

y = tf.map_fn(lambda s: tf.io.decode_jpeg(s), strings, dtype=tf.uint8)
z = tf.map_fn(tf.image.decode_png, strings, dtype=tf.uint8)
# --- case: each image draws its own numbers
import tensorflow as tf

y = tf.map_fn(lambda x: tf.image.random_flip_left_right(x), images)
z = tf.map_fn(tf.image.random_hue, images)
# --- case: several steps
import tensorflow as tf


def crop(x):
    box = find(x)
    return tf.slice(x, box[0], box[1])


y = tf.map_fn(crop, images)
# --- case: a captured tensor of unknown shape broadcasts otherwise
import tensorflow as tf


def add(x, other):
    return tf.map_fn(lambda row: row + other, x)
# --- case: a part of each element
import tensorflow as tf

y = tf.map_fn(lambda x: x[0] * 2, x)
z = tf.map_fn(lambda p: tf.gather(p, p[0]), x)
# --- case: a model
import tensorflow as tf

y = tf.map_fn(lambda x: model(x), images)
# --- case: control flow
import tensorflow as tf

y = tf.map_fn(lambda x: tf.cond(x > 0, lambda: x, lambda: -x), x)
# --- case: matrix product by operator, slices
import tensorflow as tf

y = tf.map_fn(lambda x: x @ x[::-1], x)
z = tf.map_fn(lambda x: tf.reduce_sum(x[1:]), x)
# --- case: vectorized already
import tensorflow as tf

y = tf.vectorized_map(lambda x: tf.matmul(x, w), xs)
# --- case: lengths that differ
import tensorflow as tf

y = tf.map_fn(lambda p: tf.reduce_sum(p[0][: p[1]]), (x, lengths), dtype=tf.float32)
# --- case: a stack along layers
import tensorflow as tf

y = tf.stack([tf.matmul(x, w) for w in weights])
z = tf.stack([tf.reduce_mean(x) for x in tf.unstack(xs, axis=1)])
u = tf.stack([tf.square(a[i]) for i in range(4)])
# --- case: a loop over the batch that does more
import tensorflow as tf

y = tf.stack([decode(x[i], lengths[i]) for i in range(batch_size)])
z = tf.stack([tf.matmul(x[i], x[i - 1]) for i in range(1, batch_size)], axis=1)
# --- case: no TensorFlow
import jax

y = jax.lax.map(lambda x: x * 2, x)
w = map_fn(lambda x: x * 2, x)
# --- case: an identity
import tensorflow as tf

y = tf.map_fn(lambda x: x, x)
# --- case: in a test
x = 1
# --- file: tests/test_map.py
import tensorflow as tf


def test_map(x):
    return tf.map_fn(lambda v: v * 2, x)  # expect: PP408 note
# --- case: one of several functions
import tensorflow as tf


def flip(images, axis, is_random, other):
    if axis == 0:
        method = tf.image.flip_left_right if not is_random else tf.image.random_flip_left_right
    else:
        method = tf.image.flip_up_down
    return tf.map_fn(method, images), tf.map_fn(other, images)


flip(x, 0, True, tf.square)
