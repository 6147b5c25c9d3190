"""Post 54275734: a set of images that is too large for memory.

Loaded as one array of floats, the images need four times the bytes of their files, and fit() makes
a copy of the array besides. A Sequence hands fit() one batch at a time; only that is in memory.
"""

import os
import tempfile

import numpy as np
import tensorflow as tf

import ppcase
import ppkeras

IMAGES = 512
BATCH = 16
SIZE = 192


def load(folder, numbers):
    images = [np.load(os.path.join(folder, f"{n}.npy")) for n in numbers]
    return np.stack(images).astype(np.float32) / 255, numbers % 2


class Batches(tf.keras.utils.Sequence):
    def __init__(self, folder):
        self.folder = folder

    def __len__(self):
        return IMAGES // BATCH

    def __getitem__(self, index):
        return load(self.folder, np.arange(index * BATCH, (index + 1) * BATCH))


def write_images(folder):
    rng = np.random.default_rng(0)
    for n in range(IMAGES):
        image = rng.integers(0, 128, (SIZE, SIZE, 3), dtype=np.uint8) + np.uint8(n % 2 * 64)
        np.save(os.path.join(folder, f"{n}.npy"), image)


tf.keras.utils.set_random_seed(0)
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(4, 5, strides=4, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1),
])
consumed = ppkeras.watch(model, (SIZE, SIZE, 3))
model.compile("sgd", tf.keras.losses.BinaryCrossentropy(from_logits=True))

with tempfile.TemporaryDirectory() as folder:
    write_images(folder)
    with ppcase.work():
        history = model.fit(Batches(folder), shuffle=False, verbose=0)

ppcase.digest(history.history["loss"], *model.get_weights(),
              consumed.number.numpy(), consumed.batch.numpy(), consumed.mean())
