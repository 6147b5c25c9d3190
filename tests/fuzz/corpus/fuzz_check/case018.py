import tensorflow as tf


def f(data):
    rows = []
    for row in data:
        rows.append(row)
        print(tf.stack(rows))
