"""Post 53679153: a small model that fails to allocate memory.

The number of words was taken for the width of the embedding as well as for its length. The weights
of such a layer grow with the square of the vocabulary: 6.4 GB here, before the optimizer has asked
for as much again, twice. The width is free to choose, and a short one does for this task.
"""

import numpy as np
import tensorflow as tf

import ppcase
import ppkeras

WORDS = 40000
WIDTH = WORDS
TEXTS = 256
LENGTH = 20

tf.keras.utils.set_random_seed(0)
# Texts of the first class use even words only, those of the second odd ones.
labels = np.arange(TEXTS) % 2
texts = np.random.default_rng(0).integers(0, 50, (TEXTS, LENGTH)) * 2 + labels[:, None]

with ppcase.work():
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(WORDS, WIDTH),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(1),
    ])
    consumed = ppkeras.watch(model, (LENGTH,))
    model.compile(tf.keras.optimizers.Adam(0.05), tf.keras.losses.BinaryCrossentropy(True))
    model.fit(texts, labels, batch_size=32, epochs=3, verbose=0)

# The models differ by their width: compared are the classes that they learnt, and what from.
ppcase.digest(model.predict(texts, verbose=0)[:, 0] > 0, consumed.number.numpy(),
              consumed.batch.numpy(), consumed.mean(),
              model.optimizer.iterations.numpy(), model.optimizer.learning_rate.numpy())
