"""Post 62034179: random integers below a list of bounds.

tf.random.uniform takes one bound for integers, so each bound gets a call of its own, and the calls
cost far more than the numbers. Uniform numbers in [0, 1) of the right shape, multiplied by the
bounds and rounded down, have the same distribution and need three operations.
"""

import numpy as np
import tensorflow as tf

import ppcase

tf.random.set_seed(17)
bounds = tf.constant(np.random.default_rng(17).integers(100, 100000, 1500), tf.int32)

for _ in ppcase.work():
    for _ in range(1):
        drawn = tf.stack([tf.random.uniform([], 0, b, tf.int32) for b in bounds])
    numbers = drawn.numpy()
share = numbers / bounds.numpy()
ppcase.digest(numbers.shape, numbers.dtype.kind, (share < 0).sum() + (share >= 1).sum(),
              share.mean(), (share ** 2).mean(),
              np.quantile(share, [0.5, 0.75, 0.9]))
