"""Post 61330532: indexing in several dimensions, element by element.

tensor[i, index[i]] in a Python loop runs a slice operation for each i, and each slice costs the
overhead of Python, of checking and of making a tensor. One gather along the batch does it at once.
"""

import numpy as np
import tensorflow as tf

import ppcase

rng = np.random.default_rng(13)
scores = tf.constant(rng.normal(size=(2000, 40, 3)), tf.float32)
choice = tf.constant(rng.integers(0, 40, 2000), tf.int32)

for _ in ppcase.work():
    picked = []
    for _ in range(2):
        picked += [tf.gather(scores, choice, batch_dims=1)]
    result = tf.stack(picked).numpy()
ppcase.digest(result)
