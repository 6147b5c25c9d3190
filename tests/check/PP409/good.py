import tensorflow as tf
# --- case: settings, of which nobody says how many
def loss(self, parts):
    total = 0.0
    for i in range(self.weights["extra"].shape[0]):  # expect: PP409 low
        total += tf.squeeze(parts[i] * self.weights["extra"][i])
    return total
# --- case: a stack along layers
y = tf.stack([tf.matmul(x, w) for w in weights])  # lacks: a part of it is not known to work on a whole tensor as on one element
z = tf.stack([tf.reduce_mean(x) for x in tf.unstack(xs, axis=1)])
u = tf.stack([tf.square(a[i]) for i in range(4)])
# --- case: a loop over the batch that does more
y = tf.stack([decode(x[i], lengths[i]) for i in range(batch_size)])
# --- case: what a round gives goes into the next one
x = tf.zeros([500, 3])
total, last = 0.0, tf.zeros([3])
for i in range(500):
    last = tf.maximum(last, x[i])
    total += tf.reduce_sum(last)
# --- case: tensors in a Python list, of which each may have its own shape
def total_loss(outputs, targets):
    total = 0.0
    for i in range(len(outputs)):
        total += tf.reduce_mean(tf.square(outputs[i] - targets[i]))
    return total


def merged(features, order):
    return tf.stack([features[i] for i in order])
# --- case: a handful of rounds
boxes = tf.zeros([300, 4])
corners = tf.stack([boxes[:, i] for i in (1, 0, 3, 2)], axis=1)
parts = tf.stack([tf.reduce_sum(boxes[:, i]) for i in range(4)])
# --- case: filters, layers, and Python numbers
x = tf.zeros([300, 4])
a = tf.stack([layer(x[i]) for i in range(300)])
b = tf.stack([x[i] for i in range(300) if wanted(i)])
c = tf.stack([x[i] * i for i in range(300)])
# --- case: parts of many sizes, and shapes
parts = tf.stack([tf.reduce_sum(part) for part in tf.dynamic_partition(values, groups, n)])
sizes = tf.shape(values)
group_shape = [sizes[i] for i in range(len(known_shapes))]
group_shape.insert(1, 4)
shape = tf.stack(group_shape)
# --- whole: loops over numpy's arrays
import numpy as np
import tensorflow as tf

total = 0
for i in range(batch_size):
    total += np.sum(x[i]) + y[i] ** 2
for i in range(batch_size):
    total += y[i] ** 2
# --- case: two numbers for each axis
def pad(x, paddings, i):
    return tf.pad(x, tf.map_fn(lambda e: tf.where(i < e, 1, 0), paddings))  # expect: PP408 low
# --- case: the whole tensor
y = tf.nn.softmax(x)
# --- case: a list that is no tensor
y = tf.stack([tf.image.flip_left_right(image) for image in images])
