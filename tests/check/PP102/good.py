import tensorflow as tf
# --- case: built before the loop
x = tf.placeholder(tf.float32, [None, 4])  # lacks: no loop that runs a session repeats it, itself or by calls; or each round has its own graph
prediction = tf.argmax(tf.matmul(x, w), 1)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(10000):
        sess.run(prediction, {x: batch(step)})
# --- whole: layers are built in a loop before the session runs
import tensorflow.compat.v1 as tf

net = tf.placeholder(tf.float32, [None, 64])
for i in range(num_layers):
    net = tf.layers.dense(net, 64)
    net = tf.nn.relu(net)
for t in range(num_steps):
    net = tf.tanh(net)
with tf.Session() as sess:
    sess.run(net)
# --- case: a graph for each round
for trial in range(100):
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32)
        y = tf.square(x)
        with tf.Session() as sess:
            print(sess.run(y, {x: trial}))
# --- case: a graph that is made in the loop, by name
for trial in range(100):
    graph = tf.Graph()
    with graph.as_default():
        y = tf.square(tf.ones([3]))
        with tf.Session(graph=graph) as sess:
            print(sess.run(y))
# --- case: the default graph is thrown away first
for trial in range(100):
    tf.reset_default_graph()
    y = tf.square(tf.ones([3]))
    with tf.Session() as sess:
        print(sess.run(y))
# --- case: the default graph is thrown away last
for path in checkpoints_of_step:
    saver = tf.train.Saver()
    with tf.Session() as sess:
        sess.run(init)
    tf.reset_default_graph()
# --- case: the function has a graph of its own
def resize(image):
    with tf.Graph().as_default():
        small = tf.image.resize(image, [8, 8])
        with tf.Session() as sess:
            return sess.run(small)


for image in images:
    resize(image)
# --- case: built when it is first needed
class Model:
    def __init__(self):
        self.sess = tf.Session()
        self.op = None

    def step(self, data):
        if self.op is None:
            self.op = tf.reduce_mean(self.loss)
        return self.sess.run(self.op)


def train(batches):
    model = Model()
    for batch in batches:
        model.step(batch)
# --- case: eager
@tf.function
def step(x):
    return tf.square(x)


for batch in dataset:
    print(tf.reduce_sum(step(batch)))
# --- case: in a function that tf.function traces
@tf.function
def train(batches, sess):
    for batch in batches:
        y = tf.square(batch)
        sess.run(y)
# --- case: what is fetched is PP103's
sess = tf.Session()
for step in range(1000):
    print(sess.run(tf.argmax(logits, 1)))
# --- case: constants without data, summaries of Python values, writers, seeds
sess = tf.Session()
for step in range(1000):
    tf.set_random_seed(step)
    tf.random.set_random_seed(step)
    summary = tf.Summary(value=[tf.Summary.Value(tag="loss", simple_value=1.0)])
    writer = tf.summary.FileWriter("logs")
    one = tf.constant(1)
    sess.run(train_op)
# --- case: a handful of rounds
with tf.Session() as sess:
    for name in ["train", "test"]:
        y = tf.reduce_mean(losses[name])
        print(sess.run(y))
    for i in range(3):
        print(sess.run(tf.square(x)))
# --- case: over towers and GPUs, at construction
def build(sess, gpus, images):
    for gpu in gpus:
        with tf.device(gpu):
            y = tf.nn.softmax(images)
            sess.run(y)
# --- case: variables are loaded, not assigned
v = tf.Variable(1.0)
sess = tf.Session()
for step in range(1000):
    v.load(step, sess)
    sess.run(train_op)
# --- whole: numpy
import numpy as np
import tensorflow as tf

sess = tf.Session()
for step in range(1000):
    x = np.square(np.ones(3))
    sess.run(train_op, {y: x})
# --- case: a function that is only defined, a lambda that is handed on
sess = tf.Session()
hooks = []
for step in range(1000):
    def later():
        return tf.square(x)
    hooks.append(lambda: tf.ones([2]))
    sess.run(train_op)
# --- case: behind an if that need not hold
sess = tf.Session()
for step in range(1000):
    sess.run(train_op)
    if interrupted(step):
        mean = tf.reduce_mean(values)  # expect: PP102 low
        print(sess.run(mean))
