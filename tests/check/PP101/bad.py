import tensorflow as tf
# --- case: a constant matrix in a loop over steps
def train(steps, x):
    for step in range(steps):
        y = tf.matmul(x[step], tf.eye(100))  # expect: PP101
# --- whole: TF1: the loop of steps builds nodes
import tensorflow.compat.v1 as tf


def train(sess, op, x, steps):
    for step in range(steps):
        y = tf.nn.softmax(x)  # expect: PP101
        sess.run([op, y])
# --- case: a syntax error elsewhere, names with other letters
def größe(daten, länge):
    for zeile in daten:
        x = zeile + tf.eye(länge)  # expect: PP101


def f(:
# --- case: in a function that the loop calls
@tf.function
def step(x):
    return tf.reduce_sum(x)


def mask():
    return tf.linalg.band_part(tf.ones([512, 512]), -1, 0)  # expect: PP101


def train(batches):
    for step_number, batch in enumerate(batches):
        loss = step(batch * mask())
        print(step_number, loss.numpy())
# --- case: the parameter gets the same in every round
def mask(size, row):
    return row * tf.eye(size)  # expect: PP101


def train(batches, size):
    with tf.GradientTape():
        pass
    for batch in batches:
        print(mask(size, batch).numpy())
# --- case: keywords in another order, and a default
from tensorflow import keras


def window(batch, length=256, low=0.0):
    return batch @ tf.linalg.band_part(tf.fill([length, length], low), 0, -1)  # expect: PP101


@tf.function
def loss_of(x):
    return tf.reduce_sum(x)


low = 0.5
for i in range(10000):
    loss_of(window(low=low, batch=tf.random.normal([256])))
# --- case: a method, and what only __init__ sets
class Agent:
    def __init__(self, n_actions, gamma):
        self.n_actions = n_actions
        self.scale = gamma * 2.0
        self.policy = tf.function(self.forward)

    def forward(self, x):
        return tf.nn.softmax(x)

    def act(self, state):
        weights = tf.linalg.inv(self.scale * tf.eye(self.n_actions))  # expect: PP101
        return self.policy(state @ weights)

    def run(self, env, steps):
        state = env.start()
        for _ in range(steps):
            action = self.act(state).numpy()
            state = env.step(action)
# --- whole: across files
from masks import causal
import tensorflow as tf


@tf.function
def forward(x, mask):
    return tf.matmul(x, mask)


def generate(tokens, length):
    while True:
        tokens = forward(tokens, causal(length)).numpy()
        print(tokens)
# --- file: masks.py
import tensorflow as tf


def causal(length):
    return 1 - tf.linalg.band_part(tf.ones((length, length)), -1, 0)  # expect: PP101
# --- case: three calls deep, through three files
from lib.training import Trainer

trainer = Trainer(64)
for batch in tf.data.TFRecordDataset("records").batch(32):
    print(trainer.step(batch))
# --- file: lib/__init__.py
# --- file: lib/training.py
import tensorflow as tf
from .losses import total


class Trainer:
    def __init__(self, size):
        self.size = size

    @tf.function
    def forward(self, batch):
        return tf.io.decode_raw(batch, tf.float32)

    def step(self, batch):
        return total(self.forward(batch), self.size)
# --- file: lib/losses.py
import tensorflow as tf


def total(values, size):
    return tf.reduce_sum(values * smoothing(size))


def smoothing(n):
    width = 2 * n + 1
    return tf.linalg.band_part(tf.ones([width, width]), 1, 1)  # expect: PP101
# --- whole: a method of a base class in another file
from base import Base
import tensorflow as tf


class Sampler(Base):
    def run(self, stream):
        with tf.GradientTape() as tape:
            pass
        for item in stream:
            print(self.weigh(item).numpy())
# --- file: base.py
import tensorflow as tf


class Base:
    width = 128

    def weigh(self, item):
        return item @ tf.eye(self.width)  # expect: PP101
# --- case: an object that was made before the loop
class Codec:
    def __init__(self, depth):
        self.depth = depth

    def encode(self, ids):
        table = tf.eye(self.depth)  # expect: PP101
        return tf.gather(table, ids)


def main(stream):
    codec = Codec(100)
    step = tf.function(lambda x: x + 1)
    for ids in stream:
        print(step(codec.encode(ids)).numpy())
# --- case: a function inside the function that has the loop
def train(model, optimizer, batches, classes):
    size = classes * 2

    def smooth(labels):
        return labels @ tf.eye(size)  # expect: PP101

    for x, y in batches:
        target = smooth(y)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x) - target))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
