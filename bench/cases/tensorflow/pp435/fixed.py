"""PP435: masks of classes are looked up.

One pass over the picture picks the row of each label.
"""

import numpy as np
import tensorflow as tf

import ppcase

ITEMS, SIDE, CLASSES = 32, 256, 21

rng = np.random.default_rng(435)
pictures = rng.integers(CLASSES, size=(ITEMS, SIDE, SIDE))


def masks_of(labels):
    """A mask of each class."""
    return np.eye(CLASSES, dtype=np.float32)[labels]


for _ in ppcase.work():
    sums = []
    for picture in pictures:
        sums.append(masks_of(picture)[::16, ::16].sum(axis=(0, 1)))
ppcase.digest(tf.constant(np.stack(sums)))
