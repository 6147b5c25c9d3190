import tensorflow as tf
# --- case: a tensor
@tf.function
def train_step(x, step):
    return x


for step in range(10000):
    train_step(data, tf.constant(step))  # lacks: no argument is seen to be another Python number or text in its rounds
    train_step(data, tf.convert_to_tensor(step, tf.int64))
# --- case: a variable that counts
@tf.function
def train_step(x, step):
    return x


count = tf.Variable(0)
for batch in dataset:
    count.assign_add(1)
    train_step(batch, count)
# --- case: a signature makes tensors
@tf.function(input_signature=[tf.TensorSpec([], tf.int32)])
def step(i):
    return i


for i in range(1000):
    step(i)
# --- case: no tf.function
def step(x, i):
    return x


for i in range(1000):
    step(data, i)
# --- case: a handful of values
@tf.function
def step(x, training):
    return x


for i in range(3):
    step(data, i)
for training in [True, False]:
    step(data, training)
# --- case: constants
@tf.function
def step(x, rate, name, training=True):
    return x


for batch in dataset:
    step(batch, 0.1, "train", training=False)
# --- case: counted by TensorFlow
@tf.function
def step(x, i):
    return x


for i in tf.range(1000):
    step(data, i)
# --- case: batches of one size
@tf.function
def step(x):
    return x


for i in range(0, 10000, 32):
    step(data[i:i + 32])
    step(data[i])
# --- case: inside a tf.function, where the loop is unrolled once
@tf.function
def inner(x, i):
    return x * i


@tf.function
def outer(x):
    for i in range(100):
        x = inner(x, i)
    return x
# --- case: every hundredth
@tf.function
def step(x, summarize):
    return x


for i in range(10000):
    step(data, i % 100 == 0)
    step(data, i % 2)
# --- case: shapes are relaxed
@tf.function(reduce_retracing=True)
def score(prefix):
    return tf.reduce_sum(prefix)


for i in range(1, 500):
    score(sequence[:i])
# --- case: the counter is used elsewhere
@tf.function
def step(x):
    return x


for i, batch in enumerate(dataset):
    loss = step(batch)
    print(f"step {i}: {loss}")
    if i > 100:
        break
# --- case: elements of data are not counters
@tf.function
def step(x, y):
    return x


for x, y in zip(xs, ys):
    step(x, y)
for i, (x, y) in enumerate(dataset):
    step(x, y)
# --- case: once
@tf.function
def step(x, n):
    return x


n = 3
n += 1
step(data, n)
# --- whole: tests only note
x = 1
# --- file: test_retrace.py
import tensorflow as tf


@tf.function
def step(i):
    return i


def test_it():
    for i in range(100):
        step(i)  # expect: PP404 low
