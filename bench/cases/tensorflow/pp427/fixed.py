"""PP427: tf.data decodes the photos.

It does so on all processors, while the model trains, and keeps a few batches.
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


def load(path, label):
    """A photo and its label."""
    return tf.cast(tf.io.decode_png(tf.io.read_file(path), channels=3), tf.float32) / 255, label


data = tf.data.Dataset.from_tensor_slices((paths, labels)).map(load, num_parallel_calls=tf.data.AUTOTUNE)
data = data.batch(BATCH).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(4, 5, 4, activation="relu", input_shape=(SIDE, SIDE, 3)),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10),
])
model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
start = model.get_weights()
for _ in ppcase.work():
    model.set_weights(start)
    model.fit(data, verbose=0)
ppcase.digest(*model.get_weights())
folder.cleanup()
