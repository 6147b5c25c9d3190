# --- case: MNIST as a whole at every step
import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data

mnist = input_data.read_data_sets("data")
sess = tf.Session()
for step in range(1000):
    sess.run(train_op, feed_dict={x: mnist.train.images, y: mnist.train.labels})  # expect: PP407
# --- case: arrays that were loaded
import numpy as np
import tensorflow.compat.v1 as tf

images = np.load("x.npy")
with tf.Session() as sess:
    for step in range(num_steps):
        sess.run([optimizer, loss], {inputs: images})  # expect: PP407
# --- case: by name
import tensorflow as tf


def fit(sess, X_train, y_train, epochs):
    for epoch in range(epochs):
        _, c = sess.run([train_op, cost], feed_dict={X: X_train, Y: y_train})  # expect: PP407
# --- case: a dictionary that is bound before
import pandas as pd
import tensorflow as tf

data = pd.read_csv("x.csv").values
feed = {x: data}
with tf.Session() as sess:
    while True:
        sess.run(train_step, feed_dict=feed)  # expect: PP407
# --- case: Keras' arrays, an attribute
import tensorflow as tf

(x_train, y_train), (x_test, y_test) = tf.keras.datasets.cifar10.load_data()


class Net:
    def train(self, steps):
        sess = tf.Session()
        for i in range(steps):
            sess.run(self.train_op, feed_dict={self.x: x_train})  # expect: PP407
# --- case: import from
from tensorflow import Session
import numpy as np

rows = np.loadtxt("x.txt")
with Session() as s:
    for i in range(5000):
        s.run(optimizer, {x: rows[:, 1:], y: rows, keep: 0.5})  # expect: PP407
# --- case: an inner loop over batches that feeds all
import tensorflow as tf


def train(sess, train_data, train_labels):
    for epoch in range(100):
        for step in range(len(train_data) // 32):
            sess.run(train_op, {x: train_data, y: train_labels})  # expect: PP407
# --- case: sklearn's split
import tensorflow as tf
from sklearn.model_selection import train_test_split

a, b, c, d = train_test_split(features, labels)
with tf.Session() as sess:
    for i in range(2000):
        sess.run(optimizer, feed_dict={x: a, y: c})  # expect: PP407
# --- case: pickled
import pickle
import tensorflow as tf

everything = pickle.load(open("x", "rb"))
sess = tf.InteractiveSession()
for _ in range(10000):
    sess.run(fetches=train_op, feed_dict={x: everything})  # expect: PP407
# --- case: scaled before
import numpy as np
import tensorflow as tf

raw = np.genfromtxt("x.csv")
scaled = raw / 255.0
with tf.Session() as sess:
    for i in range(steps):
        sess.run(opt_op, {x: scaled})  # expect: PP407
# --- case: Python 2
import tensorflow as tf


def main(sess, trX_data, train_y):
    for i in xrange(100):
        print sess.run(train_op, feed_dict={X: trX_data, Y: train_y})  # expect: PP407
# --- case: a session in an attribute
import tensorflow as tf


class Model:
    def __init__(self):
        self.sess = tf.Session()

    def fit(self, x_train):
        for i in range(self.max_iter):
            self.sess.run(self.optimizer, feed_dict={self.x: x_train})  # expect: PP407
# --- case: across a helper that is a method of numpy
import numpy as np
import tensorflow as tf

images = np.array(np.load("x.npy"))
with tf.Session() as sess:
    for i in range(100000):
        sess.run(solver, feed_dict={X: images.astype("float32")[0:60000], Z: images})  # expect: PP407
# --- case: a large table, known by its shape, in each round
import numpy as np
import tensorflow.compat.v1 as tf

ROWS, WIDTH = 100000, 64
table = np.random.default_rng(0).random((ROWS, WIDTH))
with tf.Session() as session:
    for batch in wanted_batches:
        outputs.append(session.run(output, {rows: batch, fed: table}))  # expect: PP407
# --- case: the same, made of zeros, in a dictionary of its own
import numpy as np
import tensorflow.compat.v1 as tf

grid = np.zeros((2048, 1024), dtype=np.float32)
feed = {x: grid}
with tf.Session() as sess:
    for step in range(5000):
        sess.run(energy, feed_dict=feed)  # expect: PP407
# --- case: reshaped and scaled
import numpy as np
import tensorflow.compat.v1 as tf

image = np.ones((4096, 4096)).reshape(1, 4096, 4096, 1) / 255.0
with tf.Session() as sess:
    while not converged():
        sess.run(update, feed_dict={x: image, rate: 0.1})  # expect: PP407
