"""Post 54634884: training with steps_per_epoch is extremely slow.

One step trains on one batch, not on one example. With as many steps as there are examples, every
epoch goes through the data as often as a batch has examples: 32 epochs' work is called one epoch.
"""

import numpy as np
import tensorflow as tf

import ppcase
import ppkeras

EXAMPLES = 3200
BATCH = 32
EPOCHS = 1
STEPS = EXAMPLES // BATCH

tf.keras.utils.set_random_seed(0)
# Two clouds of points, far apart: one epoch is enough to tell them from each other.
labels = np.arange(EXAMPLES) % 2
points = np.random.default_rng(0).normal(labels[:, None] * 4 - 2, 0.5, (EXAMPLES, 32))
dataset = tf.data.Dataset.from_tensor_slices((points, labels)).batch(BATCH).repeat()

model = tf.keras.Sequential([
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(1),
])
consumed = ppkeras.watch(model, (32,))
model.compile(tf.keras.optimizers.Adam(0.01), tf.keras.losses.BinaryCrossentropy(True))

model.fit(dataset, steps_per_epoch=1, verbose=0)  # builds the training function

consumed.forget()
with ppcase.work():
    model.fit(dataset, steps_per_epoch=STEPS, epochs=EPOCHS, verbose=0)

# By the mistake one model sees every point more often: compared are the classes that they learnt, and
# what from, which is the same mean of points.
ppcase.digest(model.predict(points, verbose=0)[:, 0] > 0, consumed.mean(),
              model.optimizer.learning_rate.numpy())
