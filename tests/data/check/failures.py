# --- case: alias: compat.v1
import tensorflow.compat.v1 as tf

with tf.Session() as sess:
    for step in range(10000):
        x = tf.zeros([10])  # expect: PP101, PP102
        sess.run(x)
# --- case: alias: compat.v2
import tensorflow.compat.v2 as tf

for step in range(10000):
    print(step * tf.eye(100))  # expect: PP101
# --- case: alias: from tensorflow import
from tensorflow import eye, math as m

for step in range(10000):
    print(step * eye(100), step * m.sqrt([1.0, 2.0]))  # expect: PP101
# --- case: alias: from tensorflow.compat import v1 as tf
from tensorflow.compat import v1 as tf

with tf.Session() as sess:
    for step in range(10000):
        sess.run(tf.zeros([10]))  # expect: PP103 more
# --- case: alias: from tensorflow.data import Dataset
from tensorflow.data import Dataset
from tensorflow.io import decode_png

ds = Dataset.list_files("*.png").map(lambda r: decode_png(r)).batch(8).prefetch(1)  # expect: PP301
# --- case: alias: from tensorflow import keras
from tensorflow import keras

for trial in range(100):
    for i in range(1000):
        print(i * keras.backend.ones((100,)))
# --- case: alias: lazy loaders
import importlib
from tensorflow.python.util.lazy_loader import LazyLoader

tf = LazyLoader("tf", globals(), "tensorflow")
tf2 = importlib.import_module("tensorflow")

for step in range(10000):
    print(step * tf.eye(100), tf2.ones([10, 10]))  # expect: PP101
# --- case: alias: tf = try_import_tf()
from framework import try_import_tf

tf1, tf, version = try_import_tf()

for step in range(10000):
    print(step * tf.eye(100))  # expect: PP101
# --- case: alias: an op under another name, in another file
from common import tf, identity_matrix

for step in range(10000):
    print(step * identity_matrix(100), step * tf.eye(10))  # expect: PP101, PP101
# --- file: common.py
import tensorflow as tf

identity_matrix = tf.eye
# --- case: by source line: two statements on a line share nothing
import tensorflow as tf


def f(data, state):
    for row in data:
        state = tf.tanh(state + row); mask = tf.eye(100); print(mask, state)  # expect: PP101
# --- case: by source line: one call over many lines
import tensorflow as tf


def f(data, table, scale):
    for row in data:
        out = tf.add(
            row,
            tf.multiply(
                table,
                scale,
            ),
        )
        print(out)
# --- case: by source line: one attribute that is assigned excludes no other
import tensorflow as tf


class Sampler:
    def __init__(self, size):
        self.size = size
        self.count = 0

    def run(self, stream):
        for item in stream:
            self.count += 1
            print(self.count, item * tf.eye(self.size))  # expect: PP101
# --- case: sess.run(tf.argmax(p, 1)) with a session of the function
import tensorflow as tf


def train(p, train_op, batches, feeds):
    sess = tf.Session()
    for epoch in range(100):
        for batch in batches:
            sess.run(train_op, feed_dict=feeds(batch))
            print(sess.run(tf.argmax(p, 1), feed_dict=feeds(batch)))  # expect: PP103 more
# --- case: the rest of the outer body, behind an inner for
import tensorflow as tf


def f(epochs, layers, table):
    for epoch in range(epochs):
        for layer in layers:
            print(layer)
        print(epoch * tf.linalg.inv(table))  # expect: PP101
# --- case: while, async for, comprehensions, generators
import tensorflow as tf


def sample(queue, table):
    while True:
        queue.put(queue.get() * tf.linalg.inv(table))  # expect: PP101


async def serve(stream, table):
    async for row in stream:
        print(row * tf.linalg.inv(table))  # expect: PP101


def scaled(rows, table):
    return [row * tf.linalg.inv(table) for row in rows]


def batches(rows, table):
    for row in rows:
        yield row * tf.linalg.inv(table)  # expect: PP101
# --- case: a method that is called in each step: the graph grows
import tensorflow.compat.v1 as tf


class Trainer:
    def __init__(self):
        self.sess = tf.Session()
        self.rate = tf.get_variable("rate", [])

    def step(self, value):
        self.sess.run(tf.assign(self.rate, value))  # expect: PP103 more

    def decay(self):
        op = self.rate.assign(self.rate * 0.9)  # expect: PP102 more
        self.sess.run(op)

    def train(self, steps):
        for step in range(steps):
            self.step(step)
            self.decay()
# --- case: a method that is called in each step, of a base class in another file
from base import Base


class Trainer(Base):
    def train(self, batches):
        for batch in batches:
            print(self.masked(batch).numpy())
# --- file: base.py
import tensorflow as tf


class Base:
    def __init__(self, size):
        self.size = size

    def masked(self, batch):
        return batch * tf.linalg.band_part(tf.ones([self.size, self.size]), -1, 0)
# --- case: decorated functions
import gin
import tensorflow as tf


@gin.configurable
def train(batches, table):
    for batch in batches:
        print(batch * tf.linalg.inv(table))  # expect: PP101
# --- case: ops that were missing: the graph grows by each
import tensorflow as tf

