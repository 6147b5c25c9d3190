# --- case: loss.numpy() in a loop with a tape
import tensorflow as tf

losses = []
for x, y in dataset:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.weights), model.weights))
    losses.append(loss.numpy())  # expect: PP406
# --- case: float of what a train step gives
import tensorflow as tf


@tf.function
def train_step(x):
    loss = tf.reduce_mean(x)
    return loss


def fit(data):
    total = 0.0
    for step, x in enumerate(data):
        total += float(train_step(x))  # expect: PP406
# --- case: print at every step
import tensorflow.compat.v2 as tf

for step in range(10000):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(batch()))
    optimizer.apply_gradients(zip(tape.gradient(loss, v), v))
    print("loss", loss)  # expect: PP406
# --- case: print with an f-string
import tensorflow as tf

for batch in batches:
    with tf.GradientTape() as tape:
        loss = tf.nn.l2_loss(model(batch))
    optimizer.apply_gradients(zip(tape.gradient(loss, v), v))
    print(f"step: {loss}")  # expect: PP406
# --- case: a metric's result
import tensorflow as tf

metric = tf.keras.metrics.Mean()
for epoch in range(epochs):
    for x, y in train_dataset:
        metric(train_step(x, y))
        bar.set_postfix(loss=metric.result().numpy())  # expect: PP406
# --- case: K.get_value
import tensorflow as tf
from tensorflow.keras import backend as K

for i, batch in enumerate(batches):
    loss = model.train_on_batch(batch)
    history.append(K.get_value(model.optimizer.lr))  # expect: PP406
# --- case: K.eval, import keras
import keras
import keras.backend as K

for batch in generator:
    model.train_on_batch(*batch)
    log.append(K.eval(K.mean(state)))  # expect: PP406
# --- case: format
import tensorflow as tf

for step in range(steps):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, v), v))
    print("{}: {}".format(step, loss))  # expect: PP406
# --- case: while
import tensorflow as tf

while True:
    loss = train_step(next(data))
    history.append(loss.numpy())  # expect: PP406
# --- case: minimize
from tensorflow import reduce_mean, optimizers
import tensorflow as tf

opt = optimizers.Adam()
for i in range(1000):
    opt.minimize(lambda: reduce_mean(x), [x])
    trace.append(x_square(x).numpy())  # expect: PP406
# --- case: int of a tensor
import tensorflow as tf

hits = 0
for x, y in dataset:
    train_step(x, y)
    hits += int(tf.reduce_sum(tf.cast(tf.equal(tf.argmax(model(x), 1), y), tf.int32)))  # expect: PP406
# --- case: a method of a trainer, TensorBoard
import tensorflow as tf


class Trainer:
    def run(self, dataset):
        for step, batch in enumerate(dataset):
            loss = self.train_step(batch)
            self.history.append(loss.numpy())  # expect: PP406

    @tf.function
    def train_step(self, batch):
        return tf.reduce_mean(batch)
# --- case: several of them
import tensorflow as tf

for image in train_ds:
    g, d = train_step(image)
    g_losses.append(g.numpy())  # expect: PP406
    d_losses.append(d.numpy())  # expect: PP406
# --- case: the values of a dictionary that the step gives
import tensorflow as tf


def train(dataset):
    for batch in dataset:
        loss, metrics = train_step(batch)
        for name, value in metrics.items():
            totals[name] += value.numpy()  # expect: PP406
# --- case: one finding for one print
import tensorflow as tf

for x, y in dataset.batch(8):
    with tf.GradientTape() as tape:
        a, b = losses(model(x), y)
        loss = tf.reduce_sum(a) + tf.reduce_sum(b)
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    print("%f %f %f" % (loss.numpy(), a.numpy(), b.numpy()))  # expect: PP406
