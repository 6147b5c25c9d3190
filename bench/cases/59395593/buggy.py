"""Post 59395593: a map_fn() within a map_fn() is slow.

Each round of either loop is scheduled for itself and works on one pair of rows, a handful of
numbers. Given one dimension more each, the two tables are broadcast against each other, and a few
operations do what took thousands of rounds.
"""

import numpy as np
import tensorflow.compat.v1 as tf

import ppcase

tf.disable_v2_behavior()

STEPS = 8
ROWS = 150
WIDTH = 16

rng = np.random.default_rng(0)
pairs = rng.random((STEPS, 2, ROWS, WIDTH), dtype=np.float32)
left = tf.placeholder(tf.float32, [ROWS, WIDTH])
right = tf.placeholder(tf.float32, [ROWS, WIDTH])
overlap = tf.map_fn(
    lambda a: tf.map_fn(lambda b: tf.reduce_sum(tf.minimum(a, b)), right), left)

with tf.Session() as session:
    for _ in ppcase.work():
        overlaps = []
        for one, other in pairs:
            overlaps.append(session.run(overlap, {left: one, right: other}))

ppcase.digest(overlaps)
