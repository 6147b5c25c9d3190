"""PP415: run_eagerly is left on.

Keras compiles the step of fit() to a graph. With run_eagerly=True Python starts each op of each step.
"""

import numpy as np
import tensorflow as tf

import ppcase

ROWS, BATCH, WIDTH = 2400, 16, 20

tf.keras.utils.set_random_seed(415)
rng = np.random.default_rng(415)
values = rng.normal(size=(ROWS, WIDTH)).astype("float32")
targets = rng.normal(size=(ROWS, 1)).astype("float32")
model = tf.keras.Sequential([
    tf.keras.layers.Dense(32, activation="relu", input_shape=(WIDTH,)),
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.Dense(1),
])
model.compile(optimizer="sgd", loss="mse")
start = model.get_weights()
for _ in ppcase.work():
    model.set_weights(start)
    model.fit(values, targets, batch_size=BATCH, shuffle=False, verbose=0)
ppcase.digest(*model.get_weights())
