import tensorflow.compat.v1 as tf
# --- case: GRU
x = tf.placeholder(tf.float32, [None, 50, 8])
cell = tf.nn.rnn_cell.GRUCell(128)
outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)  # expect: PP426
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: LSTM
x = tf.placeholder(tf.float32, [None, 50, 8])
cell = tf.nn.rnn_cell.LSTMCell(128)
outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)  # expect: PP426
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: basic LSTM
x = tf.placeholder(tf.float32, [None, 50, 8])
cell = tf.nn.rnn_cell.BasicLSTMCell(128)
outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)  # expect: PP426
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- whole: contrib
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 50, 8])
cell = tf.contrib.rnn.GRUCell(128)
outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)  # expect: PP426
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: in place
x = tf.placeholder(tf.float32, [None, 50, 8])
outputs, state = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(128), x, dtype=tf.float32)  # expect: PP426
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: by keyword
x = tf.placeholder(tf.float32, [None, 50, 8])
cell = tf.nn.rnn_cell.GRUCell(128)
outputs, state = tf.nn.dynamic_rnn(cell=cell, inputs=x, dtype=tf.float32)  # expect: PP426
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: layers
x = tf.placeholder(tf.float32, [None, 50, 8])
cell = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(128), tf.nn.rnn_cell.GRUCell(128)])
outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)  # expect: PP426
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: layers by a comprehension
x = tf.placeholder(tf.float32, [None, 50, 8])
cell = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.GRUCell(128) for i in range(3)])
outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)  # expect: PP426
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: the same in layers
x = tf.placeholder(tf.float32, [None, 50, 8])
one = tf.nn.rnn_cell.GRUCell(128)
cell = tf.nn.rnn_cell.MultiRNNCell([one] * 2)
outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)  # expect: PP426
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: dropout
x = tf.placeholder(tf.float32, [None, 50, 8])
cell = tf.nn.rnn_cell.DropoutWrapper(tf.nn.rnn_cell.LSTMCell(128), output_keep_prob=0.5)
outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)  # expect: PP426
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: both directions
x = tf.placeholder(tf.float32, [None, 50, 8])
forth = tf.nn.rnn_cell.GRUCell(128)
back = tf.nn.rnn_cell.GRUCell(128)
outputs, state = tf.nn.bidirectional_dynamic_rnn(forth, back, x, dtype=tf.float32)  # expect: PP426
train_op = tf.train.AdamOptimizer().minimize(loss)
# --- case: in a function
x = tf.placeholder(tf.float32, [None, 50, 8])
def layer(x):
    cell = tf.nn.rnn_cell.GRUCell(128)
    return tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)  # expect: PP426
train_op = tf.train.AdamOptimizer().minimize(loss)
