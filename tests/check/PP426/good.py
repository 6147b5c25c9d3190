# --- case: attention
import tensorflow.compat.v1 as tf

x = tf.placeholder(tf.float32, [None, 50, 8])
cell = AttentionWrapper(tf.nn.rnn_cell.GRUCell(128), attention)
outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: a cell of the project
import tensorflow.compat.v1 as tf

x = tf.placeholder(tf.float32, [None, 50, 8])
cell = MyCell(128)
outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: cuDNN
import tensorflow.compat.v1 as tf

x = tf.placeholder(tf.float32, [None, 50, 8])
outputs = tf.contrib.cudnn_rnn.CudnnGRU(1, 128)(x)
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: a fused cell
import tensorflow.compat.v1 as tf

x = tf.placeholder(tf.float32, [None, 50, 8])
cell = tf.contrib.rnn.LSTMBlockFusedCell(128)
outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: another activation
import tensorflow.compat.v1 as tf

x = tf.placeholder(tf.float32, [None, 50, 8])
cell = tf.nn.rnn_cell.GRUCell(128, activation=tf.nn.relu)
outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: a projection
import tensorflow.compat.v1 as tf

x = tf.placeholder(tf.float32, [None, 50, 8])
cell = tf.nn.rnn_cell.LSTMCell(128, num_proj=64)
outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: Keras' layer
import tensorflow as tf

outputs = tf.keras.layers.GRU(128)(x)
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: one of two cells
import tensorflow.compat.v1 as tf

x = tf.placeholder(tf.float32, [None, 50, 8])
if small:
    cell = tf.nn.rnn_cell.GRUCell(8)
else:
    cell = MyCell(8)
outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: a parameter
import tensorflow.compat.v1 as tf

x = tf.placeholder(tf.float32, [None, 50, 8])
def layer(cell, x):
    return tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: residual
import tensorflow.compat.v1 as tf

x = tf.placeholder(tf.float32, [None, 50, 8])
cell = tf.nn.rnn_cell.ResidualWrapper(tf.nn.rnn_cell.GRUCell(128))
outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: a simple cell
import tensorflow.compat.v1 as tf

x = tf.placeholder(tf.float32, [None, 50, 8])
cell = tf.nn.rnn_cell.BasicRNNCell(128)
outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: one step
import tensorflow.compat.v1 as tf

x = tf.placeholder(tf.float32, [None, 50, 8])
cell = tf.nn.rnn_cell.GRUCell(128)
output, state = cell(x[:, 0], state)
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: nothing trains it
import tensorflow.compat.v1 as tf

x = tf.placeholder(tf.float32, [None, 50, 8])
cell = tf.nn.rnn_cell.GRUCell(128)
outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
