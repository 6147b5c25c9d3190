import tensorflow as tf


def f(data, table):
    x = None
    for row in data:
        if x is None:
            x = tf.exp(table)
        print(row + x)