# --- case: a session for each checkpoint that is restored
saver = tf.train.Saver()
while True:
    with tf.Session() as sess:  # expect: PP102 low
        saver.restore(sess, wait_for_checkpoint())
        sess.run(evaluate_op)
# --- case: a guard that returns
class Ops:
    def get(self, name):
        if name in self.cache:
            return self.cache[name]
        self.cache[name] = tf.square(self.x)
        return self.cache[name]

    def run_all(self, sess, steps):
        for step in range(steps):
            sess.run(self.get("a"))


Ops().run_all(tf.Session(), 100)
# --- case: it leaves the loop
sess = tf.Session()
for step in range(1000):
    value = sess.run(loss)
    if value < 0.1:
        final = tf.reduce_sum(weights)
        print(sess.run(final))
        break
# --- whole: another run
import subprocess
import tensorflow as tf

sess = tf.Session()
for command in commands_of_step:
    y = tf.square(x)
    subprocess.run(command)
# --- whole: tests only note
x = 1
# --- file: tests/graph_test.py
import tensorflow as tf


def test_growth():
    with tf.Session() as sess:
        for step in range(100):
            y = tf.square(x)  # expect: PP102 low
            sess.run(y)
# --- whole: the list of copies is made before the loop
import tensorflow.compat.v1 as tf

with tf.Session() as session:
    copy = [to.assign(of) for to, of in zip(target_weights, online_weights)]
    for batch in batches:
        session.run([train, copy], {state: batch})
# --- whole: other things that assign
import tensorflow.compat.v1 as tf

with tf.Session() as session:
    for batch in batches:
        frame = frame.assign(total=session.run(total, {x: batch}))
        shared.assign("name", 3)
        shared.assign(**options)
# --- whole: arrays for a Keras model; data sets where execution is eager
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
for step in range(1000):
    outputs.append(model.predict(rows[step]))
# --- file: eager.py
import tensorflow as tf


@tf.function
def double(x):
    return x * 2


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
for step in range(1000):
    dataset = tf.data.Dataset.from_tensor_slices(double(rows[step])).batch(64)
    outputs.append(model.predict(dataset))
# --- whole: once in an epoch that has its own loop of steps
import tensorflow.compat.v1 as tf

with tf.Session() as sess:
    for epoch in range(100):
        for batch in batches:
            sess.run(train, {x: batch})
        smaller = tf.multiply(rate, 0.9)  # expect: PP102 low
        sess.run(smaller)
# --- whole: an empty node; a demonstration; a branch that may be switched off
import tensorflow.compat.v1 as tf


def run(sess):
    for i in range(1000):
        sess.run(train)
        evaluate(sess, tf.no_op())  # expect: PP102 low


def test_model(sess, pools):
    for i in range(1000):
        sess.run(train)
        saliency = tf.gradients(pools, x)  # expect: PP102 low


def save(sess, frequency):
    for i in range(1000):
        sess.run(train)
        if frequency > 0 and i % frequency == 0:
            saver = tf.train.Saver()  # expect: PP102 low
# --- case: another object, with its own graph, in each round
class Scorer:
    def __init__(self, path):
        self.net = tf.Graph()
        with self.net.as_default():
            self.words = tf.placeholder(tf.float32, [None, 8])
            self.logits = tf.layers.dense(self.words, 3)
            self.sess = tf.Session(graph=self.net)

    def score(self, words):
        with self.net.as_default():
            return self.sess.run(tf.nn.softmax(self.logits), feed_dict={self.words: words})


while True:
    scorer = Scorer("words.ckpt")
    print(scorer.score(read()))
# --- case: the method sets a new graph before it enters it
class Scorer:
    def score(self, words):
        self.net = tf.Graph()
        with self.net.as_default():
            place = tf.placeholder(tf.float32, [None, 8])
            with tf.Session(graph=self.net) as sess:
                return sess.run(tf.nn.softmax(place), feed_dict={place: words})


scorer = Scorer()
while True:
    print(scorer.score(read()))
# --- case: the schedule is made before the loop
place = tf.placeholder(tf.int32, [])
rate = tf.train.polynomial_decay(0.1, place, 100, 0.01)
with tf.Session() as sess:
    for turn in range(5000):
        print(sess.run(rate, feed_dict={place: turn}))
