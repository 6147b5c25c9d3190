"""PP303: cache() is behind what costs time.

It keeps the decoded photos. The first epoch decodes them, the others only read memory.
"""

import os
import tempfile

import numpy as np
import tensorflow as tf

import ppcase

ITEMS, SIDE, BATCH, EPOCHS = 200, 96, 20, 5

rng = np.random.default_rng(303)
folder = tempfile.TemporaryDirectory()
paths = [os.path.join(folder.name, f"{i:04}.png") for i in range(ITEMS)]
for path in paths:
    smooth = np.cumsum(np.cumsum(rng.normal(size=(SIDE, SIDE, 3)), axis=0), axis=1)
    smooth = (smooth - smooth.min()) / (smooth.max() - smooth.min()) * 255
    tf.io.write_file(path, tf.io.encode_png(smooth.astype("uint8")))


def read_and_decode(path):
    """The photo in a file."""
    return tf.image.resize(tf.io.decode_png(tf.io.read_file(path), channels=3), (64, 64)) / 255


data = tf.data.Dataset.from_tensor_slices(paths)
data = data.map(read_and_decode, num_parallel_calls=tf.data.AUTOTUNE).cache()
data = data.batch(BATCH)
for _ in ppcase.work():
    means = [tf.reduce_mean(batch, axis=(1, 2, 3)) for _ in range(EPOCHS) for batch in data]
ppcase.digest(tf.concat(means, 0))
folder.cleanup()
