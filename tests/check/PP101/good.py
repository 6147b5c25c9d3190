# --- case: the operand changes in the loop
import tensorflow as tf


def f(data):
    state = tf.zeros([10])
    for row in data:
        state = tf.tanh(state + row)
    return state
# --- case: the operand is the loop's variable, also through another name
import tensorflow as tf


def f(data):
    for row in data:
        twice = row * 2
        print(tf.square(row), tf.square(twice))
# --- case: a list that the loop fills
import tensorflow as tf


def f(data):
    rows = []
    for row in data:
        rows.append(row)
        print(tf.stack(rows))
# --- case: random numbers are other ones each time
import tensorflow as tf


def f(steps, image):
    for step in range(steps):
        noise = tf.random.normal([10])
        x = tf.nn.dropout(image, 0.5)
        y = tf.image.random_flip_left_right(image)
# --- case: a handful of rounds only note
import tensorflow as tf


def f(x):
    for i in range(3):
        x = x + tf.exp(tf.ones([100]))  # expect: PP101 note
    for name in ["a", "b"]:
        x = x + tf.zeros([4])  # expect: PP101 note
    return x
# --- case: over layers and levels
import tensorflow as tf


def f(x, num_layers, levels):
    for i in range(num_layers):
        x = x + tf.zeros([4])  # expect: PP101 note
    for level in levels:
        x = x + tf.zeros([4])  # expect: PP101 note
    return x
# --- case: the value depends on what training changes
import tensorflow as tf


def train(model, optimizer, weights, batches):
    for batch in batches:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(weights)
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), weights))
        print(tf.reduce_mean(weights), tf.norm(model.layers[0].kernel))
# --- case: variables
import tensorflow as tf

v = tf.Variable(1.0)


def train(steps):
    for step in range(steps):
        v.assign_add(1.0)
        print(tf.square(v))
# --- case: state behind self that a method changes
import tensorflow as tf


class Agent:
    def __init__(self):
        self.state = tf.zeros([3])

    def step(self):
        self.state = self.state + 1

    def run(self, steps):
        for i in range(steps):
            self.step()
            print(tf.reduce_sum(self.state))
# --- case: a graph of its own in each round
import tensorflow as tf

for trial in range(100):
    with tf.Graph().as_default():
        x = tf.zeros([10])
# --- case: initial values of variables
import tensorflow as tf


def f(names):
    return [tf.Variable(tf.zeros([10]), name=n) for n in names]
# --- case: in a graph function the optimizer shares it
import tensorflow as tf


@tf.function
def f(data, table):
    for row in data:
        x = row + tf.exp(table)  # expect: PP101 note
    return x
# --- case: while a TF1 graph is built, once
import tensorflow.compat.v1 as tf


def build(inputs, table):
    outputs = []
    for item in inputs:
        outputs.append(item + tf.exp(table))  # expect: PP101 note
    return outputs
# --- case: shapes and constants cost next to nothing
import tensorflow as tf


def f(data, x):
    for row in data:
        print(row + tf.constant(1.0), tf.shape(x))  # expect: PP101 note
# --- case: a branch that runs once
import tensorflow as tf


def f(data, table):
    x = None
    for row in data:
        if x is None:
            x = tf.exp(table)
        print(row + x)
# --- case: the loop ends in its first round
import tensorflow as tf


def f(data, table):
    for row in data:
        x = tf.exp(table) + row  # expect: PP101 note
        break
# --- case: the iterable is evaluated once
import tensorflow as tf


def f(table):
    for row in tf.unstack(table):
        print(row)
# --- case: a function that is only defined in the loop
import tensorflow as tf


def f(steps):
    fs = []
    for step in range(steps):
        def g(x=step):
            return tf.zeros([3])
        fs.append(g)
# --- case: what is fetched is PP103's
import tensorflow as tf

sess = tf.Session()
for step in range(1000):
    sess.run(tf.zeros([3]))
# --- case: a subscript of it is assigned
import tensorflow as tf


def f(data, table):
    for i, row in enumerate(data):
        table[i] = row
        print(tf.reduce_sum(table))
# --- case: numpy is no op
import numpy as np
import tensorflow as tf


def f(data):
    for row in data:
        print(np.zeros(3), row)
