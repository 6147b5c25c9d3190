# --- case: read
import tensorflow.compat.v1 as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        _, value = sess.run([train_op, loss])
        print(value)
# --- case: read after the loop
import tensorflow.compat.v1 as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        _, value = sess.run([train_op, loss])
print(value)
# --- case: read now and then
import tensorflow.compat.v1 as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        _, value = sess.run([train_op, loss])
        if step % 100 == 0:
            print(value)
# --- case: named as nothing
import tensorflow.compat.v1 as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        _, _, _image = sess.run([train_op, loss, fake])
# --- case: an op that trains
import tensorflow.compat.v1 as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        result, value = sess.run([train_op, loss])
        print(value)
# --- case: an op that assigns
import tensorflow.compat.v1 as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        result, value = sess.run([assign_rate, loss])
        print(value)
# --- case: one name
import tensorflow.compat.v1 as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        values = sess.run([train_op, loss])
# --- case: a list that is made elsewhere
import tensorflow.compat.v1 as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        _, value = sess.run(fetches)
# --- case: once
import tensorflow.compat.v1 as tf

sess = tf.Session()
image, value = sess.run([fake, loss])
# --- case: a global
import tensorflow.compat.v1 as tf

train_op = tf.train.AdamOptimizer().minimize(loss)


def show():
    print(value)


with tf.Session() as sess:
    for step in range(10000):
        _, value = sess.run([train_op, loss])
        show()
# --- case: a dictionary
import tensorflow.compat.v1 as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        found = sess.run({"loss": loss})
# --- case: a counter
import tensorflow.compat.v1 as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        _, n = sess.run([train_op, global_step])
        print(1)
