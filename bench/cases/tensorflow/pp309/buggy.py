"""PP309: the rows of an array go through a generator.

Each row goes from Python to the pipeline by a call of its own, under the interpreter's lock.
from_tensor_slices() takes the array apart without Python.
"""

import numpy as np
import tensorflow as tf

import ppcase

ROWS, WIDTH, BATCH = 6000, 32, 200

rows = np.asarray(np.random.default_rng(309).normal(size=(ROWS, WIDTH)), "float32")


def each_row():
    """The rows of the array."""
    for i in range(len(rows)):
        yield rows[i]


data = tf.data.Dataset.from_generator(each_row, output_signature=tf.TensorSpec([WIDTH], tf.float32)).batch(BATCH)
for _ in ppcase.work():
    sums = [tf.reduce_sum(batch, axis=1) for batch in data]
ppcase.digest(tf.concat(sums, 0))