a = tf.placeholder(tf.float32, [10])
v = tf.get_variable("v", [10])
sess = tf.Session()
for step in range(1000):
    b = tf.constant(a)  # expect: PP102
    sess.run(b)
for step in range(1000):
    b = tf.tile(a, [step])  # expect: PP102
    sess.run(b)
for step in range(1000):
    b = tf.nn.relu(a * step)  # expect: PP102
    sess.run(b)
for step in range(1000):
    b = tf.logical_and(a, step)  # expect: PP102
    sess.run(b)
for step in range(1000):
    b = tf.maximum(a, step)  # expect: PP102
    sess.run(b)
for step in range(1000):
    b = tf.assign(v, a * step)  # expect: PP102
    sess.run(b)
for step in range(1000):
    b = tf.Variable(step)  # expect: PP102
    sess.run(b)
for step in range(1000):
    b = tf.placeholder(tf.float32)  # expect: PP102
    sess.run(b, {b: step})
for step in range(1000):
    b = tf.gradients(a * step, v)  # expect: PP102
    sess.run(b)
for step in range(1000):
    b = tf.convert_to_tensor(a * step)  # expect: PP102
    sess.run(b)
for step in range(1000):
    b = tf.layers.dense(a, step)  # expect: PP102
    sess.run(b)
for step in range(1000):
    b = tf.summary.scalar("loss", a)  # expect: PP102
    sess.run(b)
for step in range(1000):
    b = tf.train.Saver()  # expect: PP102
    b.save(sess, "x")
    sess.run(v)
for step in range(1000):
    b = tf.global_variables_initializer()  # expect: PP102
    sess.run(b)
for step in range(1000):
    with tf.Session() as s:  # expect: PP102
        s.run(a)
# --- case: chains: partial, int(n), a lambda that calls
import functools
import tensorflow as tf


def parse(size, record):
    return tf.io.decode_png(record)[:size]


a = tf.data.TFRecordDataset("x").map(functools.partial(parse, 3)).batch(int(n)).prefetch(1)  # expect: PP301
b = tf.data.TFRecordDataset("x").map(lambda r: parse(3, r)).batch(int(n)).prefetch(1)  # expect: PP301
# --- case: chains: sources of other makes
import tensorflow as tf
import tensorflow_datasets as tfds


def prepare(x):
    return tf.image.resize(x, [10, 10])


a = tfds.load("mnist", split="train")
a = a.map(prepare)  # expect: PP301
b = tf.data.experimental.make_csv_dataset("x.csv", 32)
b = b.map(prepare)  # expect: PP301
c = tf.keras.utils.image_dataset_from_directory("x")
c = c.map(prepare)  # expect: PP301
# --- case: chains: a parameter, a function, another file
import tensorflow as tf
from pipeline import read, prepare


def augment(dataset, size):
    return dataset.map(lambda x: tf.image.resize(x, [size, size]))  # expect: PP301


def mine():
    return tf.data.Dataset.list_files("*.png")


a = mine().map(prepare)  # expect: PP301
b = read().map(prepare)  # expect: PP301
c = augment(read(), 3)
# --- file: pipeline.py
import tensorflow as tf


def read():
    return tf.data.Dataset.list_files("*.png")


def prepare(path):
    return tf.io.decode_png(tf.io.read_file(path))
# --- case: pairs that are none: two data sets of one name, branches that exclude each other, a batch before
import tensorflow as tf


def half(x):
    return tf.cast(x, tf.float32) / 2.0 + tf.square(tf.cast(x, tf.float32))


ds = tf.data.TFRecordDataset("train").map(half, num_parallel_calls=4).prefetch(1)
use(ds)
ds = tf.data.TFRecordDataset("test").batch(32).prefetch(1)
use(ds)


def make(train):
    ds = tf.data.TFRecordDataset("x")
    if train:
        ds = ds.map(half, num_parallel_calls=4)
    else:
        ds = ds.batch(32)
    return ds.prefetch(1)


three = tf.data.TFRecordDataset("x").batch(3).map(half, num_parallel_calls=4).batch(4).prefetch(1)
# --- case: num_parallel_calls: None is none, **options may hold it, pool.map is another thing
from multiprocessing import Pool
import tensorflow as tf


def parse(record):
    return tf.io.parse_single_example(record, features)


def decode(record):
    return tf.io.decode_jpeg(parse(record)["image"])


ds = tf.data.TFRecordDataset("x").map(decode, num_parallel_calls=None).batch(3).prefetch(1)  # expect: PP301
other = tf.data.TFRecordDataset("x").map(parse, **options).batch(3).prefetch(1)  # expect: PP201 more
pool = Pool(4); done = pool.map(parse, ds)
# --- case: Python 2
import tensorflow as tf

sess = tf.Session()
for step in xrange(10000):
    print "step", step
    print sess.run(tf.zeros([10]))  # expect: PP103 more
    exec "x = 1"
# --- case: a syntax error ends nothing
import tensorflow as tf

def broken(:
    retrun [

for step in range(10000):
    print(step * tf.eye(100))  # expect: PP101
# --- file: other.py
import tensorflow as tf

größe = 100
for step in range(10000):
    print(step * tf.eye(größe), "日本")  # expect: PP101
