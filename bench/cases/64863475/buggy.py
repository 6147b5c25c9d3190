"""Post 64863475: fft2d works on the last two axes, the planes lie on the middle ones.

Loops over examples and channels cut out every plane, transform it and stack the results: four
operations for each plane. fft2d transforms any number of planes in one run if they are on the last
two axes, and two transpositions bring them there and back.
"""

import numpy as np
import tensorflow as tf

import ppcase

BATCH, SIDE, CHANNELS = 40, 16, 32

rng = np.random.default_rng(101)
signal = tf.constant(rng.normal(size=(BATCH, SIDE, SIDE, CHANNELS)), tf.complex64)


def transformed(planes):
    """The two-dimensional transform along axes 1 and 2."""
    examples = [tf.stack([tf.signal.fft2d(planes[b, :, :, c]) for c in range(CHANNELS)], axis=-1)
                for b in range(BATCH)]
    return tf.stack(examples)


for _ in ppcase.work():
    spectra = []
    for _ in range(5):
        spectra += [transformed(signal)]
    result = tf.stack(spectra).numpy()
ppcase.digest(result)
