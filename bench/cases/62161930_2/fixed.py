"""Post 62161930, second problem: encodings are precomputed, yet each pair takes much work.

A dense layer on the two encodings side by side is W [a, b] + c = Wa a + Wb b + c. Applied to
every pair it multiplies matrices n * n times; Wa a and Wb b depend on one item only, so n times
each suffice, and an addition for each pair.
"""

import numpy as np
import tensorflow as tf

import ppcase

ITEMS, WIDTH, HIDDEN, BATCH = 400, 1024, 128, 10

rng = np.random.default_rng(23)
codes = tf.constant(rng.normal(size=(ITEMS, WIDTH)), tf.float32)
kernel = tf.constant(rng.normal(size=(2 * WIDTH, HIDDEN)) / 45, tf.float32)
bias = tf.constant(rng.normal(size=HIDDEN), tf.float32)
last = tf.constant(rng.normal(size=(HIDDEN, 1)) / 8, tf.float32)


@tf.function
def compare(some, all_items):
    """Scores of BATCH items against every item."""
    hidden = some[:, tf.newaxis] + all_items[tf.newaxis] + bias
    return tf.sigmoid(tf.tensordot(tf.nn.relu(hidden), last, 1))


for _ in ppcase.work():
    lefts, rights = tf.matmul(codes, kernel[:WIDTH]), tf.matmul(codes, kernel[WIDTH:])
    scores = np.concatenate([compare(lefts[i:i + BATCH], rights).numpy()
                             for i in range(0, ITEMS, BATCH)])
ppcase.digest(scores)
