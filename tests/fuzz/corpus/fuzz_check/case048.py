import tensorflow as tf

sess = tf.Session()
values = [sess.run(tf.square(x), {x: b}) for b in batches]  # expect: PP103
