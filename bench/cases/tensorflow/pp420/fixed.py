"""PP420: predict() for each next letter.

The letters cannot be batched, since each depends on the one before. predict() makes a data set, an
iterator and callbacks for each; a compiled call of the model does only the arithmetic.
"""

import numpy as np
import tensorflow as tf

import ppcase

LENGTH, LETTERS, WINDOW = 60, 40, 12

tf.keras.utils.set_random_seed(420)
model = tf.keras.Sequential([
    tf.keras.layers.Embedding(LETTERS, 16, input_length=WINDOW),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(LETTERS),
])



@tf.function
def scores_of(some):
    return model(some, training=False)


for _ in ppcase.work():
    letters = list(range(WINDOW))
    for i in range(LENGTH):
        scores = scores_of(tf.constant([letters[-WINDOW:]])).numpy()
        letters.append(int(np.argmax(scores)))
ppcase.digest(letters)
