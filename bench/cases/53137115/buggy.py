"""Post 53137115: a training loop that becomes slower and slower.

The loop turns labels into one-hot rows and computes the accuracy with functions of TensorFlow.
In graph mode each such call adds nodes and computes nothing, so a long training ends with a huge
graph, and the time of one step grows with it. Nothing in a training loop should add nodes.
"""

import numpy as np
import tensorflow.compat.v1 as tf

import ppcase

tf.disable_v2_behavior()

STEPS = 140
BATCH = 32
PIXELS = 64
CLASSES = 10

rng = np.random.default_rng(0)
images = rng.random((STEPS, BATCH, PIXELS), dtype=np.float32)
labels = rng.integers(0, CLASSES, (STEPS, BATCH))

image = tf.placeholder(tf.float32, [None, PIXELS])
label = tf.placeholder(tf.int64, [None])
target = tf.placeholder(tf.float32, [None, CLASSES])
hidden = tf.nn.relu(image @ tf.Variable(rng.normal(0, 0.2, (PIXELS, 64)).astype(np.float32)))
logits = hidden @ tf.Variable(rng.normal(0, 0.2, (64, CLASSES)).astype(np.float32))
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=target, logits=logits))
train = tf.train.GradientDescentOptimizer(0.05).minimize(loss)


def helpers():
    rows = tf.one_hot(label, CLASSES)
    right = tf.equal(tf.argmax(logits, axis=1), label)
    return rows, tf.reduce_mean(tf.cast(right, tf.float32))


with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    losses = []
    with ppcase.work():
        for step in ppcase.steps(range(STEPS)):
            one_hot, accuracy = helpers()
            feed = {image: images[step], label: labels[step]}
            feed[target] = session.run(one_hot, feed)
            losses.append(session.run([loss, train], feed)[0])
            losses.append(session.run(accuracy, feed))

    ppcase.digest(losses, *session.run(tf.trainable_variables()))
