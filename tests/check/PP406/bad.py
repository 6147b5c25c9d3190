import tensorflow as tf
# --- case: loss.numpy() in a loop with a tape
model = tf.function(model)

losses = []
for x, y in dataset:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.weights), model.weights))
    losses.append(loss.numpy())  # expect: PP406
# --- case: float of what a train step gives
@tf.function
def train_step(x):
    loss = tf.reduce_mean(x)
    return loss


def fit(data):
    total = 0.0
    for step, x in enumerate(data):
        total += float(train_step(x))  # expect: PP406
# --- case: K.get_value
from tensorflow.keras import backend as K

for i, batch in enumerate(batches):
    loss = model.train_on_batch(batch)
    history.append(K.get_value(model.optimizer.lr))  # expect: PP406
# --- whole: K.eval, import keras
import keras
import keras.backend as K

for batch in generator:
    model.train_on_batch(*batch)
    log.append(K.eval(K.mean(state)))  # expect: PP406
# --- case: while
model = tf.function(model)

while True:
    loss = train_step(next(data))
    history.append(loss.numpy())  # expect: PP406
# --- whole: minimize
from tensorflow import reduce_mean, optimizers
import tensorflow as tf

model = tf.function(model)

opt = optimizers.Adam()
for i in range(1000):
    opt.minimize(lambda: reduce_mean(x), [x])
    trace.append(x_square(x).numpy())  # expect: PP406
# --- case: int of a tensor
model = tf.function(model)

hits = 0
for x, y in dataset:
    train_step(x, y)
    hits += int(tf.reduce_sum(tf.cast(tf.equal(tf.argmax(model(x), 1), y), tf.int32)))  # expect: PP406
# --- case: a method of a trainer, TensorBoard
class Trainer:
    def run(self, dataset):
        for step, batch in enumerate(dataset):
            loss = self.train_step(batch)
            self.history.append(loss.numpy())  # expect: PP406

    @tf.function
    def train_step(self, batch):
        return tf.reduce_mean(batch)
# --- case: several of them
model = tf.function(model)

for image in train_ds:
    g, d = train_step(image)
    g_losses.append(g.numpy())  # expect: PP406
    d_losses.append(d.numpy())  # expect: PP406 low
# --- case: the values of a dictionary that the step gives
model = tf.function(model)


def train(dataset):
    for batch in dataset:
        loss, metrics = train_step(batch)
        for name, value in metrics.items():
            totals[name] += value.numpy()  # expect: PP406
# --- case: a step that is compiled where it is made
class Trainer:
    def __init__(self, model):
        self.model = model
        self.step = tf.function(self.train_step)

    def train_step(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self.model(x))
        self.optimizer.apply_gradients(zip(tape.gradient(loss, self.v), self.v))
        return loss

    def fit(self, data):
        total = 0.0
        for x in data:
            loss = self.train_step(x)
            total += loss.numpy()  # expect: PP406
        return total
# --- case: the first of two waits; the second has nothing to wait for
@tf.function
def train_step(x):
    return tf.reduce_mean(x), tf.reduce_max(x)


def fit(data):
    means, tops = [], []
    for x in data:
        mean, top = train_step(x)
        means.append(mean.numpy())  # expect: PP406
        tops.append(top.numpy())  # expect: PP406 low
    return means, tops
# --- case: a base class compiles the step
class Base:
    def __init__(self, fast):
        if fast:
            self.train_step = tf.function(self.train_step)


class Trainer(Base):
    def train_step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.net(x) - y))
        self.optimizer.apply_gradients(zip(tape.gradient(loss, self.weights), self.weights))
        return loss

    def train(self, batches):
        total = 0.0
        for x, y in batches:
            total += self.train_step(x, y).numpy()  # expect: PP406
        return total
# --- case: a step is known by what it does, not by its name
model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
optimizer = tf.keras.optimizers.Adam()


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


def run(dataset):
    losses = []
    for x, y in dataset:
        loss = step(x, y)
        losses.append(loss.numpy())  # expect: PP406
# --- case: a method with any name
class Agent:
    @tf.function
    def improve(self, batch):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self.net(batch))
        self.opt.apply_gradients(zip(tape.gradient(loss, self.net.weights), self.net.weights))
        return loss

    def play(self, batches):
        for batch in batches:
            loss = self.improve(batch)
            self.log.append(float(loss))  # expect: PP406
# --- whole: what is fetched at each step, and what is not
import tensorflow as tf
from library import helper, other_step

model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.Adam()
metric = tf.keras.metrics.Mean()
dataset = tf.data.Dataset.from_tensor_slices((images, labels)).batch(32)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def eager_step(x, y):
    return tf.reduce_mean((model(x) - y) ** 2)
# --- each
def trainNTH(epoch, bar, env, writer, total=0, losses=[], history=[], best=3):
    for step, (x, y) in enumerate(dataset):
        loss = train_step(x, y)
        EACH
    return total, losses, history
# --- of
total += loss.numpy()  # expect: PP406
total += float(loss)  # expect: PP406
print(loss)  # expect: PP406 low
print("a", loss.numpy(), step)  # expect: PP406 low
print(f"{loss}")  # expect: PP406 low
print("%f" % loss)
print((loss, step))  # expect: PP406 low
print(lambda: loss)
print(end="")
losses.append(loss.numpy())  # expect: PP406
losses.append(loss)
tf.print(loss)
if loss > 3:
    break
if loss.numpy() > 3:
    break
if step == 3:
    print(loss.numpy())
if step % 100 == 0:
    print(loss.numpy())
while loss > 3:
    loss = loss / 2
value = loss.numpy()  # expect: PP406
# and
total += value
value = loss.numpy()
# and
if value > 3:
    break
value = loss.numpy()  # expect: PP406 low
# and
best = min(best, value)
value = loss.numpy()  # expect: PP406 low
# and
helper(value)
history["loss"] = loss.numpy()  # expect: PP406
history = {"loss": loss.numpy()}  # expect: PP406
helper({"loss": loss.numpy()})  # expect: PP406 low
bar.set_postfix(loss=loss.numpy())  # expect: PP406 low
bar.update(step)
total += step.numpy()
total += epoch.numpy()
total += x.numpy().sum()
total += x.cpu().numpy()
total += loss.detach().numpy()
total += loss.numpy(3)
total += float(loss) if loss else 0
assert loss < 3
yield loss.numpy()  # expect: PP406
state = env.step(loss.numpy())
total += train_step(x, y).numpy()  # expect: PP406
total += other_step(x, y).numpy()
total += eager_step(x, y).numpy()  # expect: PP406
with writer.as_default():
    tf.summary.scalar("loss", loss, step)
metric.update_state(loss)
# and
print(metric.result().numpy())  # expect: PP406 low
print(metric.result())
total += tf.reduce_mean(loss).numpy()  # expect: PP406
y = loss.numpy()  # expect: PP406 low
# and
z = y + 1
# and
print(z)
total = total + loss.numpy() * 3  # expect: PP406

