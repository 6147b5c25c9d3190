"""PP434: a target network follows its model through NumPy at every step.

get_weights() copies each weight to the host, and set_weights() copies each back. Assignments in a tf.function stay where
the weights are.
"""

import numpy as np
import tensorflow as tf

import ppcase

STEPS, TAU = 60, 0.01

tf.keras.utils.set_random_seed(434)


def network():
    layers = [tf.keras.layers.Dense(1024, activation="relu", input_shape=(8,))]
    layers += [tf.keras.layers.Dense(1024, activation="relu") for _ in range(3)]
    return tf.keras.Sequential(layers + [tf.keras.layers.Dense(4)])


model, target = network(), network()
model.compile(optimizer=tf.keras.optimizers.SGD(0.01), loss="mse")
rng = np.random.default_rng(434)
states = rng.normal(size=(STEPS, 8, 8)).astype("float32")
values = rng.normal(size=(STEPS, 8, 4)).astype("float32")


def follow():
    weights = [TAU * w + (1 - TAU) * t for w, t in zip(model.get_weights(), target.get_weights())]
    target.set_weights(weights)


for _ in ppcase.work():
    for x, y in zip(states, values):
        model.train_on_batch(x, y)
        follow()
ppcase.digest(np.concatenate([w.ravel() for w in target.get_weights()]))
