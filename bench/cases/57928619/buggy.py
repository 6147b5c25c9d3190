"""Post 57928619: encoding the rows of a table takes more and more memory.

In graph mode, calling a text encoder means building it. Done for each row, the graph gains a whole
encoder per row, and the session keeps what it prepared for every one of them, until memory runs
out. A small encoder of hashed words stands for the large published one here.
"""

import numpy as np
import tensorflow.compat.v1 as tf

import ppcase

tf.disable_v2_behavior()

ROWS = 40
WORDS = 1000
WIDTH = 64
LAYERS = 6

rng = np.random.default_rng(0)
table = [" ".join(f"word{n}" for n in rng.integers(0, WORDS, 12)) for _ in range(ROWS)]
words = tf.Variable(rng.normal(size=(WORDS, WIDTH)).astype(np.float32))
layers = [tf.Variable(rng.normal(0, 0.2, (WIDTH, WIDTH)).astype(np.float32))
          for _ in range(LAYERS)]


def encode(texts):
    split = tf.sparse.to_dense(tf.strings.split(texts), default_value="")
    hidden = tf.gather(words, tf.strings.to_hash_bucket_fast(split, WORDS))
    for layer in layers:
        scores = tf.nn.softmax(tf.matmul(hidden, hidden, transpose_b=True))
        hidden = tf.nn.relu(tf.tensordot(tf.matmul(scores, hidden), layer, 1))
    return tf.nn.l2_normalize(tf.reduce_sum(hidden, axis=1), axis=1)


codes = []
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    with ppcase.work():
        for row in ppcase.steps(table):
            codes.append(session.run(encode([row])))

ppcase.digest(codes)
