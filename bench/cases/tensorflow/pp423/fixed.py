"""PP423: fit() for each batch.

Each call of fit() makes a data set, an iterator, callbacks and a history, for a step that takes less than
they do. train_on_batch() does the step alone.
"""

import numpy as np
import tensorflow as tf

import ppcase

BATCHES, ROWS = 30, 8

tf.keras.utils.set_random_seed(423)
rng = np.random.default_rng(423)
minibatches = [(rng.normal(size=(ROWS, 6)).astype("float32"), rng.normal(size=(ROWS, 2)).astype("float32"))
               for _ in range(BATCHES)]
model = tf.keras.Sequential([
    tf.keras.layers.Dense(24, activation="relu", input_shape=(6,)),
    tf.keras.layers.Dense(2),
])
model.compile("sgd", "mse")
start = model.get_weights()
for _ in ppcase.work():
    model.set_weights(start)
    for states, targets in minibatches:
        model.train_on_batch(states, targets)
ppcase.digest(*model.get_weights())
