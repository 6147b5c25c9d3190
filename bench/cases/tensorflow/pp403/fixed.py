"""PP403: the step is a new tf.function in each epoch.

The graphs that tracing gives are kept with the function object, and a new object has none: each epoch
traces the step again. Made once, it is traced once.
"""

import numpy as np
import tensorflow as tf

import ppcase

EPOCHS, LAYERS, WIDTH = 20, 12, 32

tf.keras.utils.set_random_seed(403)
rng = np.random.default_rng(403)
batches = tf.constant(rng.normal(size=(3, 16, WIDTH)), tf.float32)
model = tf.keras.Sequential([tf.keras.layers.Dense(WIDTH, activation="tanh") for _ in range(LAYERS)])
model.build((None, WIDTH))



@tf.function
def train_step(batch):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(batch, training=True) - batch))
    weights = model.trainable_variables
    for weight, slope in zip(weights, tape.gradient(loss, weights)):
        weight.assign_sub(0.01 * slope)


with ppcase.work():
    for epoch in range(EPOCHS):
        for batch in batches:
            train_step(batch)
ppcase.digest(*model.get_weights())
