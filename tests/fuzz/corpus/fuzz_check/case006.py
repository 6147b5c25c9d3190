from tensorflow import zeros
import tensorflow as tf

tfm = tf.math


def f(data, table):
    for row in data:
        a = row + zeros([512])  # expect: PP101
        b = row + tfm.log(table)  # expect: PP101
