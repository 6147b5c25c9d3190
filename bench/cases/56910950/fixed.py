"""Post 56910950: predict() in a loop leaks memory, but only with a dataset.

In graph mode every dataset, and every iterator that predict() makes of one, adds operations to the
graph, which nothing takes away again: calls become slower and memory grows. The post met it as a
fault of its library's version, in which predict() with an array was free of it; it still is.
"""

import numpy as np
import tensorflow.compat.v1 as tf

import ppcase

tf.disable_v2_behavior()

CALLS = 40
ROWS = 64
WIDTH = 16

tf.random.set_random_seed(0)
rows = np.random.default_rng(0).random((CALLS, ROWS, WIDTH), dtype=np.float32)
model = tf.keras.Sequential([
    tf.keras.layers.Dense(32, activation="relu", input_shape=(WIDTH,)),
    tf.keras.layers.Dense(1),
])

outputs = []
with ppcase.work():
    for call in ppcase.steps(range(CALLS)):
        outputs.append(model.predict(rows[call], batch_size=ROWS))

ppcase.digest(outputs)
