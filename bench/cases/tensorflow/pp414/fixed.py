"""PP414: summaries of all weights at every step.

The summary op computes each histogram, and the writer appends it to a file. A sample of them, at every
hundredth step, is what TensorBoard shows anyway.
"""

import tempfile

import numpy as np
import tensorflow.compat.v1 as tf

import ppcase

tf.disable_v2_behavior()

STEPS, WIDTH, LAYERS = 200, 64, 6

rng = np.random.default_rng(414)
data = rng.normal(size=(STEPS, 16, WIDTH)).astype("float32")
x = tf.placeholder(tf.float32, [None, WIDTH])
layer = x
for number in range(LAYERS):
    weights = tf.get_variable(f"w{number}", initializer=rng.normal(0, 0.1, (WIDTH, WIDTH)).astype("float32"))
    layer = tf.tanh(layer @ weights)
    tf.summary.histogram(f"weights{number}", weights)
    tf.summary.histogram(f"outputs{number}", layer)
loss = tf.reduce_mean(tf.square(layer - x))
train_op = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
merged = tf.summary.merge_all()

with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
    writer = tf.summary.FileWriter(folder)
    session.run(tf.global_variables_initializer())
    with ppcase.work():
        for step in range(STEPS):
            if step % 100 == 0:
                _, summary = session.run([train_op, merged], feed_dict={x: data[step]})
                writer.add_summary(summary, step)
            else:
                session.run(train_op, feed_dict={x: data[step]})
        writer.close()
    trained = session.run(tf.trainable_variables())
ppcase.digest(*trained)
