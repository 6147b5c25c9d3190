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
# --- case: a model
import tensorflow as tf

y = tf.map_fn(lambda x: model(x), images)
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
# --- case: what a round gives goes into the next one
import tensorflow as tf

x = tf.zeros([500, 3])
total, last = 0.0, tf.zeros([3])
for i in range(500):
    last = tf.maximum(last, x[i])
    total += tf.reduce_sum(last)
# --- case: steps of which one takes a single element, or draws numbers
import tensorflow as tf


def distorted(image):
    image = tf.cast(image, tf.float32) / 255.0
    return tf.image.random_brightness(image, 0.2)


def kept(row):
    return tf.reduce_sum(tf.boolean_mask(row, row > 0))


y = tf.map_fn(distorted, images)
z = tf.map_fn(kept, rows)
w = tf.map_fn(lambda s: tf.cast(tf.io.decode_png(s), tf.float32) / 255.0, strings)
# --- case: rows of many lengths
import tensorflow as tf

y = tf.map_fn(lambda r: tf.reduce_sum(r) * 2.0 - r[0], rows,
              fn_output_signature=tf.RaggedTensorSpec([None]))
# --- case: tensors in a Python list, of which each may have its own shape
import tensorflow as tf


def total_loss(outputs, targets):
    total = 0.0
    for i in range(len(outputs)):
        total += tf.reduce_mean(tf.square(outputs[i] - targets[i]))
    return total


def merged(features, order):
    return tf.stack([features[i] for i in order])
# --- case: a handful of rounds
import tensorflow as tf

boxes = tf.zeros([300, 4])
corners = tf.stack([boxes[:, i] for i in (1, 0, 3, 2)], axis=1)
parts = tf.stack([tf.reduce_sum(boxes[:, i]) for i in range(4)])
# --- case: filters, layers, and Python numbers
import tensorflow as tf

x = tf.zeros([300, 4])
a = tf.stack([layer(x[i]) for i in range(300)])
b = tf.stack([x[i] for i in range(300) if wanted(i)])
c = tf.stack([x[i] * i for i in range(300)])
# --- case: a variable is set as a whole, or once
import tensorflow as tf

v = tf.Variable(tf.zeros([100]))
for step in range(1000):
    v.assign(tf.ones([100]) * step)
    v[3].assign(1.0)
for step in range(1000):
    low = draw(step)
    v[step, low:low + 10].assign(tf.ones([10]))
# --- case: parts of many sizes, and shapes
import tensorflow as tf

parts = tf.stack([tf.reduce_sum(part) for part in tf.dynamic_partition(values, groups, n)])
sizes = tf.shape(values)
group_shape = [sizes[i] for i in range(len(known_shapes))]
group_shape.insert(1, 4)
shape = tf.stack(group_shape)
# --- case: loops over numpy's arrays
import numpy as np
import tensorflow as tf

total = 0
for i in range(batch_size):
    total += np.sum(x[i]) + y[i] ** 2
for i in range(batch_size):
    total += y[i] ** 2
