"""PP436: an iterator is made for each batch.

Each one builds the pipeline again and fills the shuffle buffer, of which one batch is taken.
"""

import numpy as np
import tensorflow as tf

import ppcase

ITEMS, WIDTH, BATCH, STEPS = 4000, 64, 64, 60

rng = np.random.default_rng(436)
rows = np.ones((ITEMS, WIDTH), "float32") * rng.normal()
data = tf.data.Dataset.from_tensor_slices(rows).shuffle(ITEMS, seed=436).batch(BATCH, drop_remainder=True).repeat()
for _ in ppcase.work():
    means = []
    for step in range(STEPS):
        means.append(tf.reduce_mean(next(iter(data))))
ppcase.digest(tf.stack(means))
