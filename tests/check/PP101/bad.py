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
# --- whole: behind a call: what decides which value there is
import config
import numpy as np
import tensorflow as tf
from config import LENGTH, make

ROWS = 64
COLUMNS, CHANNELS = 512, 3
LEVELS = [16, 32]
drawn = 0
flag = True
for grown in range(3):
    last_grown = grown
cell = tf.keras.layers.LSTMCell(8)
net = tf.keras.Sequential([tf.keras.layers.Dense(3)])
weights = tf.Variable(tf.ones([4, 4]))


@tf.function
def step(x):
    return tf.reduce_sum(x)


def by_branch(n, flip, mode):
    if flip:
        size = n
    elif mode > 2:
        size = n + 1
    elif mode > 1:
        size = n + 2
    else:
        size = 2
    return tf.linalg.band_part(tf.ones([size, 512]), -1, 0)  # expect: PP101


def by_rounds(n):
    size = 1
    while size < n:
        size = size * 2
    return tf.linalg.band_part(tf.ones([size, 512]), -1, 0)


def by_items(sizes):
    size = 1
    for size in sizes:
        pass
    return tf.linalg.band_part(tf.ones([size, 512]), -1, 0)


def by_try(n):
    try:
        size = int(n)
    except ValueError:
        size = 3
    return tf.linalg.band_part(tf.ones([size, 512]), -1, 0)


def by_match(mode):
    size = 1
    match mode:
        case 1:
            size = 3
    return tf.linalg.band_part(tf.ones([size, 512]), -1, 0)


def by_state(n):
    if flag:
        size = n
    else:
        size = 2
    return tf.linalg.band_part(tf.ones([size, 512]), -1, 0)  # expect: PP101


def by_drawn(n):
    if np.random.rand() > 0.5:
        size = n
    else:
        size = 2
    return tf.linalg.band_part(tf.ones([size, 512]), -1, 0)


def by_elif(n):
    if n > 3:
        size = n
    elif np.random.rand() > 0.5:
        size = 3
    else:
        size = 2
    return tf.linalg.band_part(tf.ones([size, 512]), -1, 0)


def added(n):
    size = n
    size += 1
    return tf.linalg.band_part(tf.ones([size, 512]), -1, 0)  # expect: PP101


def added_drawn(n):
    size = n
    size += np.random.randint(3)
    return tf.linalg.band_part(tf.ones([size, 512]), -1, 0)


def unpacked(pair):
    height, width = pair
    return tf.linalg.band_part(tf.ones([height, width]), -1, 0)  # expect: PP101


def imported():
    from config import WIDTH
    return tf.linalg.band_part(tf.ones([WIDTH, 512]), -1, 0)  # expect: PP101


def constants():
    return tf.linalg.band_part(tf.ones([ROWS, COLUMNS]), -1, 0)  # expect: PP101


def listed():
    return tf.linalg.band_part(tf.ones([n for n in LEVELS]), -1, 0)  # expect: PP101


def of_module():
    return tf.linalg.band_part(tf.ones([config.ROWS, 512]), -1, 0)  # expect: PP101


def of_other():
    return tf.linalg.band_part(tf.ones([LENGTH, 512]), -1, 0)  # expect: PP101


def of_loop():
    return tf.linalg.band_part(tf.ones([last_grown, 512]), -1, 0)


def changed():
    return tf.linalg.band_part(tf.ones([drawn + 3, 512]), -1, 0)


def change():
    global drawn
    drawn = drawn + 1


def starred(*sizes):
    return tf.linalg.band_part(tf.ones([len(sizes), 512]), -1, 0)


def defaulted(n, size=512):
    return tf.linalg.band_part(tf.ones([n, size]), -1, 0)  # expect: PP101


def of_weights(weights):
    return tf.linalg.band_part(weights, -1, 0)


def of_variable():
    return tf.linalg.band_part(weights, -1, 0)


def of_shape(table):
    return tf.linalg.band_part(tf.ones(table.shape, table.dtype), -1, table.ndim)  # expect: PP101


def of_call(n):
    return tf.linalg.band_part(tf.ones([make(n), 512]), -1, 0)


def of_length(rows):
    return tf.linalg.band_part(tf.ones([len(rows), 512]), -1, 0)  # expect: PP101


def of_model(x):
    return tf.linalg.band_part(net(tf.ones([64, 512])), -1, 0)


def of_lambda(n):
    size = (lambda: n)()
    return tf.linalg.band_part(tf.ones([size, 512]), -1, 0)


def of_options(args):
    return tf.linalg.band_part(tf.ones([args.rows, args.columns]), -1, 0)  # expect: PP101


def itself(n):
    size = 1
    for _ in range(3):
        size = size + n
        tf.linalg.band_part(tf.ones([size, 512]), -1, 0)
    return size


class Sizes:
    RATE = 3

    def __init__(self, n, pair):
        self.n = n
        self.height, self.width = pair
        self.count = 0
        self.seen = np.random.randint(3)
        self.late = n

    def plain(self):
        return tf.linalg.band_part(tf.ones([self.n, 512]), -1, 0)  # expect: PP101

    def pair(self):
        return tf.linalg.band_part(tf.ones([self.height, self.width]), -1, 0)  # expect: PP101

    def counted(self):
        self.count += 1
        return tf.linalg.band_part(tf.ones([self.count, 512]), -1, 0)

    def drawn(self):
        return tf.linalg.band_part(tf.ones([self.seen, 512]), -1, 0)

    def moved(self):
        return tf.linalg.band_part(tf.ones([self.late, 512]), -1, 0)

    def of_class(self):
        return tf.linalg.band_part(tf.ones([self.RATE, 512]), -1, 0)  # expect: PP101

    def missing(self):
        return tf.linalg.band_part(tf.ones([self.nowhere, 512]), -1, 0)


