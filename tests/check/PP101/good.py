import tensorflow as tf
# --- case: the operand changes in the loop
def f(data):
    state = tf.zeros([10])  # lacks: no loop is seen that calls its function with all that it depends on unchanged
    for row in data:
        state = tf.tanh(state + row)
    return state
# --- case: the operand is the loop's variable, also through another name
def f(data):
    for row in data:
        twice = row * 2
        print(tf.square(row), tf.square(twice))
# --- case: a list that the loop fills
def f(data):
    rows = []
    for row in data:
        rows.append(row)
        print(tf.stack(rows))
# --- case: random numbers are other ones each time
def f(steps, image):
    for step in range(steps):
        noise = tf.random.normal([10])
        x = tf.nn.dropout(image, 0.5)
        y = tf.image.random_flip_left_right(image)
# --- case: a handful of rounds only note
def f(x):
    for i in range(3):
        x = x + tf.exp(tf.ones([100]))
    for name in ["a", "b"]:
        x = x + tf.zeros([4])
    return x
# --- case: over layers and levels
def f(x, num_layers, levels):
    for i in range(num_layers):
        x = x + tf.zeros([4])
    for level in levels:
        x = x + tf.zeros([4])
    return x
# --- case: the value depends on what training changes
def train(model, optimizer, weights, batches):
    for batch in batches:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(weights)
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), weights))
        print(tf.reduce_mean(weights), tf.norm(model.layers[0].kernel))
# --- case: variables
v = tf.Variable(1.0)


def train(steps):
    for step in range(steps):
        v.assign_add(1.0)
        print(tf.square(v))
# --- case: state behind self that a method changes
class Agent:
    def __init__(self):
        self.state = tf.zeros([3])

    def step(self):
        self.state = self.state + 1

    def run(self, steps):
        for i in range(steps):
            self.step()
            print(tf.reduce_sum(self.state))
# --- case: a graph of its own in each round
for trial in range(100):
    with tf.Graph().as_default():
        x = tf.zeros([10])
# --- case: initial values of variables
def f(names):
    return [tf.Variable(tf.zeros([10]), name=n) for n in names]
# --- case: in a graph function the optimizer shares it
@tf.function
def f(data, table):
    for row in data:
        x = row + tf.exp(table)
    return x
# --- whole: while a TF1 graph is built, once
import tensorflow.compat.v1 as tf


def build(inputs, table):
    outputs = []
    for item in inputs:
        outputs.append(item + tf.exp(table))
    return outputs
# --- case: shapes and constants cost next to nothing
def f(data, x):
    for row in data:
        print(row + tf.constant(1.0), tf.shape(x))
# --- case: a branch that runs once
def f(data, table):
    x = None
    for row in data:
        if x is None:
            x = tf.exp(table)
        print(row + x)
# --- case: the loop ends in its first round
def f(data, table):
    for row in data:
        x = tf.exp(table) + row
        break
# --- case: the iterable is evaluated once
def f(table):
    for row in tf.unstack(table):
        print(row)
# --- case: a function that is only defined in the loop
def f(steps):
    fs = []
    for step in range(steps):
        def g(x=step):
            return tf.zeros([3])
        fs.append(g)
# --- case: what is fetched is PP103's
sess = tf.Session()
for step in range(1000):
    sess.run(tf.zeros([3]))
# --- case: a subscript of it is assigned
def f(data, table):
    for i, row in enumerate(data):
        table[i] = row
        print(tf.reduce_sum(table))
# --- whole: numpy is no op
import numpy as np
import tensorflow as tf


def f(data):
    for row in data:
        print(np.zeros(3), row)
# --- case: behind a call: the parameter gets something else in each round
@tf.function
def forward(x):
    return x


def mask(length):
    return tf.sequence_mask(tf.range(length), length)


def late(batch):
    size = batch.shape[0]
    return tf.eye(size)


for i, batch in enumerate(tf.data.Dataset.range(10000).batch(7)):
    forward(mask(i)), forward(late(batch))
# --- case: behind a call: a tf.function is traced once, its constants are folded
@tf.function
def step(x):
    return x + helper()


@tf.function(jit_compile=True)
def other(x):
    return x + tf.ones([100])


def helper():
    return tf.ones([100])


def third(x):
    return x + tf.ones([100])


fast = tf.function(third)
for x in tf.data.Dataset.range(100000):
    print(step(x), other(x), fast(x))
# --- case: behind a call: a tf.function of the same name, made in another file
from steps import step

step = tf.function(step)
for x in tf.data.Dataset.range(100000):
    print(step(x))
# --- file: steps.py
import tensorflow as tf


