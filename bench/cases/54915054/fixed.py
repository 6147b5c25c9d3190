"""Post 54915054: feeding large data that never changes, step after step.

feed_dict hands its arrays over at every run(): numpy's 64-bit floats are turned into 32-bit ones
and copied, all of them, though a step reads a few rows. A variable which is filled once keeps the
table where the operations are, and a step feeds just the numbers of the rows that it wants.
"""

import numpy as np
import tensorflow.compat.v1 as tf

import ppcase

tf.disable_v2_behavior()

STEPS = 130
ROWS = 100000
WIDTH = 64
BATCH = 128

rng = np.random.default_rng(0)
data = rng.random((ROWS, WIDTH))
wanted = rng.integers(0, ROWS, (STEPS, BATCH))

fed = tf.placeholder(tf.float32, [ROWS, WIDTH])
rows = tf.placeholder(tf.int64, [BATCH])
table = tf.Variable(fed, trainable=False)
output = tf.reduce_sum(tf.tanh(tf.gather(table, rows)), axis=1)

with tf.Session() as session:
    for _ in ppcase.work():
        outputs = []
        session.run(tf.global_variables_initializer(), {fed: data})
        for batch in wanted:
            outputs.append(session.run(output, {rows: batch}))

ppcase.digest(outputs)
