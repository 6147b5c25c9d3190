"""Post 62161930, first problem: comparing everything with everything gains less than expected.

The items are encoded once, which should leave little work for each pair. But the pipeline looks up the two
encodings of every pair before it makes batches, so that map() calls its function once for each pair. With
batch() first, each call looks up the rows of a whole batch.
"""

import numpy as np
import tensorflow as tf

import ppcase

ITEMS, WIDTH, BATCH = 200, 64, 2000

tf.keras.utils.set_random_seed(19)
codes = tf.constant(np.random.default_rng(19).normal(size=(ITEMS, WIDTH)), tf.float32)
pairs = np.stack([g.ravel() for g in np.meshgrid(*[np.arange(ITEMS)] * 2, indexing="ij")], axis=1)
left, right = tf.keras.Input((WIDTH,)), tf.keras.Input((WIDTH,))
score = tf.keras.layers.Dense(1, activation="sigmoid")(tf.abs(left - right))
head = tf.keras.Model([left, right], score)


def encodings(numbers):
    """Those of the two items of a pair, or of a batch of pairs."""
    return ((tf.gather(codes, numbers[..., 0]), tf.gather(codes, numbers[..., 1])),)


source = tf.data.Dataset.from_tensor_slices(pairs).batch(BATCH).map(encodings)
for _ in ppcase.work():
    similarity = head.predict(source, verbose=0)
ppcase.digest(similarity)