def step(x):
    return x + tf.ones([100])
# --- case: behind a call: Keras' layers and models
class Scale(tf.keras.layers.Layer):
    def build(self, shape):
        self.ones = tf.ones([10])

    def call(self, x):
        return x * tf.eye(10)


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.table = tf.eye(100)

    def call(self, x):
        return self.tail(x)

    def tail(self, x):
        return x + tf.zeros([10])


def train(batches):
    net, scale = Net(), Scale()
    for x in batches:
        with tf.GradientTape() as tape:
            y = net(scale(x))
# --- case: behind a call: models that are built anew in each trial
def build_model(width):
    table = tf.eye(10)
    model = tf.keras.Sequential([tf.keras.layers.Dense(width)])
    return model, table


class Learner:
    def __init__(self):
        self.table = tf.ones([100])


def search(width, trials):
    with tf.GradientTape():
        pass
    for trial in range(trials):
        model, table = build_model(width)
        print(Learner(), model)
# --- case: behind a call: generators run when they are asked, not when they are called
@tf.function
def forward(x):
    return x


def batches(n):
    base = tf.ones([n])
    for i in range(3):
        yield base * i


for step in range(100000):
    for x in batches(10):
        forward(x)
# --- whole: behind a call: what is kept is made once
import functools
import tensorflow as tf


@functools.lru_cache(maxsize=None)
def table(n):
    return tf.eye(n)


class Masks:
    def __init__(self):
        self.mask = None
        self._cache = {}

    def get(self, n):
        if self.mask is None:
            self.mask = tf.eye(n)
        return self.mask

    def other(self, n):
        if n in self._cache:
            return self._cache[n]
        value = tf.eye(n)
        self._cache[n] = value
        return value


@tf.function
def forward(x, y, z):
    return x


masks = Masks()
for step in range(100000):
    forward(table(10), masks.get(10), masks.other(10))
# --- case: behind a call: random numbers, and what depends on them
@tf.function
def forward(x):
    return x


def noise(n):
    z = tf.random.normal([n])
    return tf.square(z), tf.nn.dropout(z, 0.5)


for step in range(100000):
    forward(noise(10))
# --- case: behind a call: in the tape of a training step
def loss_of(model, x):
    weights = tf.linspace(0.0, 1.0, 10)
    return tf.reduce_sum(model(x) * weights)


def train(model, optimizer, batches):
    for x in batches:
        with tf.GradientTape() as tape:
            loss = loss_of(model, x)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
# --- case: behind a call: control_dependencies
@tf.function
def forward(x):
    return x


def after(x, op):
    with tf.control_dependencies([op]):
        return x + tf.ones([100])


for step in range(100000):
    forward(after(tf.random.normal([100]), None))
# --- case: behind a call: variables, and what training changes
class Learner:
    def __init__(self, weights, size):
        self.rate = tf.Variable(0.1)
        self.weights = weights
        self.size = size
        self.hidden = self.make(size)

    def make(self, size):
        return tf.Variable(tf.zeros([size]))

    def norms(self):
        return tf.square(self.rate), tf.norm(self.weights), tf.norm(self.hidden)

    def run(self, batches):
        for batch in batches:
            with tf.GradientTape() as tape:
                pass
            print(self.norms())
# --- case: behind a call: an attribute that a method changes, or another file does
from other import faster


class Agent:
    def __init__(self):
        self.epsilon = 1.0
        self.count = 0
        self.seen = []

    def act(self):
        self.count += 1
        self.seen.append(self.count)
        return tf.fill([100], self.count), tf.fill([100], self.epsilon), tf.stack(self.seen)

    def run(self, steps):
        for i in range(steps):
            print(self.act()[0].numpy())
            faster(self)
# --- file: other.py
import tensorflow as tf


def faster(agent):
    agent.epsilon = agent.epsilon * 0.99
# --- case: behind a call: a handful of rounds
@tf.function
def forward(x):
    return x


def block(x):
    return forward(x) + tf.ones([100, 100])


def net(x, num_layers):
    for layer in range(num_layers):
        x = block(x)
    for i in range(3):
        x = block(x)
    return x
# --- case: behind a call that only some rounds make, or an op that only some calls reach
@tf.function
def forward(x):
    return x


def report():
    return tf.eye(100)


def maybe(x):
    if x is None:
        return tf.eye(100)
    return x


for step in range(100000):
    forward(step)
    maybe(step)
    if step % 1000 == 0:
        print(report())
# --- whole: behind a call: in a TF1 graph that grows it is PP102's, in one that is built nobody's
import tensorflow.compat.v1 as tf

