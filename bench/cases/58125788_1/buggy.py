"""Post 58125788, first problem: too little memory for large images.

Flattened, the image is a vector of 28,000 numbers, and every unit of the dense layer has a weight
for each. 1024 units make 29 million weights: with their gradients and the two moments that the
optimizer keeps, 460 MB. The post has them on a graphics card; they are as large in main memory.
"""

import numpy as np
import tensorflow as tf

import ppcase
import ppkeras

IMAGES = 16
SIZE = 168
UNITS = 1024

tf.keras.utils.set_random_seed(0)
labels = np.arange(IMAGES) % 2
images = np.random.default_rng(0).random((IMAGES, SIZE, SIZE, 3), dtype=np.float32)
images += 2 * labels[:, None, None, None] - 1.5

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(4, 3, padding="same", activation="relu"),
    tf.keras.layers.MaxPooling2D(2),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(UNITS, activation="relu"),
    tf.keras.layers.Dense(1),
])
consumed = ppkeras.watch(model, (SIZE, SIZE, 3))
model.compile(tf.keras.optimizers.Adam(0.002), tf.keras.losses.BinaryCrossentropy(True))

with ppcase.work():
    model.fit(images, labels, batch_size=4, epochs=1, verbose=0)

# The models differ by the fix: compared are the classes that they learnt, and what from.
ppcase.digest(model.predict(images, verbose=0)[:, 0] > 0,
              consumed.number.numpy(), consumed.batch.numpy(),
              consumed.mean(), model.optimizer.iterations.numpy(),
              model.optimizer.learning_rate.numpy())
