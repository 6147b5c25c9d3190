"""PP419: the figures of all pictures are appended to an array.

An array cannot grow: each np.append() copies all that came before. A list grows in place.
"""

import numpy as np
import tensorflow as tf

import ppcase

COUNT = 40000

pictures = tf.random.stateless_uniform((COUNT, 8), [4, 19]).numpy()


def ranges_of(images):
    """How far the numbers of each go."""
    ranges = []
    for image in images:
        ranges.append(image[-1] - image[0])
    return np.array(ranges)


for _ in ppcase.work():
    answer = ranges_of(pictures)
ppcase.digest(answer)
