"""Post 62917349: predict() in a loop.

Each call of predict() on arrays makes a dataset and an iterator, which takes longer than a small model. In
the post's release memory grew as well. One compiled function that is called with the array makes neither.
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

for _ in ppcase.work():
    values = []
    for state in states:
        values.append(compiled(tf.constant(state)).numpy())
ppcase.digest(np.concatenate(values))
