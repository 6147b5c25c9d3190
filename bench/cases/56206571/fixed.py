"""Post 56206571: the place of the least number of each row, zeros not counted.

Taking the zeros out gives rows of unequal length, so each row needs its turn: a search for its
other numbers, their minimum, and the way back to its place. Nothing has to be taken out: where
zeros are replaced by infinity, argmin() never chooses them, and works on all rows together.
"""

import numpy as np
import tensorflow.compat.v1 as tf

import ppcase

tf.disable_v2_behavior()

STEPS = 20
ROWS = 4000
COLUMNS = 50


rng = np.random.default_rng(0)
tables = rng.integers(0, 4, (STEPS, ROWS, COLUMNS)) * rng.random((STEPS, ROWS, COLUMNS))
table = tf.placeholder(tf.float64, [ROWS, COLUMNS])
infinite = tf.constant(np.full((ROWS, COLUMNS), np.inf))
place = tf.argmin(tf.where(tf.equal(table, 0), infinite, table), axis=1)

with tf.Session() as session:
    for _ in ppcase.work():
        places = []
        for one in tables:
            places.append(session.run(place, {table: one}))

ppcase.digest(places)
