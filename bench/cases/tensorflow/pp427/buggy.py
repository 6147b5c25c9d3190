"""PP427: all photos are decoded one after the other, into a list.

One processor decodes all of them before the first step, and all of them stay in memory.
"""

import os
import tempfile

import cv2
import numpy as np
import tensorflow as tf

import ppcase

ITEMS, SIDE, BATCH = 256, 160, 32

rng = np.random.default_rng(427)
tf.keras.utils.set_random_seed(427)
folder = tempfile.TemporaryDirectory()
paths = [os.path.join(folder.name, f"{i:04}.png") for i in range(ITEMS)]
for name in paths:
    smooth = np.cumsum(np.cumsum(rng.normal(size=(SIDE, SIDE, 3)), axis=0), axis=1)
    smooth = (smooth - smooth.min()) / (smooth.max() - smooth.min()) * 255
    cv2.imwrite(name, smooth.astype("uint8"))
labels = rng.integers(10, size=ITEMS)


def load_all():
    """All photos."""
    photos = []
    for path in paths:
        photos.append(cv2.imread(path)[:, :, ::-1])
    return np.array(photos, "float32") / 255


model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(4, 5, 4, activation="relu", input_shape=(SIDE, SIDE, 3)),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10),
])
model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
start = model.get_weights()
for _ in ppcase.work():
    model.set_weights(start)
    model.fit(load_all(), labels, batch_size=BATCH, shuffle=False, verbose=0)
ppcase.digest(*model.get_weights())
folder.cleanup()
