"""Post 62454676: predict() runs out of memory where fit() did not.

Memory for activations grows with the batch: a picture of 128 x 128 becomes 16 planes of the same
size here, about 1 MB each time a layer passes it on. Batches as small as those of training need
little, however many pictures there are.
"""

import numpy as np
import tensorflow as tf

import ppcase

tf.keras.utils.set_random_seed(43)
model = tf.keras.Sequential([
    tf.keras.layers.Input((128, 128, 1)),
    tf.keras.layers.Conv2D(16, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(16, 3, padding="same", activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1),
])
model.compile("sgd", "mse")
pictures = np.random.default_rng(43).random((240, 128, 128, 1)).astype("float32")
model.fit(pictures[:32], np.ones((32, 1), "float32"), batch_size=8, verbose=0)

with ppcase.work():
    answers = model.predict(pictures, batch_size=240, verbose=0)
ppcase.digest(answers)
