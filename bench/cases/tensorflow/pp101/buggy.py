"""PP101: each step inverts the same matrix.

Nothing that the inverse depends on changes in the loop, so every step repeats work that grows with the third
power of the width. Before the loop it is done once.
"""

import numpy as np
import tensorflow as tf

import ppcase

STEPS, BATCH, WIDTH = 60, 16, 200

tf.keras.utils.set_random_seed(101)
rng = np.random.default_rng(101)
rows = tf.constant(rng.normal(size=(STEPS, BATCH, WIDTH)).astype("float32"))
mixed = tf.constant(np.eye(WIDTH, dtype="float32") + 0.01 * rng.normal(size=(WIDTH, WIDTH)).astype("float32"))
dataset = tf.data.Dataset.from_tensor_slices(rows)

for _ in ppcase.work():
    total = 0.0
    for batch in dataset:
        total += tf.reduce_sum(tf.square(batch @ tf.linalg.inv(mixed)))
ppcase.digest(total.numpy())
