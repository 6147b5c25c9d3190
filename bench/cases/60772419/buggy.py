"""Post 60772419: setting parameters by hand extends the graph.

In graph mode tf.assign(variable, values) adds operations (and the values, as a constant) each time
it is called. The session must take over the grown graph before every run, so steps get ever slower.
Operations that are made once and fed with values leave the graph as it is.
"""

import numpy as np
import tensorflow.compat.v1 as tf

import ppcase

tf.disable_v2_behavior()

rng = np.random.default_rng(5)
shapes = [(32, 64), (64,), (64, 64), (64,), (64, 8), (8,)]
parameters = [tf.get_variable(f"p{i}", s, tf.float32) for i, s in enumerate(shapes)]
hidden = tf.constant(rng.normal(size=(16, 32)), tf.float32)
for kernel, bias in zip(parameters[::2], parameters[1::2]):
    hidden = tf.tanh(tf.matmul(hidden, kernel) + bias)
output = tf.reduce_mean(tf.square(hidden))
feeds = [tf.placeholder(tf.float32, s) for s in shapes]
setters = [tf.assign(p, feed) for p, feed in zip(parameters, feeds)]

losses = []
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    with ppcase.work():
        for step in ppcase.steps(range(100)):
            values = [rng.normal(size=s).astype("float32") for s in shapes]
            session.run([tf.assign(p, v) for p, v in zip(parameters, values)])
            losses.append(session.run(output))
    values = session.run(parameters)
ppcase.digest(losses, *values)
