import tensorflow.compat.v1 as tf
# --- case: read
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        _, value = sess.run([train_op, loss])
        print(value)
# --- case: read after the loop
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        _, value = sess.run([train_op, loss])
print(value)
# --- case: read now and then
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        _, value = sess.run([train_op, loss])
        if step % 100 == 0:
            print(value)
# --- case: named as nothing
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        _, _, _image = sess.run([train_op, loss, fake])
# --- case: an op that trains
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        result, value = sess.run([train_op, loss])
        print(value)
# --- case: an op that assigns
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        result, value = sess.run([assign_rate, loss])
        print(value)
# --- case: one name
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        values = sess.run([train_op, loss])
# --- case: a list that is made elsewhere
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        _, value = sess.run(fetches)
# --- case: once
sess = tf.Session()
image, value = sess.run([fake, loss])
# --- case: a global
train_op = tf.train.AdamOptimizer().minimize(loss)


def show():
    print(value)


with tf.Session() as sess:
    for step in range(10000):
        _, value = sess.run([train_op, loss])
        show()
# --- case: a dictionary
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        found = sess.run({"loss": loss})
# --- case: a counter
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        _, n = sess.run([train_op, global_step])
        print(1)
