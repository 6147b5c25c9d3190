import tensorflow as tf


def train(steps, x):
    for step in range(steps):
        y = tf.matmul(x[step], tf.eye(100))  # expect: PP101
