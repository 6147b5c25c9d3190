"""Post 63033923: loading models many times leaks memory and time.

load_model() adds the operations and variables of the model to the global graph and session. The
name of the last model is bound anew, but its part of the graph stays, and each further load and
run has a larger graph to deal with. Clearing the session before a load drops what is not used.
"""

import pathlib
import tempfile

import numpy as np
import tensorflow.compat.v1 as tf

import ppcase

tf.disable_v2_behavior()
keras = tf.keras

tf.set_random_seed(61)
inputs = np.random.default_rng(61).normal(size=(4, 64)).astype("float32")
model = keras.Sequential([keras.layers.Dense(64, activation="relu", input_shape=(64,))])
for _ in range(5):
    model.add(keras.layers.Dense(64, activation="relu"))

with tempfile.TemporaryDirectory() as folder:
    saved = str(pathlib.Path(folder, "model.h5"))
    model.save(saved, include_optimizer=False)
    answers = []
    with ppcase.work():
        for _ in ppcase.steps(range(14)):
            model = keras.models.load_model(saved, compile=False)
            answers.append(model.predict(inputs).sum(axis=1))
ppcase.digest(np.concatenate(answers[1:]))
