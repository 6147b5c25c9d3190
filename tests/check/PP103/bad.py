import tensorflow as tf
# --- case: the best-known mistake of all
def train(x, y, steps):
    sess = tf.Session()
    for step in range(steps):
        p = sess.run(tf.argmax(y, 1), feed_dict={x: step})  # expect: PP103
# --- whole: with a session, compat.v1
import tensorflow.compat.v1 as tf

logits = tf.placeholder(tf.float32, [None, 10])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(100):
        value = sess.run(tf.reduce_mean(logits))  # expect: PP103
# --- case: while
with tf.Session() as s:
    while True:
        s.run(tf.assign(v, v + 1))  # expect: PP103
# --- case: in a list of fetches
sess = tf.InteractiveSession()
for batch in batches:
    loss, accuracy = sess.run([loss_op, tf.reduce_mean(correct)])  # expect: PP103
# --- case: in a dictionary of fetches, by keyword
def fit(sess, batches, loss):
    for batch in batches:
        sess.run(fetches={"a": loss, "b": tf.sqrt(loss)}, feed_dict=batch)  # expect: PP103
# --- case: a method that the loop calls
class Model:
    def __init__(self):
        self.sess = tf.Session()
        self.logits = tf.placeholder(tf.float32)

    def step(self, data):
        return self.sess.run(tf.nn.softmax(self.logits), {self.logits: data})  # expect: PP103

    def train(self, data):
        for batch in data:
            self.step(batch)
# --- whole: across files, two calls deep
from helper import evaluate


def main(sess, steps):
    for step in range(steps):
        report(sess)


def report(sess):
    print(evaluate(sess))
# --- file: helper.py
import tensorflow as tf


def evaluate(sess):
    return sess.run(tf.constant(1) + 1)  # expect: PP103
# --- case: eval of an op
with tf.Session() as sess:
    for i in range(1000):
        print(tf.argmax(logits, 1).eval(feed_dict={x: i}))  # expect: PP103
# --- case: Keras' backend
import keras.backend as K

sess = tf.Session()
for step in range(500):
    sess.run(K.mean(loss))  # expect: PP103
# --- whole: from tensorflow import
from tensorflow import Session, argmax

sess = Session()
for step in range(500):
    sess.run(argmax(x, 1))  # expect: PP103
# --- case: after an inner loop the outer one goes on
sess = tf.Session()
for epoch in range(num_epochs):
    for layer in layers:
        print(layer)
    sess.run(tf.reduce_sum(total))  # expect: PP103
# --- case: a comprehension over batches
sess = tf.Session()
values = [sess.run(tf.square(x), {x: b}) for b in batches]  # expect: PP103
# --- case: Python 2 in the same file
sess = tf.Session()
for i in xrange(10000):
    print sess.run(tf.matmul(a, b))  # expect: PP103
