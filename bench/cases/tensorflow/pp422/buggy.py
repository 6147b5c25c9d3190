"""PP422: Python loops over the pixels of each picture.

Each pixel takes a microsecond or more in Python. One comparison of the whole picture takes nanoseconds for
each.
"""

import numpy as np
import tensorflow as tf

import ppcase

PICTURES, SIDE = 4, 256

pictures = tf.random.stateless_uniform((PICTURES, SIDE, SIDE), [4, 22]).numpy()


def mask_of(image):
    """Ones where it is bright."""
    mask = np.zeros(image.shape, "float32")
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            if image[i, j] > 0.5:
                mask[i, j] = 1
    return mask


for _ in ppcase.work():
    masks = [mask_of(picture) for picture in pictures]
ppcase.digest(np.stack(masks))
