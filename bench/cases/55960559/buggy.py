"""Post 55960559: extracting several columns of a tensor.

A slice for each column and a stack() of all of them are as many operations as there are columns,
and one more. gather() takes the list of columns and copies them in a single operation.
"""

import numpy as np
import tensorflow as tf

import ppcase

STEPS = 10
ROWS = 256
COLUMNS = 1000

rng = np.random.default_rng(0)
table = tf.constant(rng.random((ROWS, COLUMNS), dtype=np.float32))
wanted = rng.permutation(COLUMNS)[:COLUMNS // 2]

for _ in ppcase.work():
    sums = []
    for _ in range(STEPS):
        columns = tf.stack([table[:, column] for column in wanted], axis=1)
        sums.append(tf.reduce_sum(columns, axis=1))

ppcase.digest(sums, columns)
