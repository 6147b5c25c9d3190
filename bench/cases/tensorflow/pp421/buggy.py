"""PP421: the model is saved at every step.

A checkpoint writes all weights, and the graph besides. Now and then is enough to go on from.
"""

import os
import tempfile

import numpy as np
import tensorflow.compat.v1 as tf

import ppcase

tf.disable_v2_behavior()

STEPS, WIDTH = 50, 256

rng = np.random.default_rng(421)
data = rng.normal(size=(STEPS, 8, WIDTH)).astype("float32")
x = tf.placeholder(tf.float32, [None, WIDTH])
weights = tf.get_variable("weights", initializer=rng.normal(0, 0.1, (WIDTH, WIDTH)).astype("float32"))
loss = tf.reduce_mean(tf.square(x @ weights - x))
train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
saver = tf.train.Saver()

with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
    session.run(tf.global_variables_initializer())
    with ppcase.work():
        for step in range(STEPS):
            session.run(train_op, {x: data[step]})
            saver.save(session, os.path.join(folder, "model"))
    trained = session.run(weights)
ppcase.digest(trained)
