import tensorflow as tf

sess = tf.Session()
for step in range(1000):
    sess.run(train_op, feed_dict={x: data.next_batch(step)})
