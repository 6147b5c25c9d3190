"""Post 62161930, first problem: comparing everything with everything, pairs made in Python.

The items are encoded once, which should leave little work for each pair. But a Python generator then hands over
the two encodings of every pair, one pair at a time, and each goes from Python to the pipeline by itself. A
dataset of pairs of numbers that gathers the rows of a batch in one operation leaves only the comparison.
"""

import numpy as np
import tensorflow as tf

import ppcase

ITEMS, WIDTH, BATCH = 200, 64, 2000

tf.keras.utils.set_random_seed(19)
codes = np.random.default_rng(19).normal(size=(ITEMS, WIDTH)).astype("float32")
pairs = np.stack([g.ravel() for g in np.meshgrid(*[np.arange(ITEMS)] * 2, indexing="ij")], axis=1)
left, right = tf.keras.Input((WIDTH,)), tf.keras.Input((WIDTH,))
score = tf.keras.layers.Dense(1, activation="sigmoid")(tf.abs(left - right))
head = tf.keras.Model([left, right], score)


def each_pair():
    """The two encodings of one pair after the other."""
    for i, j in pairs:
        yield ((codes[i], codes[j]),)


one = tf.TensorSpec((WIDTH,), tf.float32)
source = tf.data.Dataset.from_generator(each_pair, output_signature=((one, one),)).batch(BATCH)
for _ in ppcase.work():
    similarity = head.predict(source, verbose=0)
ppcase.digest(similarity)
