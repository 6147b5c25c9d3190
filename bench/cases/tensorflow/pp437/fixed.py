"""PP437: the rows of one batch are drawn alone.

The generator draws as many rows as are asked for.
"""

import numpy as np
import tensorflow as tf

import ppcase

ROWS, WIDTH, BATCH, STEPS = 1000000, 4, 64, 50

rng = np.random.default_rng(437)
tf.keras.utils.set_random_seed(437)
memory = np.ones((ROWS, WIDTH), "float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.train_on_batch(memory[:BATCH], memory[:BATCH, :1])
start = model.get_weights()
for _ in ppcase.work():
    model.set_weights(start)
    for step in range(STEPS):
        rows = rng.choice(len(memory), BATCH, replace=False)
        model.train_on_batch(memory[rows], memory[rows, :1])
ppcase.digest(*model.get_weights())
