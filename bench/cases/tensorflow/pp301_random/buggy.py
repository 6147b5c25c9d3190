"""PP301: pictures are decoded, and flipped at random, by one thread.

TensorFlow 2.7 and later calls a function without state on several elements at once by itself. One
that draws random numbers has state, so map() calls it on one element after the other, while the
other processors idle, unless num_parallel_calls is given. A flip does not change the mean of a picture.
"""

import pathlib
import tempfile

import numpy as np
import tensorflow as tf

import ppcase

PICTURES, SIDE = 96, 512


def load(path):
    """One picture, of which each eighth pixel is kept, as it is or from right to left."""
    picture = tf.io.decode_png(tf.io.read_file(path), channels=3)
    return tf.image.random_flip_left_right(tf.cast(picture[::8, ::8], tf.float32) / 255.0)


with tempfile.TemporaryDirectory() as folder:
    rng = np.random.default_rng(301)
    names = [str(pathlib.Path(folder, f"{n:02}.png")) for n in range(PICTURES)]
    for name in names:
        noise = rng.integers(0, 256, (SIDE, SIDE, 3)).astype("uint8")
        tf.io.write_file(name, tf.io.encode_png(noise))
    data = tf.data.Dataset.from_tensor_slices(names).map(load).prefetch(2)
    for _ in ppcase.work():
        means = [tf.reduce_mean(picture, axis=[0, 1]) for picture in data]
ppcase.digest(tf.stack(means))
