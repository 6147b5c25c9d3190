"""Post 64246466: filling a tensor at given places.

Tensors cannot be changed, so the loop assigns to one element of a variable at a time, each time
through all of slicing and assigning. scatter_nd takes all the places and values at once.
"""

import numpy as np
import tensorflow as tf

import ppcase

COUNT, SHAPE = 1200, (100, 200)

rng = np.random.default_rng(97)
places = rng.choice(SHAPE[0] * SHAPE[1], COUNT, replace=False)
indices = tf.constant(np.stack(np.unravel_index(places, SHAPE), axis=1), tf.int32)
values = tf.constant(rng.normal(size=COUNT), tf.float32)

for _ in ppcase.work():
    filled = tf.scatter_nd(indices, values, SHAPE)
    result = filled.numpy()
ppcase.digest(result)
