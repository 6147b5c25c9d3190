"""Post 57415851: epochs take longer from model to model in a loop over hyper-parameters.

Keras builds every model into the same default graph, and keeps the old ones in it although no
variable holds them any more. The session carries all of them along, so each further model trains
more slowly than the one before. clear_session() begins a new graph.
"""

import numpy as np
import tensorflow.compat.v1 as tf

import ppcase

tf.disable_v2_behavior()

MODELS = 36
EXAMPLES = 64

rng = np.random.default_rng(0)
points = rng.random((EXAMPLES, 8), dtype=np.float32)
labels = rng.integers(0, 2, EXAMPLES).astype(np.float32)


def build(width):
    starts = [tf.keras.initializers.glorot_uniform(seed=n) for n in range(2)]
    return tf.keras.Sequential([
        tf.keras.layers.Dense(width, "relu", kernel_initializer=starts[0], input_shape=(8,)),
        tf.keras.layers.Dense(1, kernel_initializer=starts[1]),
    ])


losses = []
with ppcase.work():
    for number in ppcase.steps(range(MODELS)):
        tf.keras.backend.clear_session()
        model = build(8 + number)
        model.compile(tf.keras.optimizers.SGD(0.05), "mse")
        history = model.fit(points, labels, epochs=2, shuffle=False, verbose=0)
        losses.append(history.history["loss"])

ppcase.digest(losses, *model.get_weights())
