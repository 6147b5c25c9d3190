"""Post 57354698: a Python loop with an `if` inside, over the elements of a tensor.

Each element costs a slice, a comparison that Python waits for, and an addition: thousands of tiny
operations. A condition on each element is what where() is for: both branches are computed for the
whole tensor, and it takes from one or the other.
"""

import numpy as np
import tensorflow as tf

import ppcase

ELEMENTS = 4000

values = tf.constant(np.random.default_rng(0).normal(size=ELEMENTS))

for _ in ppcase.work():
    total = tf.reduce_sum(tf.where(values > 0.5, values ** 2, tf.abs(values)))
    total = total.numpy()

ppcase.digest(total)
