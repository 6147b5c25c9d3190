"""Post 60267911: the time of a prediction is mostly not the model's.

predict() is made for large arrays: every call builds a data pipeline, an iterator and callbacks,
and tears them down again. For one sample that costs far more than the small network itself.
predict_on_batch() hands the array straight to the compiled function.
"""

import numpy as np
import tensorflow as tf

import ppcase

tf.keras.utils.set_random_seed(7)
model = tf.keras.Sequential([
    tf.keras.layers.Input((20,)),
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(4),
])
samples = np.random.default_rng(7).normal(size=(40, 1, 20)).astype("float32")

answers = []
with ppcase.work():
    for sample in ppcase.steps(samples):
        answers.append(model.predict(sample, verbose=0))
ppcase.digest(np.concatenate(answers))
