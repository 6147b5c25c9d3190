"""PP416: predict() for each state of an environment.

Each call of predict() makes a data set, an iterator and callbacks for one small state. A compiled call of
the model does only the arithmetic.
"""

import numpy as np
import tensorflow as tf

import ppcase

STEPS = 60


class Corridor:
    """A walk along a corridor, which ends after STEPS steps."""

    def __init__(self):
        self.state = np.zeros(4, "float32")
        self.steps = 0

    def step(self, action):
        self.steps += 1
        self.state = np.roll(self.state, 1) * 0.9
        self.state[0] = action - self.steps / STEPS
        return self.state, float(action == 1), self.steps >= STEPS, {}


tf.keras.utils.set_random_seed(416)
model = tf.keras.Sequential([
    tf.keras.layers.Dense(32, activation="relu", input_shape=(4,)),
    tf.keras.layers.Dense(3),
])

for _ in ppcase.work():
    env = Corridor()
    state, done, answers = env.state, False, []
    while not done:
        values = model.predict(state[np.newaxis], verbose=0)
        answers.append(values)
        state, reward, done, _ = env.step(np.argmax(values))
ppcase.digest(np.concatenate(answers))
