"""Post 66441843: one call of predict() for each observation.

An agent asks its network for one answer at a time. predict() would be right for many samples at
once; for one it spends its time on making a dataset. Calling the model does only the arithmetic.
"""

import numpy as np
import tensorflow as tf

import ppcase

tf.keras.utils.set_random_seed(11)
model = tf.keras.Sequential([
    tf.keras.layers.Input((12, 12, 3)),
    tf.keras.layers.Conv2D(8, 3, activation="relu"),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.Dense(5),
])
frames = np.random.default_rng(11).random((50, 1, 12, 12, 3)).astype("float32")

scores = []
with ppcase.work():
    for frame in frames:
        scores.append(model.predict(frame, verbose=0))
ppcase.digest(np.concatenate(scores))
