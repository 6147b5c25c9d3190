"""Post 63105788: the mask of a tensor, element by element.

A mapped function with a condition decides for each element whether it belongs to the mask, at the
cost of a turn of a loop. A comparison of tensors gives the whole mask in one operation.
"""

import numpy as np
import tensorflow as tf

import ppcase

tensor = tf.constant(np.random.default_rng(67).integers(0, 10, (250, 200)), tf.int32)
limit = tf.constant(4)


@tf.function
def mask_of(values):
    flat = tf.reshape(values, [-1])
    flags = tf.map_fn(lambda v: tf.cond(v > limit, lambda: 1.0, lambda: 0.0), flat,
                      fn_output_signature=tf.float32)
    return tf.reshape(flags, tf.shape(values))


for _ in ppcase.work():
    masks = []
    for _ in range(4):
        masks += [mask_of(tensor)]
    result = tf.stack(masks).numpy()
ppcase.digest(result)