x = tf.placeholder(tf.float32)


def blur():
    return tf.nn.softmax(tf.range(10))


def build(inputs):
    return [blur() + item for item in inputs]


with tf.Session() as sess:
    for step in range(100000):
        sess.run(x, {x: step})
        print(blur())
# --- case: behind a call: nothing says how it is run
def mask():
    return tf.eye(512)


def apply(batches):
    return_value = None
    for batch in batches:
        return_value = mask() @ batch
    return return_value
# --- case: behind a call: once in an epoch
def start(n):
    return tf.zeros([n])


@tf.function
def step(batch, state):
    return state


def train(epochs, batches, n):
    for epoch in range(epochs):
        state = start(n)
        for batch in batches:
            state = step(batch, state)
        print(state.numpy())
# --- case: behind a call: a function that is handed on may be traced
def mask():
    return tf.eye(512)


def rollout(batches):
    for batch in batches:
        batch = batch @ mask()
        print(batch)


def main(strategy):
    with tf.GradientTape():
        pass
    strategy.run(rollout)
# --- case: behind a call: in a data set's mapper
def window():
    return tf.signal.hann_window(256)


def prepare(x):
    return x * window()


@tf.function
def forward(x):
    return x


for epoch in range(100):
    for x in tf.data.Dataset.range(1000).map(prepare):
        forward(x)
# --- case: behind a call: an object made anew in each round
class Row:
    def __init__(self, n):
        self.n = n

    def table(self):
        return tf.eye(self.n)


@tf.function
def forward(x):
    return x


for n in range(10000):
    row = Row(n)
    forward(row.table())
# --- whole: behind a call: arguments that are not seen, functions that are made of others
import functools
import tensorflow as tf


def table(n, x):
    return x + tf.eye(n)


@tf.function
def forward(x):
    return x


def wrap(function):
    return function


def other(n, x):
    return x + tf.eye(n)


def run(steps, options, sizes):
    half = functools.partial(table, 3)
    wrapped = wrap(other)
    for step in range(steps):
        print(table(*sizes).numpy(), table(**options), half(step), wrapped(3, step))
# --- case: behind a call: a name of the module that a function binds, a list that grows
scale = 1.0
rows = []


def grow():
    global scale
    scale = scale * 2
    rows.append(scale)


def use():
    return tf.fill([100], scale), tf.stack(rows)


@tf.function
def forward(x):
    return x


for step in range(100000):
    grow()
    forward(use())
# --- case: behind a call: a library's function that only its test has in a loop
@tf.function
def forward(x):
    return x


def table():
    return tf.eye(100)
# --- file: tests/test_main.py
from main import table


def test_table():
    for i in range(1000):
        print(table().numpy())
# --- case: the operands are parameters
def smooth(batches, low, high):
    total = 0.0
    for batch in batches:
        total += tf.reduce_sum(batch) * tf.linspace(low, high, 10)
    return total
# --- case: while
def sample(model, prompt):
    while True:
        mask = tf.ones([1, 1024])
        prompt = model.predict([prompt, mask])
# --- case: two statements on one line are two
def f(data, n):
    for row in data:
        a = tf.zeros([n]); b = row + a
# --- case: one call over many lines
def f(data, table):
    for row in data:
        out = row * tf.transpose(
            table,
            perm=[1, 0],
        )
# --- case: the largest invariant expression is named, once
def f(data, table):
    for row in data:
        out = row * tf.sqrt(tf.square(tf.cast(table, tf.float32)))
# --- whole: from tensorflow import, and an alias of a module
from tensorflow import zeros
import tensorflow as tf

tfm = tf.math


def f(data, table):
    for row in data:
        a = row + zeros([512])
        b = row + tfm.log(table)
# --- whole: Keras' backend
from tensorflow.keras import backend as K


def f(batches, sigma):
    for batch in batches:
        K.sum(batch) / K.square(sigma)
# --- case: behind an inner loop
def f(epochs, layers, table):
    for epoch in range(epochs):
        for layer in layers:
            print(layer)
        x = tf.exp(table) + epoch
# --- case: in the inner loop, but the same in the outer one, too
def f(epochs, batches, table):
    for epoch in range(epochs):
        for batch in batches:
            x = batch * tf.exp(table)
# --- case: an attribute that only __init__ sets, while others change
class Sampler:
    def __init__(self, size):
        self.size = size
        self.count = 0

    def run(self, stream):
        for item in stream:
            self.count = self.count + 1
            yield item + tf.zeros([self.size])
