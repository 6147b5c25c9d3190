"""PP310: the rows of a batch are copied in Python.

A comprehension makes a Python object of each row, for each batch. The array takes all the numbers at once,
and copies the rows in C.
"""

import numpy as np
import tensorflow as tf

import ppcase

ROWS, WIDTH, BATCHES, BATCH = 20000, 32, 40, 1000

rng = np.random.default_rng(310)
codes = np.asarray(rng.normal(size=(ROWS, WIDTH)), "float32")
order = rng.integers(0, ROWS, (BATCHES, BATCH))


def batches():
    """The rows of each batch."""
    for rows in order:
        yield np.array([codes[i] for i in rows])


data = tf.data.Dataset.from_generator(batches, output_signature=tf.TensorSpec([None, WIDTH], tf.float32))
for _ in ppcase.work():
    sums = [tf.reduce_sum(batch, axis=1) for batch in data]
ppcase.digest(tf.concat(sums, 0))
