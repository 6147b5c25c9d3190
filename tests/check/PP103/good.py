import tensorflow as tf
# --- case: built before the loop
prediction = tf.argmax(y, 1)
with tf.Session() as sess:
    for step in range(1000):
        sess.run(prediction)  # lacks: no call in it is known to make an op
# --- case: once, outside of any loop
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(tf.argmax(y, 1)))
# --- case: a handful of rounds
with tf.Session() as sess:
    for name in ["a", "b"]:
        print(sess.run(tf.constant(name)))
# --- case: a graph of its own in each round
for fold in range(100):
    with tf.Graph().as_default():
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
# --- case: the graph is thrown away in each round
for trial in range(100):
    tf.reset_default_graph()
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())
# --- whole: another run: subprocess, an app
import subprocess
import tensorflow as tf

for command in commands:
    subprocess.run(str(tf.constant(1)))
    app.run(tf.constant(1))
# --- case: the loop is over layers
def dump(sess, layers):
    for layer in layers:
        print(sess.run(tf.shape(layer.weights)))
# --- case: a function that no loop calls
def evaluate(sess, logits):
    return sess.run(tf.argmax(logits, 1))


print(evaluate(tf.Session(), x))
# --- case: a method of an object of the project
class Runner:
    def run(self, op):
        return op


runner = Runner()
for step in range(1000):
    runner.run(tf.constant(1))
# --- case: what is fed, not fetched
sess = tf.Session()
for step in range(1000):
    sess.run(train_op, feed_dict={x: data.next_batch(step)})
# --- whole: numpy's functions are no ops
import numpy as np
import tensorflow as tf

sess = tf.Session()
for step in range(1000):
    sess.run(train_op, {x: np.argmax(rows, 1)})
    model.eval(np.zeros(3))
# --- case: a loop that ends in its first round
sess = tf.Session()
while True:
    sess.run(tf.global_variables_initializer())
    break
# --- case: the iterable is made once
sess = tf.Session()
for row in sess.run(tf.range(10)):
    print(row)
# --- whole: tests only note
x = 1
# --- file: model_test.py
import tensorflow as tf


def test_step():
    with tf.Session() as sess:
        for step in range(100):
            sess.run(tf.constant(1))  # expect: PP103 low
# --- case: a saver's initializer at each epoch
sess = tf.Session()
for epoch in range(num_epochs):
    sess.run(tf.local_variables_initializer())  # expect: PP103 low
    sess.run(train_op)
# --- case: a graph of its own for each model, reset at the end of the round
def check_all(models, x_value):
    for make in models:
        x = tf.placeholder(tf.float32, (1, 224, 224, 3))
        y = make(x)
        with tf.Session() as sess:
            sess.run(tf.argmax(y, 1), feed_dict={x: x_value})
        tf.reset_default_graph()
# --- case: a method that runs once, and one that fetches what was built before
class Classifier:
    def __init__(self, logits):
        self._sess = tf.Session()
        self._probabilities = tf.nn.softmax(logits)

    def restore(self, value):
        self._sess.run(tf.assign(self._value, value))

    def predict(self, text):
        return self._sess.run(self._probabilities, {self._x: text})
# --- case: a session of the method's own
class Classifier:
    def predict(self, text):
        with tf.Graph().as_default(), tf.Session() as sess:
            return sess.run(tf.nn.softmax(build(text)))
# --- case: a method that is there to be called for each request, with the object's session
class Classifier:
    def __init__(self, logits, x):
        self._sess = tf.Session()
        self._logits = logits
        self._x = x

    def predict(self, text):
        return self._sess.run(tf.nn.softmax(self._logits), {self._x: text})  # expect: PP103 low
# --- whole: once in an epoch that has its own loop of steps
import tensorflow.compat.v1 as tf

with tf.Session() as sess:
    for epoch in range(100):
        for batch in batches:
            sess.run(train, {x: batch})
        sess.run(tf.assign(rate, 0.1))  # expect: PP103 low
# --- whole: it waits for a machine to answer
import time

import tensorflow.compat.v1 as tf

while True:
    try:
        with tf.Session(target) as sess:
            print(sess.run(tf.argmax(x, 1)))  # expect: PP103 low
            break
    except tf.errors.UnavailableError:
        time.sleep(5)
# --- whole: an assignment for each variable only notes
import tensorflow.compat.v1 as tf


def sync(sess, variables, values):
    for variable in variables:
        sess.run(tf.assign(variable, values[variable]))  # expect: PP103 low


def restore(sess, variables, values):
    for variable, value in zip(variables, values):
        sess.run(variable.assign(value))  # expect: PP103 low
# --- whole: all assignments in one run; two of them; one that was made before
import tensorflow.compat.v1 as tf


def sync(sess, variables, values):
    sess.run([tf.assign(variable, value) for variable, value in zip(variables, values)])
    for variable in (variables.a, variables.b):
        sess.run(tf.assign(variable, 0.0))
    for op in values.assigns:
        sess.run(op)
# --- case: each call has a graph of its own
def inference(path):
    with tf.Graph().as_default():
        record = read(path).make_initializable_iterator().get_next()
        with tf.Session() as sess:
            sess.run([tf.initializers.global_variables(), tf.initializers.local_variables()])
            return sess.run(record)


for path in tf.contrib.training.checkpoints_iterator("models"):
    print(inference(path))
