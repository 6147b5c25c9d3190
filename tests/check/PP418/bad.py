import tensorflow as tf
# --- case: a loss
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        feed = {x: xs[step], y: ys[step]}
        sess.run(train_op, feed_dict=feed)
        value = sess.run(loss, feed_dict=feed)  # expect: PP418
# --- case: dictionaries
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        sess.run(train_op, feed_dict={x: xs[step], y: ys[step]})
        value = sess.run(loss, feed_dict={x: xs[step], y: ys[step]})  # expect: PP418
# --- case: by position
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        sess.run(train_op, {x: xs[step]})
        print(sess.run(loss, {x: xs[step]}))  # expect: PP418
# --- case: a part of what is fed
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        sess.run(train_op, feed_dict={x: batch, z: noise})
        error = sess.run(loss_fake, feed_dict={z: noise})  # expect: PP418
        other = sess.run(loss_real, {x: batch})
# --- case: several runs
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        sess.run(d_optim, feed_dict={x: batch, z: noise})
        sess.run(g_optim, feed_dict={z: noise})
        a = sess.run(d_loss, feed_dict={x: batch, z: noise})  # expect: PP418
        b = sess.run(g_loss, feed_dict={z: noise})
# --- case: the op runs itself
train_op = tf.train.AdamOptimizer().minimize(loss)
accuracy = tf.reduce_mean(tf.cast(correct, tf.float32))
with tf.Session() as sess:
    for step in range(10000):
        train_op.run(feed_dict={x: batch})
        value = accuracy.eval(feed_dict={x: batch})  # expect: PP418
# --- case: a sum
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        xs, ys = data.next_batch(100)
        feed = {x: xs, y: ys}
        sess.run(train_op, feed_dict=feed)
        average += sess.run(loss, feed_dict=feed) / total  # expect: PP418
# --- case: in a function
train_op = tf.train.AdamOptimizer().minimize(loss)
def train(sess):
    for batch in batches:
        sess.run(train_op, feed_dict={x: batch})
        losses.append(sess.run(loss, feed_dict={x: batch}))  # expect: PP418
# --- case: in a method
class Model:
    def train(self):
        self.optim = tf.train.AdamOptimizer().minimize(self.loss)
        for idx in range(1000):
            _ = self.sess.run(self.optim, feed_dict={self.x: batch})
            loss = self.sess.run(self.loss, feed_dict={self.x: batch})  # expect: PP418
# --- case: an inner loop
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for epoch in range(100):
        for batch in batches:
            sess.run(train_op, feed_dict={x: batch})
            value = sess.run(loss, feed_dict={x: batch})  # expect: PP418
# --- case: while
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    while step < 100000:
        sess.run(train_op, feed_dict={x: batch})
        value = sess.run(loss, feed_dict={x: batch})  # expect: PP418
        step += 1
# --- whole: compat.v1
import tensorflow.compat.v1 as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        sess.run(train_op, feed_dict={x: batch})
        value, right = sess.run([loss, accuracy], feed_dict={x: batch})  # expect: PP418
# --- case: other blanks
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        sess.run(train_op, feed_dict={x: batch, y: labels})
        value = sess.run(loss, feed_dict={x:batch,  # expect: PP418
                                          y:labels})
