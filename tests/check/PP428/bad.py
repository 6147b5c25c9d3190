import tensorflow.compat.v1 as tf
# --- case: an image
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        _, value, image = sess.run([train_op, loss, fake], feed_dict={x: batch})  # expect: PP428 low
        print(value)
# --- case: the first of two
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        image, value = sess.run([fake, loss])  # expect: PP428 low
        print(value)
# --- case: without training
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        image, value = sess.run((fake, loss))  # expect: PP428 low
        print(value)
# --- case: of attributes
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        _, image, value = sess.run([model.train_op, model.fake, model.loss])  # expect: PP428 low
        print(value)
# --- case: two
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        _, a, b = sess.run([train_op, first, second])  # expect: PP428 low
# --- case: read by another name
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        _, image = sess.run([train_op, fake])  # expect: PP428 low
        print(images)
# --- case: by keyword
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        _, image = sess.run(fetches=[train_op, fake], feed_dict={x: batch})  # expect: PP428 low
# --- case: in a function
def train(sess, train_op):
    for step in range(10000):
        _, image = sess.run([train_op, fake])  # expect: PP428 low
# --- case: in a method
class Model:
    def train(self):
        for step in range(10000):
            _, image = self.sess.run([self.train_op, self.fake])  # expect: PP428 low
# --- case: a step that the loop calls
def train_step(sess):
    _, image = sess.run([train_op, fake])  # expect: PP428 low


for step in range(10000):
    train_step(sess)
# --- case: in parentheses
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        (_, image) = sess.run([train_op, fake])  # expect: PP428 low
# --- case: while
sess = tf.Session()
while step < 10000:
    _, image = sess.run([train_op, fake])  # expect: PP428 low
    step += 1
