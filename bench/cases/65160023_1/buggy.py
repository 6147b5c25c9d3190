"""Post 65160023, first problem: training of a convolutional network takes too long.

The cost of a convolution grows with the area of its kernel: 15 x 15 is 25 times 3 x 3. Small
kernels learn this task (stripes along or across) as well.
"""

import numpy as np
import tensorflow as tf

import ppcase
import ppkeras

KERNEL = 15

tf.keras.utils.set_random_seed(109)
rng = np.random.default_rng(109)
labels = rng.integers(0, 2, 320)
stripes = np.tile(np.array([1.0, -1.0]), 20)[:, None] * np.ones((40, 40))
pictures = np.stack([stripes if label else stripes.T for label in labels])
pictures = (pictures + rng.normal(scale=0.5, size=pictures.shape)).astype("float32")[..., None]

model = tf.keras.Sequential([
    tf.keras.layers.Input((40, 40, 1)),
    tf.keras.layers.Conv2D(16, KERNEL, padding="same", activation="relu"),
    tf.keras.layers.MaxPooling2D(2),
    tf.keras.layers.Conv2D(16, KERNEL, padding="same", activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(2),
])
consumed = ppkeras.watch(model, (40, 40, 1))
model.compile(tf.keras.optimizers.Adam(0.005),
              tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
with ppcase.work():
    model.fit(pictures, labels, batch_size=32, epochs=2, verbose=0)
ppcase.digest([(model.predict(pictures, verbose=0).argmax(axis=1) == labels).mean()],
              consumed.number.numpy(), consumed.batch.numpy(),
              consumed.mean(), model.optimizer.iterations.numpy(),
              model.optimizer.learning_rate.numpy())
