import tensorflow as tf
# --- case: every 100 steps
for step, x in enumerate(dataset):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(x)
    optimizer.apply_gradients(zip(tape.gradient(loss, v), v))
    if step % 100 == 0:
        print(step, loss.numpy())  # lacks: no loop that trains is seen to run it at each step
# --- case: skipped by continue
for step, x in enumerate(dataset):
    loss = train_step(x)
    if step % 100:
        continue
    print(loss.numpy())
# --- case: once for each epoch
for epoch in range(epochs):
    for x in dataset:
        train_step(x)
    print(epoch, metric.result().numpy())
# --- case: an epoch is a step
for epoch in range(epochs):
    loss = train_step(everything)
    print(loss.numpy())
# --- case: no training
for x in dataset:
    predictions.append(tf.argmax(model(x), 1).numpy())
# --- case: a game needs its actions
for step in range(1000000):
    action = policy(state)
    state, reward = env.step(action.numpy())
    train_step(state)
# --- case: the loop decides by it
for x in dataset:
    loss = train_step(x)
    value = loss.numpy()
    if value < best:
        save(model)
# --- case: asked directly
for x in dataset:
    loss = train_step(x)
    if loss.numpy() > 1000:
        break
# --- whole: another library's tensors
import torch
import tensorflow as tf

for x in loader:
    loss = train_step(x)
    losses.append(loss.detach().cpu().numpy())
# --- case: a handful of rounds
for i in range(3):
    loss = train_step(x)
    print(loss.numpy())
# --- case: floats of Python
for step, x in enumerate(dataset):
    train_step(x)
    rate = float("0.1") * int(step)
    print("step", step, x.shape)
# --- case: the counter of steps
for x in dataset:
    train_step(x)
    log(optimizer.iterations.numpy(), global_step.numpy())
# --- case: kept as tensors, fetched after the loop
losses = []
for x in dataset:
    losses.append(train_step(x))
print(tf.reduce_mean(losses).numpy())
# --- whole: TF1 fetches by session.run
import tensorflow.compat.v1 as tf

with tf.Session() as sess:
    for step in range(1000):
        _, loss = sess.run([train_op, loss_op])
        print(step, loss)
# --- case: for verbose runs
for x in dataset:
    loss = train_step(x)
    if verbose:
        print(float(loss))
# --- case: inside the step itself
@tf.function
def step(x):
    print("tracing", x)
    return tf.reduce_mean(x)
# --- whole: in a notebook-like example
x = 1
# --- file: examples/train.py
import tensorflow as tf

for x in dataset:
    loss = train_step(x)
    losses.append(loss.numpy())  # expect: PP406 low
# --- case: the values of a dictionary, every hundred steps
def train(dataset):
    for step, batch in enumerate(dataset):
        loss, metrics = train_step(batch)
        if step % 100 == 0:
            for name, value in metrics.items():
                log(name, value.numpy())
# --- case: the values of a dictionary, once for each epoch
def train(dataset, epochs):
    for epoch in range(epochs):
        metrics = train_epoch(dataset)
        for name, value in metrics.items():
            log(name, value.numpy())
# --- case: the loop goes on to compute with it, or decides by the tensor already
for x, y in dataset.batch(8):
    with tf.GradientTape() as tape:
        errors = tf.square(model(x) - y)
        loss = tf.reduce_mean(errors)
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    priorities = errors.numpy()  # expect: PP406 low
    memory.reorder(priorities)

for x, y in dataset.batch(8):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    if not tf.math.is_finite(loss):
        break
    history.append(loss.numpy())
# --- case: the loop decides by another value, and waits for it anyway
@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    return loss, {"words": tf.size(x)}


for x in dataset.batch(8):
    loss, counts = step(x)
    if tf.math.is_nan(loss):
        raise RuntimeError("it diverged")
    history.append(counts["words"].numpy())  # expect: PP406 low
# --- case: what the loop calls applies no gradients
@tf.function
def advance(x):
    return tf.reduce_mean(model(x))


