# --- case: a constant matrix in a loop over steps
import tensorflow as tf


def train(steps, x):
    for step in range(steps):
        y = tf.matmul(x[step], tf.eye(100))  # expect: PP101
# --- case: the operands are parameters
import tensorflow as tf


def smooth(batches, low, high):
    total = 0.0
    for batch in batches:
        total += tf.reduce_sum(batch) * tf.linspace(low, high, 10)  # expect: PP101
    return total
# --- case: while
import tensorflow as tf


def sample(model, prompt):
    while True:
        mask = tf.ones([1, 1024])  # expect: PP101
        prompt = model.predict([prompt, mask])
# --- case: two statements on one line are two
import tensorflow as tf


def f(data, n):
    for row in data:
        a = tf.zeros([n]); b = row + a  # expect: PP101
# --- case: one call over many lines
import tensorflow as tf


def f(data, table):
    for row in data:
        out = row * tf.transpose(  # expect: PP101
            table,
            perm=[1, 0],
        )
# --- case: the largest invariant expression is named, once
import tensorflow as tf


def f(data, table):
    for row in data:
        out = row * tf.sqrt(tf.square(tf.cast(table, tf.float32)))  # expect: PP101
# --- case: from tensorflow import, and an alias of a module
from tensorflow import zeros
import tensorflow as tf

tfm = tf.math


def f(data, table):
    for row in data:
        a = row + zeros([512])  # expect: PP101
        b = row + tfm.log(table)  # expect: PP101
# --- case: Keras' backend
from tensorflow.keras import backend as K


def f(batches, sigma):
    for batch in batches:
        K.sum(batch) / K.square(sigma)  # expect: PP101
# --- case: behind an inner loop
import tensorflow as tf


def f(epochs, layers, table):
    for epoch in range(epochs):
        for layer in layers:
            print(layer)
        x = tf.exp(table) + epoch  # expect: PP101
# --- case: in the inner loop, but the same in the outer one, too
import tensorflow as tf


def f(epochs, batches, table):
    for epoch in range(epochs):
        for batch in batches:
            x = batch * tf.exp(table)  # expect: PP101
# --- case: an attribute that only __init__ sets, while others change
import tensorflow as tf


class Sampler:
    def __init__(self, size):
        self.size = size
        self.count = 0

    def run(self, stream):
        for item in stream:
            self.count = self.count + 1
            yield item + tf.zeros([self.size])  # expect: PP101
# --- case: a data set is a long loop
import tensorflow as tf


def f(files, vocabulary):
    for record in tf.data.TFRecordDataset(files):
        one = tf.one_hot(vocabulary, 100)  # expect: PP101
        print(record, one)
# --- case: range of a large literal
import tensorflow as tf

table = tf.random.normal([100])
for i in range(100000):
    print(i * tf.nn.softmax(table))  # expect: PP101
# --- case: TF1: the loop of steps builds nodes
import tensorflow.compat.v1 as tf


def train(sess, op, x, steps):
    for step in range(steps):
        y = tf.nn.softmax(x)  # expect: PP101
        sess.run([op, y])
# --- case: a syntax error elsewhere, names with other letters
import tensorflow as tf


def größe(daten, länge):
    for zeile in daten:
        x = zeile + tf.eye(länge)  # expect: PP101


def f(:
# --- case: CRLF would be kept, tabs too
import tensorflow as tf


def f(data):
	table = tf.constant([1.0, 2.0])
	for row in data:
		x = row * tf.exp(table)  # expect: PP101
