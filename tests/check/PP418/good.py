import tensorflow as tf
# --- case: in one run
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        _, value = sess.run([train_op, loss], feed_dict={x: batch})
# --- case: now and then
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        sess.run(train_op, feed_dict={x: batch})
        if step % 100 == 0:
            print(sess.run(loss, feed_dict={x: batch}))
# --- case: other data
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        sess.run(train_op, feed_dict={x: batch})
        print(sess.run(loss, feed_dict={x: test}))
# --- case: without dropout
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        sess.run(train_op, feed_dict={x: batch, keep: 0.5})
        value = sess.run(accuracy, feed_dict={x: batch, keep: 1.0})
# --- case: more is fed
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        sess.run(train_op, feed_dict={x: batch})
        value = sess.run(accuracy, feed_dict={x: batch, keep: 1.0})
# --- case: another batch
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        sess.run(train_op, feed_dict={x: batch})
        batch = data.next_batch()
        value = sess.run(loss, feed_dict={x: batch})
# --- case: another batch by a call
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        sess.run(train_op, feed_dict={x: data.next()})
        value = sess.run(loss, feed_dict={x: data.next()})
# --- case: an assignment
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        sess.run(train_op, feed_dict={x: batch})
        sess.run(assign_target, feed_dict={x: batch})
# --- case: two that train
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        sess.run(train_op, feed_dict={x: batch})
        sess.run(train_op, feed_dict={x: batch})
# --- case: after the loop
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        sess.run(train_op, feed_dict={x: batch})
    value = sess.run(loss, feed_dict={x: batch})
# --- case: a few rounds
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(5):
        sess.run(train_op, feed_dict={x: batch})
        value = sess.run(loss, feed_dict={x: batch})
# --- case: before the step, for its feed
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        target = sess.run(q, feed_dict={x: following})
        sess.run(train_op, feed_dict={x: batch, y: target})
# --- case: nothing is fed
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        sess.run(train_op)
        value = sess.run(counter)
# --- case: summaries
train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        sess.run(train_op, feed_dict={x: batch})
        summary = sess.run(merged_summary, feed_dict={x: batch})