def train(batches, n, flip, mode, pair, sizes, table, args):
    around = n + 1
    twice = n
    twice = twice + 1
    made = Sizes(n, pair)

    def inner():
        return tf.linalg.band_part(tf.ones([around, 512]), -1, 0)  # expect: PP101

    def inner_twice():
        return tf.linalg.band_part(tf.ones([twice, 512]), -1, 0)

    def inner_loop():
        return tf.linalg.band_part(tf.ones([len(batch), 512]), -1, 0)

    for batch in batches:
        print(step(batch * by_branch(n, flip, mode)).numpy())
        print(step(batch * by_rounds(n)).numpy())
        print(step(batch * by_items(sizes)).numpy())
        print(step(batch * by_try(n)).numpy())
        print(step(batch * by_match(mode)).numpy())
        print(step(batch * by_state(n)).numpy())
        print(step(batch * by_drawn(n)).numpy())
        print(step(batch * by_elif(n)).numpy())
        print(step(batch * added(n)).numpy())
        print(step(batch * added_drawn(n)).numpy())
        print(step(batch * unpacked(pair)).numpy())
        print(step(batch * imported()).numpy())
        print(step(batch * constants()).numpy())
        print(step(batch * listed()).numpy())
        print(step(batch * of_module()).numpy())
        print(step(batch * of_other()).numpy())
        print(step(batch * of_loop()).numpy())
        print(step(batch * changed()).numpy())
        print(step(batch * starred(n, n)).numpy())
        print(step(batch * defaulted(n)).numpy())
        print(step(batch * of_weights(sizes)).numpy())
        print(step(batch * of_variable()).numpy())
        print(step(batch * of_shape(table)).numpy())
        print(step(batch * of_call(n)).numpy())
        print(step(batch * of_length(sizes)).numpy())
        print(step(batch * of_model(n)).numpy())
        print(step(batch * of_lambda(n)).numpy())
        print(step(batch * of_options(args)).numpy())
        print(step(batch * itself(n)).numpy())
        print(step(batch * made.plain()).numpy())
        print(step(batch * made.pair()).numpy())
        print(step(batch * made.counted()).numpy())
        print(step(batch * made.drawn()).numpy())
        print(step(batch * made.moved()).numpy())
        print(step(batch * made.of_class()).numpy())
        print(step(batch * made.missing()).numpy())
        print(step(batch * inner()).numpy())
        print(step(batch * inner_twice()).numpy())
        print(step(batch * inner_loop()).numpy())
        made.late = len(batch)
        change()

# --- whole: what stays the same in a loop, and what does not
import config
import numpy as np
import tensorflow as tf
from library import helper, imported

weights = tf.Variable(tf.ones([3, 3]))
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
dataset = tf.data.Dataset.range(3)
it = iter(dataset)
globally = tf.ones([3, 3])


class Classy:
    table = tf.ones([3, 3])


class Shared:
    def __init__(self):
        self.table = tf.ones([3, 3])
        self.count = tf.zeros([3, 3])

    def step(self):
        self.count = self.count + 1.0


def pure(a):
    return a * 2.0


def drawn(a):
    return a * np.random.rand()


def change():
    global globally
    globally = globally + 1.0


def run(x):
    return tf.reduce_sum(x)
# --- each
def loopNTH(a, b, rows, queue, pair, options, flag, n, self_like, appended, data, shared: Shared):
    k = 0
    made = a * 2.0
    grown = a
    filled = []
    deleted = a
    caught = opened = cases = assigned = a
    for step, batch in enumerate(data):
        b = batch * 2.0
        grown = grown + batch
        filled.append(batch)
        appended["a"] = batch
        assigned[step] = batch
        total = run(tf.linalg.inv(EACH))
        print(total.numpy())
        if flag == 3:
            del deleted
            change()
            shared.step()
        try:
            run(batch)
        except ValueError as caught:
            pass
        with open("a") as opened:
            run(batch)
        match batch:
            case [cases]:
                pass

        def defined(y):
            return y * batch
# --- of
a  # expect: PP101
a + 1.0  # expect: PP101
-a  # expect: PP101
a[0]  # expect: PP101
a[k]  # expect: PP101
a[step]
b
rows["a"]  # expect: PP101
rows.get("a")  # expect: PP101
queue.get()
made  # expect: PP101
grown
filled
shared.table
shared.count
config.TABLE  # expect: PP101
weights
model(a)
tf.random.normal([3, 3])
np.eye(3)  # expect: PP101
np.random.rand(3, 3)
pure(a)
drawn(a)
helper(a)
[x for x in a]
[x * step for x in a]
(a, b)[0]
a if flag else b
a if step else b
x := a
*pair  # expect: PP101
**options  # expect: PP101
input=a  # expect: PP101
(lambda: a)()
tf.constant([[1.0, 2.0], [3.0, 4.0]])  # expect: PP101
a.shape
tf.reshape(a, [n, n])  # expect: PP101
self_like.table
next(it)
open("a").read()
len(a) * a  # expect: PP101
deleted
caught
opened
defined(a)
Classy.table  # expect: PP101
globally
3 * [a]  # expect: PP101
appended
assigned
cases
imported  # expect: PP101

