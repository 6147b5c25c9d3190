"""Post 62917349: memory grows for no apparent reason.

Each call of predict() on arrays makes a dataset and an iterator, and not all of it goes when the
call ends. A program that asks for predictions in a loop keeps growing. One compiled function that
is called with the array makes nothing that could stay.
"""

import numpy as np
import tensorflow as tf

import ppcase

tf.keras.utils.set_random_seed(59)
model = tf.keras.Sequential([
    tf.keras.layers.Input((16,)),
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.Dense(2),
])
compiled = tf.function(model)
states = np.random.default_rng(59).normal(size=(60, 8, 16)).astype("float32")

values = []
with ppcase.work():
    for state in ppcase.steps(states):
        values.append(model.predict(state, verbose=0))
ppcase.digest(np.concatenate(values))
