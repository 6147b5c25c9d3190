"""Post 58150519: no memory left for a tensor.

to_categorical() writes a row of zeros and a single one for each label. With many classes these rows
are far larger than the inputs; they are made for the whole data set, and fit() makes a tensor of
them once more. The sparse cross-entropy computes the same loss from the numbers of the classes.
"""

import numpy as np
import tensorflow as tf

import ppcase

EXAMPLES = 8192
CLASSES = 10000
WIDTH = 8

tf.keras.utils.set_random_seed(0)
rng = np.random.default_rng(0)
inputs = rng.random((EXAMPLES, WIDTH), dtype=np.float32)
labels = rng.integers(0, CLASSES, EXAMPLES)

model = tf.keras.Sequential([
    tf.keras.layers.Dense(CLASSES, activation="softmax"),
])

with ppcase.work():
    model.compile("sgd", "sparse_categorical_crossentropy")
    history = model.fit(inputs, labels, batch_size=64, shuffle=False, verbose=0)

ppcase.digest(history.history["loss"], *model.get_weights())
