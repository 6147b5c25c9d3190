"""Post 55478678: fit() takes the whole data set for one batch and runs out of memory.

fit() does not cut a dataset into batches: each element counts as one. from_tensors() makes a
single element of everything, and the convolution then has to keep its results for all images at
once: 0.5 GB, and as much again on the way back. With batches of 64 it keeps a sixteenth of that.
"""

import numpy as np
import tensorflow as tf

import ppcase
import ppkeras

IMAGES = 1024
BATCH = 64
SIZE = 32

tf.keras.utils.set_random_seed(0)
# Bright and dark images: a single step of training is enough to tell them apart.
labels = np.arange(IMAGES) % 2
images = np.random.default_rng(0).random((IMAGES, SIZE, SIZE, 1), dtype=np.float32)
images += 2 * labels[:, None, None, None] - 1.5
dataset = tf.data.Dataset.from_tensor_slices((images, labels)).batch(BATCH)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(128, 3, padding="same"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1),
])
consumed = ppkeras.watch(model, (SIZE, SIZE, 1))
model.compile(tf.keras.optimizers.SGD(1.0), tf.keras.losses.BinaryCrossentropy(True))

with ppcase.work():
    model.fit(dataset, verbose=0)

# The fix makes more steps of the same images: compared are the classes that were learnt, and what from.
ppcase.digest(model.predict(images[:200], verbose=0)[:, 0] > 0, consumed.number.numpy(),
              consumed.mean(), model.optimizer.learning_rate.numpy())
