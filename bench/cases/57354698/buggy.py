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
    total = tf.constant(0.0, tf.float64)
    for i in range(ELEMENTS):
        if values[i] > 0.5:
            total += values[i] ** 2
        else:
            total += tf.abs(values[i])
    total = total.numpy()

ppcase.digest(total)
