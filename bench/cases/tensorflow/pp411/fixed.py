"""PP411: one call of Python takes the whole batch.

The loop over its texts is inside.
"""

import numpy as np
import tensorflow as tf

import ppcase

BATCHES, BATCH, WORDS = 100, 100, 8

rng = np.random.default_rng(411)
NUMBERS = {f"word{i}": i for i in range(1000)}
texts = [[" ".join(f"word{i}" for i in row) for row in batch] for batch in rng.integers(1000, size=(BATCHES, BATCH, WORDS))]


def numbers_of(text):
    """The number of each word of a text."""
    return np.array([NUMBERS[word] for word in text.decode().split()], "int64")


@tf.function
def encoded(batch):
    """The numbers of all texts of a batch."""
    return tf.numpy_function(lambda whole: np.stack([numbers_of(text) for text in whole]), [batch], tf.int64)


for _ in ppcase.work():
    found = [encoded(tf.constant(batch)) for batch in texts]
ppcase.digest(tf.concat(found, 0))
