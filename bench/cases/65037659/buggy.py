"""Post 65037659: a folder of pictures, one picture at a time.

A Python loop reads, decodes, scales and standardises each picture by itself; nearly all its time is
the cost of calling operations. A dataset reads without Python, and the operations on pixels take
a batch as willingly as one picture.
"""

import pathlib
import tempfile

import numpy as np
import tensorflow as tf

import ppcase

COUNT, SIDE = 1000, 12


def read(path):
    """The pixels of one file."""
    return tf.io.decode_png(tf.io.read_file(path), channels=1)


def shaped(pixels):
    """One picture, or a batch of them, enlarged and standardised."""
    return tf.image.per_image_standardization(tf.image.resize(pixels, (24, 24)))


with tempfile.TemporaryDirectory() as folder:
    rng = np.random.default_rng(107)
    for n in range(COUNT):
        png = tf.io.encode_png(rng.integers(0, 256, (SIDE, SIDE, 1)).astype("uint8"))
        tf.io.write_file(str(pathlib.Path(folder, f"{n:05}.png")), png)
    names = sorted(str(p) for p in pathlib.Path(folder).iterdir())
    for _ in ppcase.work():
        pictures = tf.stack([shaped(read(name)) for name in names]).numpy()
ppcase.digest(pictures)