# --- case: a data set is a long loop
def f(files, vocabulary):
    for record in tf.data.TFRecordDataset(files):
        one = tf.one_hot(vocabulary, 100)
        print(record, one)
# --- case: range of a large literal
table = tf.random.normal([100])
for i in range(100000):
    print(i * tf.nn.softmax(table))
# --- case: CRLF would be kept, tabs too
def f(data):
	table = tf.constant([1.0, 2.0])
	for row in data:
		x = row * tf.exp(table)
# --- case: made in the loop, of what is the same each time, only notes
def f(table, steps, n):
    for step in range(steps):
        x = table["x"]
        kernel = tf.matmul(x, x)
        print(step, tf.matmul(kernel, kernel))
# --- case: bound twice, or by a branch: another value in some rounds
def f(a, b, steps):
    x = a
    for step in range(steps):
        print(tf.matmul(x, x))
        x = b


def g(a, b, steps):
    for step in range(steps):
        x = a
        if step > 5:
            x = b
        print(tf.matmul(x, x))
# --- whole: made in the loop, and filled there, by a method, by index or by whoever gets it
import numpy as np
import tensorflow as tf


def f(rows, n, fill):
    for row in rows:
        parts = []
        parts.append(row)
        table = {}
        table[row] = row
        block = np.zeros([n, n])
        fill(block, row)
        print(tf.stack(parts), tf.matmul(table[0], table[0]), tf.matmul(block, block))
# --- case: what a queue gives is another each time
def f(queue, steps):
    for step in range(steps):
        item = queue.get()
        print(tf.matmul(item, item), tf.eye(queue.get()))
# --- case: a branch that is taken in each round, or in none, only notes; twin branches
def f(metrics, index, wanted):
    for name in sorted(metrics):
        if tf.executing_eagerly():
            print(metrics[name][tf.cast(index, tf.int32)])
            continue
        print(name, metrics[name][tf.cast(index, tf.int32)])


def g(batches, n, causal, wide):
    for batch in batches:
        if causal and n > 3:
            print(batch, tf.linalg.band_part(tf.ones([n, n]), -1, 0))
        elif wide:
            print(batch, tf.linalg.eye(n))
# --- case: a branch that some rounds take; one that each may take, or a question, only notes
def f(batches, n):
    for i, batch in enumerate(batches):
        if i == 0:
            print(tf.eye(n))
        elif n > 3:
            print(tf.eye(n))
        if tf.reduce_all(tf.eye(n) > 0):
            print(i, batch)


def parameters(times, params):
    values = []
    for param in params:
        if callable(param):
            values.append(param(tf.squeeze(times)))
        elif param == "ones":
            values.append(tf.ones_like(times))
        else:
            values.append(param * tf.ones_like(times))
    return values
# --- case: a constant to the tape only notes
def class_gradients(model, images, n):
    found = []
    for i in range(n):
        with tf.GradientTape() as tape:
            x = tf.convert_to_tensor(images)
            tape.watch(x)
            y = model(x)[:, i] + tf.linalg.band_part(tf.ones([n, n]), -1, 0)
        found.append(tape.gradient(y, x).numpy())
    return found
# --- case: in a tape, of what it watches or may watch
class Trainer:
    def train(self, batches, scale, w):
        for batch in batches:
            with tf.GradientTape() as tape:
                tape.watch(scale)
                y = tf.matmul(batch, tf.exp(scale)) + tf.tanh(w) + tf.exp(self.bias_term)
                z = tf.convert_to_tensor(w)
            print(tape.gradient(y, [scale, w]), z)
# --- whole: files and folders of the framework's name in the package are not imported by it
# --- file: package/__init__.py
import tensorflow
# --- file: package/tensorflow.py
import tensorflow as tf
# --- file: package/keras/__init__.py
import tensorflow as tf
# --- file: package/models/__init__.py
# --- file: package/models/tensorflow.py
import tensorflow as tf
from keras import backend as K


def f(rows, table):
    for row in rows:
        print(row, tf.exp(table), K.exp(table))
# --- case: a variable changes where anything else is called than ops
class Solver:
    def __init__(self, f):
        self.f = tf.Variable(f, trainable=False)

    def only_ops(self, rounds, v):
        values = []
        for _ in reversed(range(rounds)):
            v = tf.matmul(tf.transpose(self.f), v)
            values.append(v)
        return values

    def assigned(self, rounds, v):
        for _ in range(rounds):
            v = tf.matmul(tf.transpose(self.f), v)
            self.f.assign_add(v)
        return v

    def by_a_method(self, rounds, v):
        for _ in range(rounds):
            v = tf.matmul(tf.transpose(self.f), v)
            self.advance()
        return v

    def by_an_iterator(self, rounds, v, steps):
        for _ in range(rounds):
            v = tf.matmul(tf.transpose(self.f), v)
            next(steps)
        return v
