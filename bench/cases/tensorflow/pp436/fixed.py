"""PP436: one iterator gives all batches.

The pipeline is built once, and the shuffle buffer is filled once.
"""

import numpy as np
import tensorflow as tf

import ppcase

ITEMS, WIDTH, BATCH, STEPS = 4000, 64, 64, 60

rng = np.random.default_rng(436)
rows = np.ones((ITEMS, WIDTH), "float32") * rng.normal()
data = tf.data.Dataset.from_tensor_slices(rows).shuffle(ITEMS, seed=436).batch(BATCH, drop_remainder=True).repeat()
for _ in ppcase.work():
    batches = iter(data)
    means = []
    for step in range(STEPS):
        means.append(tf.reduce_mean(next(batches)))
ppcase.digest(tf.stack(means))
