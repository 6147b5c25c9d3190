"""Post 63826597: a custom loss with a loop over the batch.

The loop is unrolled when the loss is traced: for each example it adds slices and small operations,
and their gradients, each as large as the batch. Tracing takes long and every step runs thousands
of operations. The same sum along axes of the batch takes five.
"""

import numpy as np
import tensorflow as tf

import ppcase

BATCH = 64

tf.keras.utils.set_random_seed(73)
rng = np.random.default_rng(73)
inputs = rng.normal(size=(BATCH * 30, 16)).astype("float32")
targets = rng.normal(size=(BATCH * 30, 8)).astype("float32")


def loss(wanted, found):
    """Distance of the answers, plus that of their steps from one number to the next."""
    gap = wanted - found
    total = tf.reduce_sum(tf.abs(gap)) + tf.reduce_sum(tf.square(gap[:, 1:] - gap[:, :-1]))
    return total / BATCH


model = tf.keras.Sequential([
    tf.keras.layers.Input((16,)),
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.Dense(8),
])
model.compile(tf.keras.optimizers.SGD(0.01), loss)
with ppcase.work():
    model.fit(inputs, targets, batch_size=BATCH, epochs=2, shuffle=False, verbose=0)
ppcase.digest(*model.get_weights())
