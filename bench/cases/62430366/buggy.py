"""Post 62430366: gather_nd and tensor_scatter_nd_update for a batch.

Both operations have their plain form for one example, so it is tempting to loop over the batch with
map_fn. Each takes a batch as well: the gathering by batch_dims, the update by indices of
two numbers, example and row. That is one run of each operation instead of one for each example.
"""

import numpy as np
import tensorflow as tf

import ppcase

BATCH, ROWS, PICKED = 12000, 20, 4

rng = np.random.default_rng(41)
memory = tf.constant(rng.normal(size=(BATCH, ROWS, 3)), tf.float32)
where = tf.constant(np.argsort(rng.random((BATCH, ROWS)), axis=1)[:, :PICKED, None], tf.int32)


def doubled(rows, index):
    """Double the rows that the index picks."""
    return tf.tensor_scatter_nd_update(rows, index, 2 * tf.gather_nd(rows, index))


@tf.function
def doubled_in_batch(batch, index):
    return tf.map_fn(lambda pair: doubled(*pair), (batch, index), fn_output_signature=tf.float32)


for _ in ppcase.work():
    batch = memory
    for _ in range(8):
        batch = doubled_in_batch(batch, where)
    result = batch.numpy()
ppcase.digest(result)
