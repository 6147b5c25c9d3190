"""PP428: a session fetches what nobody reads.

Each value that is fetched is computed for that, and copied to Python, at every step.
"""

import numpy as np
import tensorflow.compat.v1 as tf

import ppcase

tf.disable_v2_behavior()

STEPS, BATCH, SIDE = 40, 64, 64

rng = np.random.default_rng(428)
noises = rng.normal(size=(STEPS, BATCH, 8)).astype("float32")
z = tf.placeholder(tf.float32, [BATCH, 8])
spread = tf.get_variable("spread", initializer=rng.normal(0, 0.1, (8, 8)).astype("float32"))
hidden = tf.tanh(z @ spread)
paint = tf.constant(rng.normal(size=(8, SIDE * SIDE * 3)), tf.float32)
fake_images = tf.reshape(tf.tanh(hidden @ paint), [BATCH, SIDE, SIDE, 3])
loss = tf.reduce_mean(tf.square(hidden))
train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)


def train(session):
    """What the loss was at each step."""
    losses = []
    for step in range(STEPS):
        _, value = session.run([train_op, loss], feed_dict={z: noises[step]})
        losses.append(value)
    return losses


with tf.Session() as session:
    start = tf.global_variables_initializer()
    for _ in ppcase.work():
        session.run(start)
        losses = train(session)
ppcase.digest(losses)
