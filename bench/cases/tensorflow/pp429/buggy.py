"""PP429: the batches are filled in float64.

np.zeros() makes numbers of 64 bits. They are twice as large, and Keras converts them at each step.
"""

import numpy as np
import tensorflow as tf

import ppcase

BATCH, SIDE, STEPS = 32, 160, 20

rng = np.random.default_rng(429)
tf.keras.utils.set_random_seed(429)
photos = rng.integers(255, size=(BATCH, SIDE, SIDE, 3), dtype="uint8")
labels = rng.integers(10, size=BATCH)


def batches():
    """Batches of photos and their labels, without end."""
    while True:
        x = np.zeros((BATCH, SIDE, SIDE, 3))
        for i in range(BATCH):
            x[i] = photos[i]
        yield x / 255, labels


model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(4, 5, 4, activation="relu", input_shape=(SIDE, SIDE, 3)),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10),
])
model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
start = model.get_weights()
for _ in ppcase.work():
    model.set_weights(start)
    model.fit(batches(), steps_per_epoch=STEPS, verbose=0)
ppcase.digest(*model.get_weights())
