"""PP413: one thread of Python decodes the photos.

A generator is run by one thread, under the interpreter's lock. The other processors wait.
"""

import os
import tempfile

import cv2
import numpy as np
import tensorflow as tf

import ppcase

ITEMS, SIDE, BATCH, EPOCHS = 256, 160, 32, 2

rng = np.random.default_rng(413)
tf.keras.utils.set_random_seed(413)
folder = tempfile.TemporaryDirectory()
paths = [os.path.join(folder.name, f"{i:04}.png") for i in range(ITEMS)]
for name in paths:
    smooth = np.cumsum(np.cumsum(rng.normal(size=(SIDE, SIDE, 3)), axis=0), axis=1)
    smooth = (smooth - smooth.min()) / (smooth.max() - smooth.min()) * 255
    cv2.imwrite(name, smooth.astype("uint8"))
labels = rng.integers(10, size=ITEMS)


def batches():
    """Batches of photos and their labels, without end."""
    while True:
        for first in range(0, ITEMS, BATCH):
            photos = [cv2.imread(path)[:, :, ::-1] for path in paths[first:first + BATCH]]
            yield np.array(photos, "float32") / 255, labels[first:first + BATCH]


model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(4, 5, 4, activation="relu", input_shape=(SIDE, SIDE, 3)),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10),
])
model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
start = model.get_weights()
for _ in ppcase.work():
    model.set_weights(start)
    model.fit(batches(), steps_per_epoch=ITEMS // BATCH, epochs=EPOCHS, verbose=0)
ppcase.digest(*model.get_weights())
folder.cleanup()
