# --- case: a variable, filled place by place
import tensorflow as tf

filled = tf.Variable(tf.zeros([100, 200]))
for index, value in zip(indices, values):
    filled[index[0], index[1]].assign(value)  # expect: PP410
for i in range(100):
    filled[i, 0].assign(float(i))  # expect: PP410
# --- case: a row in each round
import tensorflow as tf

v = tf.Variable(tf.zeros([1000, 20]))
for i in range(1000):
    v[i].assign(row(i))  # expect: PP410
# --- case: a place in each round
import tensorflow as tf

v = tf.Variable(tf.zeros([1000, 20]))
for i, x in enumerate(values):
    v[i, 3].assign(x)  # expect: PP410
# --- case: over places
import tensorflow as tf

v = tf.Variable(tf.zeros([1000, 20]))
for place in places:
    v[place].assign(tf.zeros([20]))  # expect: PP410
# --- case: pairs
import tensorflow as tf

v = tf.Variable(tf.zeros([1000, 20]))
for i, j in pairs:
    v[i, j].assign(1.0)  # expect: PP410
# --- case: an attribute
import tensorflow as tf


class Memory:
    def __init__(self):
        self.table = tf.Variable(tf.zeros([1000, 20]))

    def write(self, steps, rows):
        for step in steps:
            self.table[step].assign(rows[step])  # expect: PP410
# --- case: compat.v1
import tensorflow.compat.v1 as tf

v = tf.get_variable('v', [1000])
for i in range(1000):
    v[i].assign(0.0)  # expect: PP410
# --- case: in a function
import tensorflow as tf

v = tf.Variable(tf.zeros([1000, 20]))

def fill(values):
    for i in range(len(values)):
        v[i].assign(values[i])  # expect: PP410
# --- case: in a while loop's inner loop
import tensorflow as tf

v = tf.Variable(tf.zeros([1000, 20]))
while running():
    for step in steps:
        v[step].assign(draw())  # expect: PP410
# --- case: a column
import tensorflow as tf

v = tf.Variable(tf.zeros([1000, 20]))
for k in range(400):
    v[:, k].assign(ones)  # expect: PP410
# --- case: what is counted
import tensorflow as tf

v = tf.Variable(tf.zeros([1000, 20]))
for index in indices:
    v[index].assign(v[index] + 1)  # expect: PP410
# --- case: zipped
import tensorflow as tf

v = tf.Variable(tf.zeros([1000, 20]))
for index, row in zip(indices, rows):
    v[index].assign(row)  # expect: PP410
