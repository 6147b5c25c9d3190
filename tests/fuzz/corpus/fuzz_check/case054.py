import tensorflow as tf

for fold in range(100):
    with tf.Graph().as_default():
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
