"""Post 57395865: what a Lambda layer does with the batch.

The function of a Lambda layer receives a whole batch. map_fn() takes it apart and runs a loop, one
round per example, each with small operations of its own. Most operations know a leading batch
dimension, and so does matmul(): it needs no loop.
"""

import numpy as np
import tensorflow as tf

import ppcase

EXAMPLES = 50000
BATCH = 500
ROWS = 8
WIDTH = 8


def gram(inputs):
    return tf.matmul(inputs, inputs, transpose_b=True)


tf.keras.utils.set_random_seed(0)
examples = np.random.default_rng(0).random((EXAMPLES, ROWS, WIDTH), dtype=np.float32)
model = tf.keras.Sequential([
    tf.keras.layers.Lambda(gram, input_shape=(ROWS, WIDTH)),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(1),
])

model.predict(examples[:BATCH], verbose=0)  # builds the function that predicts

for _ in ppcase.work():
    outputs = model.predict(examples, batch_size=BATCH, verbose=0)

ppcase.digest(outputs)
