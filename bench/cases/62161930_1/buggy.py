"""Post 62161930, first problem: comparing everything with everything, pairs made in Python.

The items are encoded once, which should leave little work for each pair. But a Python sequence then
copies the two encodings of every pair row by row, and that is what takes the time. A dataset of
pairs of numbers that gathers the rows of a batch in one operation leaves only the comparison.
"""

import numpy as np
import tensorflow as tf

import ppcase

ITEMS, WIDTH, BATCH = 1000, 64, 5000

tf.keras.utils.set_random_seed(19)
codes = np.random.default_rng(19).normal(size=(ITEMS, WIDTH)).astype("float32")
pairs = np.stack([g.ravel() for g in np.meshgrid(*[np.arange(ITEMS)] * 2, indexing="ij")], axis=1)
left, right = tf.keras.Input((WIDTH,)), tf.keras.Input((WIDTH,))
score = tf.keras.layers.Dense(1, activation="sigmoid")(tf.abs(left - right))
head = tf.keras.Model([left, right], score)


class Pairs(tf.keras.utils.Sequence):
    """Batches of encodings, copied pair by pair."""

    def __len__(self):
        return len(pairs) // BATCH

    def __getitem__(self, n):
        rows = pairs[n * BATCH:(n + 1) * BATCH]
        return (np.array([codes[i] for i, _ in rows]), np.array([codes[j] for _, j in rows])),


source = Pairs()
with ppcase.work():
    similarity = head.predict(source, verbose=0)
ppcase.digest(similarity)
