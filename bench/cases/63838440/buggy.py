"""Post 63838440: picking an item of a Python list inside a compiled function.

A list of anything can be indexed only by a Python number, and a compiled function takes such an
argument for a constant of the program: a new graph is traced and optimised for every value. A
number in a tensor belongs to the data; one graph holds all the choices and runs the chosen one.
"""

import numpy as np
import tensorflow as tf

import ppcase

tf.keras.utils.set_random_seed(79)
blocks = [tf.keras.Sequential([tf.keras.layers.Dense(32, activation=a), tf.keras.layers.Dense(32)])
          for a in ("relu", "tanh", "elu", "selu", "gelu")]
inputs = tf.constant(np.random.default_rng(79).normal(size=(4, 32)), tf.float32)
for block in blocks:
    block(inputs)


@tf.function
def through(values, number):
    """One block, chosen by the number, applied."""
    return blocks[number % len(blocks)](values)


answers = []
with ppcase.work():
    for step in range(80):
        answers.append(through(inputs, step).numpy())
ppcase.digest(np.stack(answers))
