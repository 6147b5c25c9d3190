"""PP433: predict() for the batch of each step.

A GAN trains its critic on what its generator makes. Each call of predict() makes a data set, an iterator and
callbacks for one batch; a call of the model begins at once.
"""

import numpy as np
import tensorflow as tf

import ppcase

STEPS, BATCH = 60, 64

tf.keras.utils.set_random_seed(433)
generator = tf.keras.Sequential([
    tf.keras.layers.Dense(128, activation="relu", input_shape=(32,)),
    tf.keras.layers.Dense(64),
])
critic = tf.keras.Sequential([
    tf.keras.layers.Dense(128, activation="relu", input_shape=(64,)),
    tf.keras.layers.Dense(1),
])
critic.compile(optimizer="sgd", loss="mse")
rng = np.random.default_rng(433)
noises = rng.normal(size=(STEPS, BATCH, 32)).astype("float32")
zeros = np.zeros((BATCH, 1), "float32")
first = critic.get_weights()

for _ in ppcase.work():
    critic.set_weights(first)
    losses = []
    for noise in noises:
        fakes = generator(noise, training=False)
        losses.append(critic.train_on_batch(fakes, zeros))
ppcase.digest(np.array(losses))
