"""PP412: the train step runs eagerly.

Python starts each op of the forward and of the backward pass by itself, and for a small model this takes
longer than the ops. As a graph the step is traced once, and one call runs all of it.
"""

import numpy as np
import tensorflow as tf

import ppcase

STEPS, BATCH, WIDTH = 150, 16, 24

tf.keras.utils.set_random_seed(412)
rng = np.random.default_rng(412)
images = rng.normal(size=(STEPS * BATCH, WIDTH)).astype("float32")
labels = rng.integers(0, 5, STEPS * BATCH)
dataset = tf.data.Dataset.from_tensor_slices((images, labels)).batch(BATCH).prefetch(2)
model = tf.keras.Sequential([
    tf.keras.layers.Dense(32, activation="relu", input_shape=(WIDTH,)),
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.Dense(5),
])
loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.SGD(0.05)


def train_step(some, wanted):
    with tf.GradientTape() as tape:
        loss = loss_of(wanted, model(some, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


start = model.get_weights()
for _ in ppcase.work():
    model.set_weights(start)
    for some, wanted in dataset:
        train_step(some, wanted)
ppcase.digest(*model.get_weights())
