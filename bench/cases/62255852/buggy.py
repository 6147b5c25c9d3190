"""Post 62255852: reading pictures takes longer than learning from them.

The network takes pictures of 32 x 32, but the files hold 512 x 512: each reading decodes 256 times
more pixels than are used, and shrinks them. Shrunk once and stored small (without loss, so the
pixels are the same), each later reading has little to do. The shrinking counts as work, too.
"""

import pathlib
import tempfile

import numpy as np
import tensorflow as tf

import ppcase

EPOCHS = 16


def shrunk(path):
    """The picture in a file, decoded and brought to the size that the network takes."""
    picture = tf.io.decode_png(tf.io.read_file(path), channels=3)
    small = tf.image.resize(picture, (32, 32), method="area")
    return tf.cast(tf.round(small), tf.uint8)


with tempfile.TemporaryDirectory() as folder:
    rng = np.random.default_rng(31)
    files = [str(pathlib.Path(folder, f"{n}.png")) for n in range(20)]
    for name in files:
        noise = rng.integers(0, 256, (512, 512, 3)).astype("uint8")
        tf.io.write_file(name, tf.io.encode_png(noise))
    epochs = []
    with ppcase.work():
        for _ in range(EPOCHS):
            epochs.append(np.stack([shrunk(name).numpy() for name in files]))
ppcase.digest(epochs)
