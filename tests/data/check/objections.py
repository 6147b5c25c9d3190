# --- case: 2 the loop runs over layers, levels, corners, once, at construction
import tensorflow.compat.v1 as tf


def pyramid(features, levels, filters):
    outputs = []
    for level in levels:
        anchors = tf.reshape(tf.range(filters), [-1, 1])
        outputs.append(features[level] + tf.cast(anchors, tf.float32))
    return outputs


def tower(x, num_layers):
    for layer in range(num_layers):
        x = tf.layers.dense(x, 128)
        x = x * tf.sqrt(0.5)
    return x


def corners(box, offsets):
    return [box + tf.constant([dx, dy]) for dx, dy in ((0, 0), (0, 1), (1, 0), (1, 1))]
# --- case: 2 the same behind a call: what a layer's builder calls is silent
import tensorflow as tf


def norm(x, size):
    return x / tf.sqrt(tf.cast(size, tf.float32)) + tf.zeros([size])


class Encoder(tf.keras.Model):
    def __init__(self, n_blocks, size):
        super().__init__()
        self.blocks = [tf.keras.layers.Dense(size) for _ in range(n_blocks)]
        self.size = size

    def call(self, x):
        for block in self.blocks:
            x = norm(block(x), self.size)
        return x
# --- case: 2 steps and time are another matter
import tensorflow as tf


@tf.function
def forward(x, mask):
    return tf.matmul(x, mask)


def generate(tokens, max_steps, length):
    for step in range(max_steps):
        mask = tf.linalg.band_part(tf.ones([length, length]), -1, 0)  # expect: PP101
        tokens = forward(tokens, mask).numpy()
    return tokens
# --- case: 3 graph mode shares common sub-expressions
import tensorflow as tf


@tf.function
def train_epoch(dataset, table):
    total = 0.0
    for batch in dataset:
        n = tf.shape(table)[0]
        total += tf.reduce_sum(batch) * tf.cast(n, tf.float32)
        total += tf.reduce_sum(tf.exp(table))
    return total
# --- case: 3 a traced function that the loop calls: folded, so nothing is said
import tensorflow as tf


def smoothing(n):
    return tf.exp(-tf.square(tf.linspace(-1.0, 1.0, n)))


@tf.function
def train_step(batch):
    return tf.reduce_mean(batch * smoothing(64))


def train(dataset):
    for batch in dataset.prefetch(1):
        print(train_step(batch))
# --- case: 4 a loss, which the training step changes
import tensorflow as tf


class Trainer:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer
        self.step_count = 0

    def penalty(self):
        return tf.add_n([tf.nn.l2_loss(w) for w in self.model.trainable_weights])

    def report(self):
        return tf.norm(self.model.layers[0].kernel), tf.fill([3], self.step_count)

    def train(self, batches):
        for x, y in batches:
            with tf.GradientTape() as tape:  # expect: PP412
                loss = tf.reduce_mean(tf.square(self.model(x) - y)) + self.penalty()
            grads = tape.gradient(loss, self.model.trainable_weights)
            self.optimizer.apply_gradients(zip(grads, self.model.trainable_weights))
            self.step_count += 1
            self.penalty(), self.report()
# --- case: 4 a side effect: each round draws, reads, pops, writes
import random
import tensorflow as tf


def collect(queue, writer, stream, steps):
    for step in range(steps):
        seed = tf.fill([2], random.random())
        row = tf.stack(queue.pop())
        item = tf.reshape(next(stream), [-1])
        writer.write(tf.io.serialize_tensor(item))
# --- case: 4 state behind self, two calls away
import tensorflow as tf


class Memory:
    def __init__(self, size):
        self.rows = tf.zeros([size])

    def push(self, row):
        self.rows = tf.concat([self.rows[1:], row], 0)

    def mean(self):
        return tf.reduce_mean(self.rows)


class Agent:
    def __init__(self):
        self.memory = Memory(100)

    def act(self):
        return tf.square(self.memory.mean())

    def run(self, env, steps):
        for t in range(steps):
            self.memory.push(env.step(self.act()))
# --- case: 4 what the fix would break is not fixed: an operand bound in the loop, a branch, a scope
import tensorflow as tf


def smooth(batches, table, op):
    for batch in batches:
        if batch is None:
            print(tf.exp(table))
        with tf.control_dependencies([op]):
            y = tf.sqrt(table) + batch
        print(y)
# --- case: 5 a new graph in each round is intended
import tensorflow.compat.v1 as tf


def evaluate(checkpoints, images):
    for checkpoint in checkpoints:
        with tf.Graph().as_default():
            x = tf.constant(images)
            y = tf.layers.dense(tf.reshape(x, [-1, 784]), 10)
            saver = tf.train.Saver()
            with tf.Session() as sess:
                saver.restore(sess, checkpoint)
                print(sess.run(tf.argmax(y, 1)))


def sweep(widths):
    for width in widths:
        tf.reset_default_graph()
        x = tf.placeholder(tf.float32, [None, 4])
        y = tf.layers.dense(x, width)
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            print(sess.run(y, {x: [[0, 0, 0, 0]]}))
# --- case: 6 tests, examples, tutorials: notes at most
# --- file: tests/test_masks.py
import tensorflow as tf


def test_mask(batches):
    for batch in batches:
        print(batch * tf.eye(512))  # expect: PP101 more
# --- file: examples/mnist.py
import tensorflow as tf

ds = tf.data.TFRecordDataset("x").map(lambda r: tf.io.decode_png(r)).batch(8).prefetch(1)  # expect: PP301 more
# --- file: docs/tutorials/loop.py
import tensorflow as tf

for step in range(10000):
    print(step * tf.eye(512))  # expect: PP101 more
# --- case: 7 the mapper is trivial, the data set tiny
import tensorflow as tf


def pack(image, label):
    return {"image": image, "label": label}, label


def squared(x):
    return tf.square(tf.cast(x, tf.float32))


pairs = tf.data.Dataset.from_tensor_slices((images, labels)).map(pack).batch(32).prefetch(1)  # expect: PP301 more
for row in tf.data.Dataset.range(5).map(squared):  # expect: PP301 more
    print(row)
# --- case: 8 the mapper draws random numbers or has side effects: the order would change
import tensorflow as tf

seen = []


class Reader:
    def __init__(self):
        self.count = 0

    def read(self, path):
        self.count = self.count + 1
        return tf.io.decode_png(tf.io.read_file(path))


def flip(path):
    return tf.image.random_flip_left_right(tf.io.decode_png(tf.io.read_file(path)))


a = tf.data.Dataset.list_files("*.png").map(flip).batch(32).prefetch(1)  # expect: PP301
b = tf.data.Dataset.list_files("*.png").map(Reader().read).batch(32).prefetch(1)  # expect: PP301 more
# --- case: 9 vendored code: notes at most
# --- file: third_party/old/train.py
import tensorflow as tf


def train(batches):
    for batch in batches:
        print(batch * tf.eye(512))  # expect: PP101 more
# --- file: vendor/pipeline.py
import tensorflow as tf

ds = tf.data.TFRecordDataset("x").map(lambda r: tf.io.decode_png(r)).batch(8).prefetch(1)  # expect: PP301 more
