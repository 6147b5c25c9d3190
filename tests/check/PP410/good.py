# --- case: a variable is set as a whole, or once
import tensorflow as tf

v = tf.Variable(tf.zeros([100]))
for step in range(1000):
    v.assign(tf.ones([100]) * step)
    v[3].assign(1.0)  # lacks: it is not seen to be another place of the same variable in each round
for step in range(1000):
    low = draw(step)
    v[step, low:low + 10].assign(tf.ones([10]))
# --- case: scatter
import tensorflow as tf

v = tf.Variable(tf.zeros([1000, 20]))
v.scatter_nd_update(indices, values)
# --- case: as a whole
import tensorflow as tf

v = tf.Variable(tf.zeros([1000, 20]))
for step in steps:
    v.assign(draw(step))
# --- case: the same place
import tensorflow as tf

v = tf.Variable(tf.zeros([1000, 20]))
for step in steps:
    v[0].assign(draw(step))
# --- case: a handful
import tensorflow as tf

v = tf.Variable(tf.zeros([1000, 20]))
for i in range(3):
    v[i].assign(row(i))
# --- case: no loop
import tensorflow as tf

v = tf.Variable(tf.zeros([1000, 20]))
v[3].assign(row)
# --- case: an array
import numpy as np
import tensorflow as tf

a = np.zeros((1000, 20))
for i in range(1000):
    a[i] = row(i)
# --- case: a list of variables
import tensorflow as tf

vs = [tf.Variable(0.0) for _ in range(9)]
for i in range(1000):
    vs[i].assign(row(i))
# --- case: pieces of many sizes
import tensorflow as tf

v = tf.Variable(tf.zeros([1000, 20]))
for step in steps:
    low = draw(step)
    v[low:low + step].assign(part(step))
# --- case: layers, few of them
import tensorflow as tf

v = tf.Variable(tf.zeros([1000, 20]))
for layer in layers:
    v[layer].assign(row(layer))
# --- case: something that is not known
import tensorflow as tf

for i in range(1000):
    table[i].assign(row(i))
# --- case: much else in the loop
import tensorflow as tf

v = tf.Variable(tf.zeros([1000, 20]))
for i in range(1000):
    a = one(i)
    b = two(a)
    c = three(b)
    d = four(c)
    e = five(d)
    f = six(e)
    g = seven(f)
    h = eight(g)
    k = nine(h)
    m = ten(k)
    v[i].assign(m)
