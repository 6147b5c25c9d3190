"""Post 66441843: predict() takes far too long.

predict() cuts its input into batches, and each costs a call of the compiled function and a walk through
the callbacks. With batch_size=1 every small frame is a batch of its own, so that this is nearly all of the
time. The same call with batches of hundreds does the same arithmetic in a few steps.
"""

import numpy as np
import tensorflow as tf

import ppcase

FRAMES = 1500

tf.keras.utils.set_random_seed(11)
model = tf.keras.Sequential([
    tf.keras.layers.Input((12, 12, 3)),
    tf.keras.layers.Conv2D(8, 3, activation="relu"),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.Dense(5),
])
frames = np.random.default_rng(11).random((FRAMES, 12, 12, 3)).astype("float32")

for _ in ppcase.work():
    scores = model.predict(frames, batch_size=250, verbose=0)
ppcase.digest(scores)
