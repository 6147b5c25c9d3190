"""Post 62770704: a raw Python loop before each training step.

The loop normalises the samples of a batch one by one; every operation in it has a fixed cost that
is much larger than its arithmetic, and the training step waits for all of them. A dataset
does the same arithmetic on whole batches, beside the training.
"""

import numpy as np
import tensorflow as tf

import ppcase

BATCH, STEPS = 100, 60

tf.keras.utils.set_random_seed(53)
rng = np.random.default_rng(53)
raw = tf.constant(rng.integers(0, 256, (BATCH * STEPS, 48)), tf.int32)
labels = tf.constant(rng.integers(0, 2, (BATCH * STEPS, 1)), tf.float32)
model = tf.keras.Sequential([tf.keras.layers.Input((48,)), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)


def prepared(samples):
    """Samples (one, or a batch) brought to mean zero and the range -1 to 1."""
    scaled = tf.cast(samples, tf.float32) / 255.0
    return scaled - tf.reduce_mean(scaled, axis=-1, keepdims=True)


@tf.function
def train(inputs, targets):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(inputs, training=True) - targets))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


weights = model.get_weights()
for _ in ppcase.work():
    model.set_weights(weights)
    data = tf.data.Dataset.from_tensor_slices((raw, labels)).batch(BATCH)
    for batch, targets in data.map(lambda x, y: (prepared(x), y)).prefetch(2):
        train(batch, targets)
ppcase.digest(*model.get_weights())
