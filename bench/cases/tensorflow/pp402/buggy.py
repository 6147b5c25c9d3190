"""PP402: the answers of all batches are joined one by one.

concat() makes a new tensor and copies all that came before, so that the work grows with the square
of the rounds. A list of the parts is joined once.
"""

import numpy as np
import tensorflow as tf

import ppcase

BATCHES, ROWS, WIDTH = 500, 100, 64

rng = np.random.default_rng(402)
inputs = rng.normal(size=(BATCHES * ROWS, 16)).astype("float32")
weights = tf.constant(rng.normal(size=(16, WIDTH)), tf.float32)
dataset = tf.data.Dataset.from_tensor_slices(inputs).batch(ROWS).prefetch(2)
none = tf.zeros([0, WIDTH])


@tf.function
def model(batch):
    return tf.tanh(batch @ weights)


def answers():
    """Those of the model to all batches."""
    outputs = none
    for batch in dataset:
        outputs = tf.concat([outputs, model(batch)], axis=0)
    return outputs


for _ in ppcase.work():
    result = answers()
ppcase.digest(result)
