"""PP305: a data set is made anew in each epoch.

Each epoch copies the arrays into tensors again, traces the function of map() and computes what the
cache had kept. A data set can be iterated over as often as wanted.
"""

import numpy as np
import tensorflow as tf

import ppcase

EPOCHS, ROWS, WIDTH, BATCH = 8, 6000, 64, 500

rng = np.random.default_rng(305)
values = rng.normal(size=(ROWS, WIDTH)).astype("float32")
targets = rng.normal(size=(ROWS, 1)).astype("float32")
weights = tf.Variable(tf.zeros([WIDTH, 1]))


def prepare(some, wanted):
    """The rows, less what is in their middle."""
    ordered = tf.sort(some, axis=1)
    middle = tf.reduce_mean(ordered[:, WIDTH // 4:-WIDTH // 4], axis=1, keepdims=True)
    return (some - middle) / (1 + tf.abs(ordered[:, :1])), wanted


@tf.function
def train_step(some, wanted):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(some @ weights - wanted))
    weights.assign_sub(0.01 * tape.gradient(loss, weights))


with ppcase.work():
    dataset = tf.data.Dataset.from_tensor_slices((values, targets))
    dataset = dataset.batch(BATCH).map(prepare, num_parallel_calls=2).cache().prefetch(2)
    for epoch in range(EPOCHS):
        for some, wanted in dataset:
            train_step(some, wanted)
ppcase.digest(weights)
