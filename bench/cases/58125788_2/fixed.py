"""Post 58125788, second problem: too little memory for large images.

Training keeps the results of every layer for the way back. The first convolution works at the full
size of the image, so each of its channels costs as much as a whole image of one colour: 256 of them
make 67 MB per image, and several such tensors are alive at once.
"""

import numpy as np
import tensorflow as tf

import ppcase
import ppkeras

IMAGES = 8
SIZE = 256
CHANNELS = 8

tf.keras.utils.set_random_seed(0)
labels = np.arange(IMAGES) % 2
images = np.random.default_rng(0).random((IMAGES, SIZE, SIZE, 1), dtype=np.float32)
images += 2 * labels[:, None, None, None] - 1.5

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(CHANNELS, 3, padding="same", activation="relu"),
    tf.keras.layers.MaxPooling2D(4),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1),
])
consumed = ppkeras.watch(model, (SIZE, SIZE, 1))
model.compile(tf.keras.optimizers.Adam(0.1), tf.keras.losses.BinaryCrossentropy(True))

with ppcase.work():
    model.fit(images, labels, batch_size=2, epochs=1, verbose=0)

# The models differ by the fix: compared are the classes that they learnt, and what from.
ppcase.digest(model.predict(images, batch_size=2, verbose=0)[:, 0] > 0,
              consumed.number.numpy(), consumed.batch.numpy(),
              consumed.mean(), model.optimizer.iterations.numpy(),
              model.optimizer.learning_rate.numpy())
