"""PP418: the loss is fetched by a run of its own.

The step computes the loss on its way. A second run feeds the batch once more, and repeats the whole
forward pass.
"""

import numpy as np
import tensorflow.compat.v1 as tf

import ppcase

tf.disable_v2_behavior()

STEPS, BATCH, SIDE = 30, 32, 32

rng = np.random.default_rng(418)
images = rng.normal(size=(STEPS, BATCH, SIDE, SIDE, 3)).astype("float32")
labels = rng.normal(size=(STEPS, BATCH)).astype("float32")
x = tf.placeholder(tf.float32, [BATCH, SIDE, SIDE, 3])
y = tf.placeholder(tf.float32, [BATCH])
kernel = tf.get_variable("kernel", initializer=rng.normal(0, 0.1, (5, 5, 3, 32)).astype("float32"))
head = tf.get_variable("head", initializer=rng.normal(0, 0.1, (32, 1)).astype("float32"))
pooled = tf.reduce_mean(tf.nn.relu(tf.nn.conv2d(x, kernel, 1, "SAME")), axis=[1, 2])
loss = tf.reduce_mean(tf.square(pooled @ head - y[:, None]))
train_op = tf.train.GradientDescentOptimizer(0.05).minimize(loss, var_list=[head])

with tf.Session() as session:
    start = tf.global_variables_initializer()
    for _ in ppcase.work():
        session.run(start)
        losses = []
        for step in range(STEPS):
            feed = {x: images[step], y: labels[step]}
            _, value = session.run([train_op, loss], feed_dict=feed)
            losses.append(value)
    trained = session.run(head)
ppcase.digest(len(losses), trained)
