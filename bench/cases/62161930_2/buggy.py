"""Post 62161930_2: the encodings are precomputed, yet the work for each pair stays large.

A dense layer on the two encodings side by side is W [a, b] + c = Wa a + Wb b + c. Applied to
every pair it multiplies matrices n * n times; Wa a and Wb b depend on one item only, so n times
each suffice, and an addition for each pair.
"""

import numpy as np
import tensorflow as tf

import ppcase

ITEMS, WIDTH, HIDDEN = 400, 512, 128

rng = np.random.default_rng(23)
codes = tf.constant(rng.normal(size=(ITEMS, WIDTH)), tf.float32)
kernel = tf.constant(rng.normal(size=(2 * WIDTH, HIDDEN)) / 32, tf.float32)
bias = tf.constant(rng.normal(size=HIDDEN), tf.float32)
last = tf.constant(rng.normal(size=(HIDDEN, 1)) / 8, tf.float32)


@tf.function
def compare(one, others):
    """Scores of one item against all the others."""
    both = tf.concat([tf.repeat(one[tf.newaxis], ITEMS, axis=0), others], axis=1)
    hidden = tf.matmul(both, kernel) + bias
    return tf.sigmoid(tf.matmul(tf.nn.relu(hidden), last))


with ppcase.work():
    lefts, rights = codes, codes
    scores = np.stack([compare(lefts[i], rights).numpy() for i in range(ITEMS)])
ppcase.digest(scores)
