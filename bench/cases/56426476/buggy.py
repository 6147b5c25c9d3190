"""Post 56426476: backend.eval() is slow, and becomes slower.

The functions of the Keras backend build operations, and eval() of a new operation makes the session
take in everything that was built since. The graph keeps the operations of all earlier batches, so
each eval() has more to look through. backend.function() builds once what is called many times.
"""

import numpy as np
import tensorflow.compat.v1 as tf

import ppcase

tf.disable_v2_behavior()
K = tf.keras.backend

BATCHES = 100
BATCH = 32
WIDTH = 32


def metric(wanted, given):
    wanted, given = K.l2_normalize(wanted, axis=1), K.l2_normalize(given, axis=1)
    return K.mean(K.sqrt(K.sum(K.square(wanted - given), axis=1)))


rng = np.random.default_rng(0)
wanted = rng.random((BATCHES, BATCH, WIDTH), dtype=np.float32)
given = rng.random((BATCHES, BATCH, WIDTH), dtype=np.float32)

values = []
with ppcase.work():
    for batch in ppcase.steps(range(BATCHES)):
        values.append(K.eval(metric(K.constant(wanted[batch]), K.constant(given[batch]))))

ppcase.digest(values)
