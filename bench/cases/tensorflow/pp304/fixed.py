"""PP304: the pipeline reads photos with the ops of TensorFlow.

They run on all processors, without Python.
"""

import os
import tempfile

import cv2
import numpy as np
import tensorflow as tf

import ppcase

ITEMS, SIDE, BATCH = 3000, 32, 60

rng = np.random.default_rng(304)
folder = tempfile.TemporaryDirectory()
paths = [os.path.join(folder.name, f"{i:04}.png") for i in range(ITEMS)]
for name in paths:
    smooth = np.cumsum(np.cumsum(rng.normal(size=(SIDE, SIDE, 3)), axis=0), axis=1)
    smooth = (smooth - smooth.min()) / (smooth.max() - smooth.min()) * 255
    cv2.imwrite(name, smooth.astype("uint8"))


def read(path):
    """The photo in a file."""
    return tf.cast(tf.io.decode_png(tf.io.read_file(path), channels=3), tf.float32) / 255


data = tf.data.Dataset.from_tensor_slices(paths)
data = data.map(read, num_parallel_calls=tf.data.AUTOTUNE)
data = data.batch(BATCH)
for _ in ppcase.work():
    means = [tf.reduce_mean(batch, axis=(1, 2, 3)) for batch in data]
ppcase.digest(tf.concat(means, 0))
folder.cleanup()
