# --- case: a tensor
import tensorflow as tf


@tf.function
def train_step(x, step):
    return x


for step in range(10000):
    train_step(data, tf.constant(step))
    train_step(data, tf.convert_to_tensor(step, tf.int64))
# --- case: a variable that counts
import tensorflow as tf


@tf.function
def train_step(x, step):
    return x


count = tf.Variable(0)
for batch in dataset:
    count.assign_add(1)
    train_step(batch, count)
# --- case: a signature makes tensors
import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
def step(i):
    return i


for i in range(1000):
    step(i)
# --- case: no tf.function
import tensorflow as tf


def step(x, i):
    return x


for i in range(1000):
    step(data, i)
# --- case: a handful of values
import tensorflow as tf


@tf.function
def step(x, training):
    return x


for i in range(3):
    step(data, i)
for training in [True, False]:
    step(data, training)
# --- case: constants
import tensorflow as tf


@tf.function
def step(x, rate, name, training=True):
    return x


for batch in dataset:
    step(batch, 0.1, "train", training=False)
# --- case: counted by TensorFlow
import tensorflow as tf


@tf.function
def step(x, i):
    return x


for i in tf.range(1000):
    step(data, i)
# --- case: batches of one size
import tensorflow as tf


@tf.function
def step(x):
    return x


for i in range(0, 10000, 32):
    step(data[i:i + 32])
    step(data[i])
# --- case: inside a tf.function, where the loop is unrolled once
import tensorflow as tf


@tf.function
def inner(x, i):
    return x * i


@tf.function
def outer(x):
    for i in range(100):
        x = inner(x, i)
    return x
# --- case: every hundredth
import tensorflow as tf


@tf.function
def step(x, summarize):
    return x


for i in range(10000):
    step(data, i % 100 == 0)
    step(data, i % 2)
# --- case: shapes are relaxed
import tensorflow as tf


@tf.function(reduce_retracing=True)
def score(prefix):
    return tf.reduce_sum(prefix)


for i in range(1, 500):
    score(sequence[:i])
# --- case: the counter is used elsewhere
import tensorflow as tf


@tf.function
def step(x):
    return x


for i, batch in enumerate(dataset):
    loss = step(batch)
    print(f"step {i}: {loss}")
    if i > 100:
        break
# --- case: elements of data are not counters
import tensorflow as tf


@tf.function
def step(x, y):
    return x


for x, y in zip(xs, ys):
    step(x, y)
for i, (x, y) in enumerate(dataset):
    step(x, y)
# --- case: once
import tensorflow as tf


@tf.function
def step(x, n):
    return x


n = 3
n += 1
step(data, n)
# --- case: tests only note
x = 1
# --- file: test_retrace.py
import tensorflow as tf


@tf.function
def step(i):
    return i


def test_it():
    for i in range(100):
        step(i)  # expect: PP404 low
