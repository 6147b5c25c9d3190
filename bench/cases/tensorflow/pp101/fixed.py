"""PP101: the inverse is computed once, before the loop."""

import numpy as np
import tensorflow as tf

import ppcase

STEPS, BATCH, WIDTH = 60, 16, 200

tf.keras.utils.set_random_seed(101)
rng = np.random.default_rng(101)
rows = tf.constant(rng.normal(size=(STEPS, BATCH, WIDTH)).astype("float32"))
mixed = tf.constant(np.eye(WIDTH, dtype="float32") + 0.01 * rng.normal(size=(WIDTH, WIDTH)).astype("float32"))
inverse = tf.linalg.inv(mixed)
dataset = tf.data.Dataset.from_tensor_slices(rows)

for _ in ppcase.work():
    total = 0.0
    for batch in dataset:
        total += tf.reduce_sum(tf.square(batch @ inverse))
ppcase.digest(total.numpy())