# --- case: names of the module that are bound once
SIZES = [3, 5, 7]
DEPTH = len(SIZES)


@tf.function
def model(x):
    return x


def one_step(x):
    return model(x) @ tf.eye(DEPTH)  # expect: PP101


for step in range(100000):
    one_step(tf.random.uniform([3, 3]))
# --- case: what is only put together for another one is part of that
@tf.function
def forward(x):
    return x


def positions(length, dim):
    rows = tf.range(length, dtype=tf.float32)
    rates = tf.pow(10000.0, -tf.range(dim, dtype=tf.float32))
    angles = tf.einsum("i,j->ij", rows, rates)
    return tf.matmul(tf.sin(angles), tf.cos(angles), transpose_b=True)  # expect: PP101


def serve(queue):
    while True:
        batch = queue.get()
        queue.put(forward(batch + positions(512, 64)).numpy())
# --- case: of two loops that call it, one hands over the same
def basis(n):
    return tf.signal.dct(tf.eye(n))  # expect: PP101


def sizes(many):
    for n in many:
        print(basis(n))


def apply(batches):
    with tf.GradientTape() as tape:
        pass
    for batch in batches:
        print(batch @ basis(64))
# --- case: functions that call one another in a circle
def even(n, x):
    return x if n == 0 else odd(n - 1, x)


def odd(n, x):
    y = x @ tf.eye(1000)  # expect: PP101
    return even(n - 1, y)


@tf.function
def f(x):
    return x


for step in range(100000):
    f(odd(7, tf.random.normal([1000])))
# --- case: async loops and awaited calls
@tf.function
def forward(x):
    return x


async def prepare(row):
    return row @ tf.eye(10)  # expect: PP101


async def serve(stream):
    async for row in stream:
        print(forward(await prepare(row)).numpy())
# --- case: a local variable under conditions that do not change
@tf.function
def forward(x):
    return x


def pad(x, size=None):
    if size is None:
        size = 16
    shape = [size, size] if size > 4 else [size]
    return x @ tf.linalg.band_part(tf.zeros(shape), 0, 0)  # expect: PP101


for row in tf.data.Dataset.range(1000000):
    forward(pad(row))
# --- whole: TF1: a helper in another file adds nodes to the graph of a loop of steps
import tensorflow.compat.v1 as tf
from helpers import blur

x = tf.placeholder(tf.float32)
with tf.Session() as sess:
    for step in range(100000):
        sess.run(x, {x: step})
        print(blur())
# --- file: helpers.py
import tensorflow as tf


def blur():
    return tf.nn.softmax(tf.range(10))  # expect: PP101
# --- case: a lambda that the loop calls
@tf.function
def forward(x):
    return x


shift = lambda x: x @ tf.eye(64)  # expect: PP101
for step in range(50000):
    forward(shift(tf.random.normal([64, 64])))
# --- case: modules that import all of one another
from a import *

for step in range(100000):
    print(tf.constant(step) * square(100))  # expect: PP101
# --- file: a.py
from b import *
from c import *
# --- file: b.py
from a import *
from c import *
# --- file: c.py
from a import *
from b import *
from d import *
# --- file: d.py
from c import *
from tensorflow import eye as square
# --- case: several in one loop, some of them the same: one run fixes all
def train(model, batches):
    for step in range(100000):
        a = tf.linalg.matmul(tf.eye(30), tf.eye(30))  # expect: PP101
        b = tf.linalg.matmul(tf.eye(30), tf.eye(30)) + tf.eye(40)  # expect: PP101
        c = tf.eye(50)  # expect: PP101
        model.step(a, b, c, tf.eye(40), batches)  # expect: PP101
    for step in range(200000):
        model.step(tf.eye(40), batches)  # expect: PP101
# --- case: behind a call: a comprehension over the same sizes, options of an object
@tf.function
def step(x):
    return tf.reduce_sum(x)


def listed(sizes):
    return tf.linalg.band_part(tf.ones([n * 2 for n in sizes]), -1, 0)  # expect: PP101


class Masks:
    def __init__(self, options):
        self.options = options

    def mask(self):
        return tf.linalg.band_part(tf.ones([self.options.size, 512]), -1, 0)  # expect: PP101


def train(batches, sizes, options):
    masks = Masks(options)
    for n, batch in enumerate(batches):
        print(n, step(batch * listed(sizes) * masks.mask()).numpy())
# --- case: the dictionary goes to a function that only reads it
def roll(model, seq, n):
    for _ in range(n):
        show(seq)
        model(tf.linalg.inv(seq["feat"][-1]))  # expect: PP101


def show(rows):
    print(rows["feat"], len(rows))
