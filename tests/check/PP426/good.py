import tensorflow.compat.v1 as tf
# --- case: attention
x = tf.placeholder(tf.float32, [None, 50, 8])
cell = AttentionWrapper(tf.nn.rnn_cell.GRUCell(128), attention)
outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: a cell of the project
x = tf.placeholder(tf.float32, [None, 50, 8])
cell = MyCell(128)
outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: cuDNN
x = tf.placeholder(tf.float32, [None, 50, 8])
outputs = tf.contrib.cudnn_rnn.CudnnGRU(1, 128)(x)
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: a fused cell
x = tf.placeholder(tf.float32, [None, 50, 8])
cell = tf.contrib.rnn.LSTMBlockFusedCell(128)
outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: another activation
x = tf.placeholder(tf.float32, [None, 50, 8])
cell = tf.nn.rnn_cell.GRUCell(128, activation=tf.nn.relu)
outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: a projection
x = tf.placeholder(tf.float32, [None, 50, 8])
cell = tf.nn.rnn_cell.LSTMCell(128, num_proj=64)
outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- whole: Keras' layer
import tensorflow as tf

outputs = tf.keras.layers.GRU(128)(x)
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: one of two cells
x = tf.placeholder(tf.float32, [None, 50, 8])
if small:
    cell = tf.nn.rnn_cell.GRUCell(8)
else:
    cell = MyCell(8)
outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: a parameter
x = tf.placeholder(tf.float32, [None, 50, 8])
def layer(cell, x):
    return tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: residual
x = tf.placeholder(tf.float32, [None, 50, 8])
cell = tf.nn.rnn_cell.ResidualWrapper(tf.nn.rnn_cell.GRUCell(128))
outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: a simple cell
x = tf.placeholder(tf.float32, [None, 50, 8])
cell = tf.nn.rnn_cell.BasicRNNCell(128)
outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: one step
x = tf.placeholder(tf.float32, [None, 50, 8])
cell = tf.nn.rnn_cell.GRUCell(128)
output, state = cell(x[:, 0], state)
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: nothing trains it
x = tf.placeholder(tf.float32, [None, 50, 8])
cell = tf.nn.rnn_cell.GRUCell(128)
outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
