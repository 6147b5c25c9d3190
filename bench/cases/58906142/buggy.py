"""Post 58906142: Euclidean distances between all pairs of vectors.

The difference of each vector to each other one, 600 * 600 * 128 numbers, is written to memory,
squared into a second such tensor, and only then added up. |a - b|^2 = |a|^2 - 2 ab + |b|^2 needs
the products of all pairs, which one matrix product makes, and nothing larger than the result.
"""

import numpy as np
import tensorflow as tf

import ppcase

STEPS = 8
VECTORS = 600
WIDTH = 128

rng = np.random.default_rng(0)
sets = tf.constant(rng.random((STEPS, VECTORS, WIDTH), dtype=np.float32))


@tf.function
def distances(vectors):
    differences = vectors[:, None, :] - vectors[None, :, :]
    squares = tf.reduce_sum(tf.square(differences), axis=2)
    return tf.sqrt(squares)


for _ in ppcase.work():
    sums, own = [], []
    for vectors in sets:
        found = distances(vectors)
        sums.append(tf.reduce_sum(found, axis=1))
        own.append(tf.reduce_max(tf.linalg.diag_part(found)))

# The distance of a vector from itself is rounded, so that its tolerance is another one.
ppcase.digest(sums, np.less(own, 0.1))
