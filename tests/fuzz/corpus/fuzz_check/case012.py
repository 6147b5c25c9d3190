import tensorflow as tf

table = tf.random.normal([100])
for i in range(100000):
    print(i * tf.nn.softmax(table))  # expect: PP101
