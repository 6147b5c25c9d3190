"""PP304: the pipeline reads photos in Python.

py_function() runs under the interpreter's lock, one photo after the other, and copies each into a tensor.
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
    return cv2.imread(path.numpy().decode()) / 255.0


data = tf.data.Dataset.from_tensor_slices(paths)
data = data.map(lambda path: tf.py_function(read, [path], tf.float32), num_parallel_calls=tf.data.AUTOTUNE)
data = data.batch(BATCH)
for _ in ppcase.work():
    means = [tf.reduce_mean(batch, axis=(1, 2, 3)) for batch in data]
ppcase.digest(tf.concat(means, 0))
folder.cleanup()
