"""Post 50927298, first problem: mini-batch k-means whose processor is idle half of the time.

A step asks the iterator for a batch, which is decoded only then; the arithmetic waits for it, and
afterwards the decoding waits for the arithmetic. With prefetch() another thread decodes the next
batch meanwhile. One thread computes here, as the one accelerator of the post did.
"""

import gzip

import numpy as np
import tensorflow.compat.v1 as tf

import ppcase

tf.disable_v2_behavior()

STEPS = 120
POINTS = 8192
WIDTH = 64
CLUSTERS = 340


def decode(packed):
    return tf.reshape(tf.io.decode_raw(tf.io.decode_compressed(packed, "GZIP"), tf.float32),
                      [POINTS, WIDTH])


def pack(number):
    rng = np.random.default_rng(number)
    return gzip.compress(rng.random((POINTS, WIDTH), dtype=np.float32).tobytes(), 1)


packed = [pack(number) for number in range(4)]
dataset = tf.data.Dataset.from_tensor_slices(packed).repeat().map(decode)
dataset = dataset.prefetch(2)
points = tf.data.make_one_shot_iterator(dataset).get_next()

centres = tf.Variable(np.random.default_rng(9).random((CLUSTERS, WIDTH), dtype=np.float32))
distance = tf.reduce_sum(centres ** 2, 1) - 2 * points @ tf.transpose(centres)
nearest = tf.argmin(distance, axis=1)
moved = tf.math.unsorted_segment_mean(points, nearest, CLUSTERS)
update = centres.assign(0.9 * centres + 0.1 * moved)

one_core = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=2)
with tf.Session(config=one_core) as session:
    session.run(tf.global_variables_initializer())
    with ppcase.work():
        for _ in range(STEPS):
            session.run(update)
    ppcase.digest(session.run(centres))
