"""Post 61596119: fitting several models in a row fills the memory.

Keras keeps one graph and one session for everything that the program builds. A search over
settings that builds model after model leaves each one's weights, slots of the optimizer and
operations in there. Clearing the session gives them back before the next model comes.
"""

import numpy as np
import tensorflow.compat.v1 as tf

import ppcase

tf.disable_v2_behavior()
keras = tf.keras

rng = np.random.default_rng(29)
inputs = rng.normal(size=(32, 1000)).astype("float32")
targets = rng.normal(size=(32, 1)).astype("float32")


def fit(rate):
    """The loss of a wide model after one epoch at one learning rate."""
    tf.set_random_seed(29)
    model = keras.Sequential([
        keras.layers.Dense(2000, activation="relu", input_shape=(1000,),
                           kernel_initializer=keras.initializers.RandomNormal(0, 0.02, seed=1)),
        keras.layers.Dense(1, kernel_initializer=keras.initializers.RandomNormal(0, 0.02, seed=2)),
    ])
    model.compile(keras.optimizers.Adam(rate), "mse")
    model.fit(inputs, targets, batch_size=32, epochs=1, shuffle=False, verbose=0)
    return model.evaluate(inputs, targets, batch_size=32, verbose=0)


losses = []
with ppcase.work():
    for step in ppcase.steps(range(10)):
        losses.append(fit(0.0001 * (step + 1)))
ppcase.digest(losses)