# --- case: a cast of what an op gives in the loop goes with that op
def f(rows, table):
    for row in rows:
        size = tf.exp(table)
        count = tf.shape(table)[0]
        print(row, tf.cast(size, tf.float16), tf.reshape(count, [1]))
# --- case: behind a question about lengths, which is not about the first time
class Metrics:
    def best(self, metrics, index):
        for name in sorted(metrics):
            if len(metrics[name]) != len(self._candidates):
                continue
            print(name, metrics[name][tf.cast(index, tf.int32)])

    def first(self, metrics, index):
        for name in sorted(metrics):
            if self._best:
                continue
            self._best = metrics[name][tf.cast(index, tf.int32)]
# --- case: what a table holds is called
def f(n, table, x):
    for i in range(n):
        print(tf.exp(table[0](x)), tf.abs(tf.exp(table["a"](x)(i))))
# --- case: an attribute that is set once is the same, though methods of the object are called
class Decoder(tf.keras.Model):
    def __init__(self, size, steps):
        super().__init__()
        self.size = size
        self.steps = steps
        self.seen = []

    def call(self, labels, state):
        for t in range(self.steps + 1):
            dense = tf.sparse.to_dense(labels, default_value=self.size)
            past = tf.constant(self.seen)
            shape = tf.TensorShape((None, self.size))
            state = self.cell(dense[:, t], state, past, shape)
        return state

    def note(self, x):
        self.seen.append(x)
# --- case: functions that only compute leave a variable alone; `is not None` picks no rounds
def norm(x):
    return x / tf.sqrt(tf.reduce_sum(x * x))


class Power:
    def __init__(self, w):
        self.w = tf.Variable(w)

    def iterate(self, u, rounds, masks):
        for i in range(rounds):
            u = norm(tf.matmul(u, tf.transpose(self.w)))
            if masks[i] is not None:
                u = u * tf.cast(self.w > 0, tf.float32)
        return u

    def changed(self, u, rounds):
        def shrink(x):
            self.w.assign(self.w * 0.5)
            return x

        for _ in range(rounds):
            u = shrink(tf.matmul(u, tf.transpose(self.w)))
        return u
# --- case: a small op behind a call
@tf.function
def forward(x):
    return x


def boxes(x):
    return x + tf.constant(20), tf.fill([4], 0.1)


for step in range(100000):
    print(forward(boxes(tf.random.normal([4]))).numpy())
# --- case: behind a call: what is awaited, sent in, bound on the way or called later may be another each time
@tf.function
def step(x):
    return tf.reduce_sum(x)


async def awaited(size):
    return tf.linalg.band_part(tf.ones([await size, 512]), -1, 0)


def assigned(size):
    return tf.linalg.band_part(tf.ones([(n := size), 512]), -1, 0) * n


def sent(size):
    return tf.linalg.band_part(tf.ones([(yield size), 512]), -1, 0)


def later(size):
    return tf.linalg.band_part(tf.map_fn(lambda x: x, size), -1, 0)


async def train(batches, size, sizes):
    for n, batch in enumerate(batches):
        print(n, step(batch * await awaited(size) * assigned(size) * sent(size) * later(size)).numpy())
# --- case: the last of a list in a dictionary, which the loop fills
parts = {"seen": [start]}
for step in range(1000):
    last = tf.expand_dims(parts["seen"][-1], 0)
    parts["seen"].append(model(last))
# --- case: a function of the project adds to a list in the dictionary
def roll(model, frames, n):
    seq = {"feat": frames}
    for _ in range(n):
        tf.linalg.inv(seq["feat"][-1])
        extend(seq, model(frames))


def extend(rows, y):
    rows["feat"].append(y)
# --- case: a method does, two calls away
class Roller:
    def roll(self, seq):
        for _ in range(1000):
            self.push(1, tf.linalg.inv(seq["feat"][-1]), rows=seq)

    def push(self, weight, y, rows):
        self.keep(rows, weight * y)

    def keep(self, rows, y):
        rows["feat"].append(y)
# --- case: another name of the list gets an item
def roll(model, seq, n):
    for _ in range(n):
        feat = seq["feat"]
        feat.append(tf.linalg.inv(seq["feat"][-1]))
# --- case: all lists of the dictionary get one
def roll(model, seq, n):
    for _ in range(n):
        y = tf.linalg.inv(seq["feat"][-1])
        for key, rows in seq.items():
            rows.append(y)