for x in dataset.batch(8):
    history.append(advance(x).numpy())
# --- whole: it trains by what it calls, on replicas, and goes through what a function gives: a note
import six
import tensorflow as tf


class Trainer:
    def train(self, dataset):
        def apply():
            self.optimizer.apply_gradients(zip(self.gradients, self.variables))

        @tf.function
        def advance():
            self.strategy.run(apply)

        totals = {}
        for i, (loss, counts) in enumerate(forward(dataset)):
            if i % 4 == 0:
                advance()
            for key, value in six.iteritems(counts):
                totals[key] += value.numpy()  # expect: PP406 low

        for device in self.devices():
            advance()
            print(self.loss.numpy())
# --- whole: print at every step
import tensorflow.compat.v2 as tf

for step in range(10000):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(batch()))
    optimizer.apply_gradients(zip(tape.gradient(loss, v), v))
    print("loss", loss)  # expect: PP406 low
# --- case: print with an f-string
for batch in batches:
    with tf.GradientTape() as tape:
        loss = tf.nn.l2_loss(model(batch))
    optimizer.apply_gradients(zip(tape.gradient(loss, v), v))
    print(f"step: {loss}")  # expect: PP406 low
# --- case: a metric's result
metric = tf.keras.metrics.Mean()
for epoch in range(epochs):
    for x, y in train_dataset:
        metric(train_step(x, y))
        bar.set_postfix(loss=metric.result().numpy())  # expect: PP406 low
# --- case: format
for step in range(steps):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, v), v))
    print("{}: {}".format(step, loss))  # expect: PP406 low
# --- case: one finding for one print
for x, y in dataset.batch(8):
    with tf.GradientTape() as tape:
        a, b = losses(model(x), y)
        loss = tf.reduce_sum(a) + tf.reduce_sum(b)
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    print("%f %f %f" % (loss.numpy(), a.numpy(), b.numpy()))  # expect: PP406 low
# --- whole: the step runs op by op; a compiled one writes summaries, or its value is computed with
import numpy as np
import tensorflow as tf


def fit(data, losses):
    for x, y in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x) - y))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.weights), model.weights))
        losses.append(loss.numpy())  # expect: PP406 low
# --- case: a compiled step that writes summaries
@tf.function
def train_step(x):
    loss = tf.reduce_mean(x)
    tf.summary.scalar("loss", loss)
    return loss


def fit(data, losses):
    for x in data:
        losses.append(train_step(x).numpy())  # expect: PP406 low
# --- whole: the value goes into a computation on the host
import numpy as np
import tensorflow as tf


@tf.function
def train_step(x):
    return tf.reduce_mean(x)


def fit(data, errors, wanted):
    for x in data:
        errors.append(np.linalg.norm(train_step(x).numpy(), wanted))  # expect: PP406 low


def until(data, limit):
    change = 1.0
    while change > limit:
        last = train_step(next(data)).numpy()  # expect: PP406 low
        change = compare(last)
# --- whole: what the loop goes over is on the host already
import numpy as np
import tensorflow as tf


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(net(x) - y))
    optimizer.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))


def train(loader):
    for epoch in range(90):
        for i, (inputs, targets) in enumerate(loader):
            inputs, targets = inputs.numpy(), targets.numpy()
            inputs = np.transpose(inputs, (0, 2, 3, 1))
            train_step(inputs, targets)
# --- case: tf.function stands in a comment
# @tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(net(x) - y))
    optimizer.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
    return loss


def train(batches):
    total = 0.0
    for x, y in batches:
        total += train_step(x, y).numpy()  # expect: PP406 low
    return total
# --- case: a function with a loop of steps is more than a step
@tf.function
def improve(data):
    loss = 0.0
    for batch in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(net(batch))
        opt.apply_gradients(zip(tape.gradient(loss, net.weights), net.weights))
    return loss


def run(parts):
    for part in parts:
        losses.append(improve(part).numpy())
