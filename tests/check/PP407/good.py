# --- case: batches
import tensorflow as tf

for step in range(1000):
    batch_x, batch_y = mnist.train.next_batch(100)
    sess.run(train_op, feed_dict={x: batch_x, y: batch_y})
# --- case: slices
import numpy as np
import tensorflow as tf

x_train = np.load("x.npy")
with tf.Session() as sess:
    for i in range(0, 1000, 10):
        sess.run(train_op, feed_dict={x: x_train[i:i + 10]})
# --- case: once, after training
import tensorflow as tf

with tf.Session() as sess:
    print(sess.run(accuracy, feed_dict={x: mnist.test.images, y: mnist.test.labels}))
# --- case: every 100 steps
import tensorflow as tf

with tf.Session() as sess:
    for step in range(1000):
        if step % 100 == 0:
            print(sess.run(accuracy, feed_dict={x: mnist.test.images}))
# --- case: an evaluation at the end of each epoch
import tensorflow as tf


def run(sess, x_test, y_test):
    for epoch in range(epochs):
        for b in batches:
            sess.run(train_op, feed_dict={x: b})
        print(sess.run(accuracy, feed_dict={x: x_test, y: y_test}))
# --- case: flags and rates
import tensorflow as tf


def run(sess, is_training, train_rate, keep_prob_train):
    for step in range(1000):
        sess.run(train_op, {training: is_training, lr: train_rate, keep: keep_prob_train})
# --- case: a few numbers, written out
import numpy as np
import tensorflow as tf

train_X = np.asarray([3.3, 4.4, 5.5])
train_Y = np.asarray([1.7, 2.76, 2.09])
with tf.Session() as sess:
    for epoch in range(1000):
        sess.run(optimizer, feed_dict={X: train_X, Y: train_Y})
# --- case: XOR
import tensorflow as tf

x_data = [[0, 0], [0, 1], [1, 0], [1, 1]]
with tf.Session() as sess:
    for step in range(10000):
        sess.run(train_op, feed_dict={X: x_data})
# --- case: made anew in each round
import numpy as np
import tensorflow as tf


def run(sess):
    for step in range(1000):
        train_images = sample(step)
        sess.run(train_op, feed_dict={x: train_images})
# --- case: names of which nothing is known
import tensorflow as tf


def run(sess, inputs, state):
    for step in range(1000):
        sess.run(train_op, feed_dict={x: inputs, s: state})
# --- case: a training batch that is used again
import tensorflow as tf


def run(sess, train_batch_images, train_sample_data):
    for step in range(1000):
        sess.run(train_op, feed_dict={x: train_sample_data})
# --- case: a handful of rounds
import tensorflow as tf


def run(sess, x_train):
    for i in range(3):
        sess.run(train_op, feed_dict={x: x_train})
# --- case: no session
import subprocess

for step in range(1000):
    subprocess.run(train_op, {x: x_train})
    estimator.run(train_op, feed_dict={x: x_train})
# --- case: an evaluation at every step: only a note
import tensorflow as tf


def run(sess, x_valid):
    for step in range(1000):
        sess.run(train_op)
        print(sess.run(accuracy, feed_dict={x: x_valid}))  # expect: PP407 low
# --- case: in a test
x = 1
# --- file: tests/test_net.py
import tensorflow as tf


def test_net(sess, x_train):
    for step in range(100):
        sess.run(train_op, feed_dict={x: x_train})  # expect: PP407 low
# --- case: small arrays, arrays of a size that is not known, arrays that change
import numpy as np
import tensorflow.compat.v1 as tf

small = np.zeros((100, 64))
unknown = np.zeros((n, 64))
noise = np.zeros((4096, 4096))
with tf.Session() as session:
    for step in range(1000):
        noise = np.random.normal(size=(4096, 4096))
        session.run(out, {a: small, b: unknown, c: noise})
# --- case: a large table is fed once, before the loop
import numpy as np
import tensorflow.compat.v1 as tf

table = np.zeros((100000, 64))
with tf.Session() as session:
    session.run(fill, {fed: table})
    for step in range(1000):
        session.run(train, {rows: step})
# --- case: a handful of rounds, or another slice each time
import numpy as np
import tensorflow.compat.v1 as tf

table = np.zeros((100000, 64))
with tf.Session() as session:
    for _ in range(3):
        session.run(out, {fed: table})
    for i in range(1000):
        session.run(out, {fed: table[i:i + 10]})
