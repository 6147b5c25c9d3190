"""Post 63258249: memory grows in spite of clear_session().

Every model that is built, compiled and fitted leaves traced functions and other things behind, of
which clear_session() frees only a part. If all turns use the same model, there is no need to build
it anew: its weights can be set back to how they began.
"""

import numpy as np
import tensorflow as tf

import ppcase

rng = np.random.default_rng(71)
inputs = rng.normal(size=(64, 20)).astype("float32")
targets = rng.normal(size=(64, 1)).astype("float32")


def built():
    """A small model with always the same first weights."""
    tf.keras.utils.set_random_seed(71)
    layers = [tf.keras.layers.Dense(32, activation="relu") for _ in range(3)]
    network = tf.keras.Sequential([tf.keras.layers.Input((20,)), *layers, tf.keras.layers.Dense(1)])
    network.compile("sgd", "mse")
    return network


losses = []
model = built()
first = model.get_weights()
with ppcase.work():
    for step in ppcase.steps(range(12)):
        tf.keras.backend.clear_session()
        model = built()
        fitted = model.fit(inputs * (step + 1) / 12, targets, shuffle=False, verbose=0)
        losses.append(fitted.history["loss"][0])
ppcase.digest(losses, *model.get_weights())
