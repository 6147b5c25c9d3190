import tensorflow as tf
# --- case: compiled
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.Adam()


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:  # lacks: a tf.function may run it, or the file uses graphs and sessions
        loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for x, y in tf.data.TFRecordDataset("x").batch(32):
    train_step(x, y)
# --- case: compiled with a signature
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.Adam()


@tf.function(jit_compile=True)
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for x, y in tf.data.TFRecordDataset("x").batch(32):
    train_step(x, y)
# --- case: compiled by a call
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.Adam()


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


compiled = tf.function(train_step)
for x, y in tf.data.TFRecordDataset("x").batch(32):
    compiled(x, y)
# --- case: the caller is compiled
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.Adam()


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


@tf.function
def batch_step(batch):
    train_step(*batch)


for batch in tf.data.TFRecordDataset("x").batch(32):
    batch_step(batch)
# --- case: the whole epoch is compiled
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.Adam()


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


@tf.function
def epoch(dataset):
    for x, y in dataset:
        train_step(x, y)


for e in range(100):
    epoch(dataset)
# --- case: run by a strategy inside a tf.function
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.Adam()
strategy = tf.distribute.MirroredStrategy()


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


@tf.function
def distributed(x, y):
    strategy.run(train_step, args=(x, y))


for x, y in dataset:
    distributed(x, y)
# --- case: train_step of a Keras model
class Model(tf.keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compiled_loss(y, self(x, training=True))
        self.optimizer.apply_gradients(zip(tape.gradient(loss, self.trainable_variables),
                                           self.trainable_variables))
        return {"loss": loss}


model = Model()
model.compile("adam", "mse")
model.fit(dataset)
# --- case: no gradients are applied: a saliency map
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.Adam()


def saliency(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        score = tf.reduce_max(model(x))
    return tape.gradient(score, x)


for x in tf.data.TFRecordDataset("x").batch(32):
    save(saliency(x))
# --- case: it runs once
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.Adam()


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


train_step(x, y)
# --- case: a handful of rounds
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.Adam()


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for i in range(3):
    train_step(x, y)
# --- case: a decorator that is not known
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.Adam()
from library import compiled


@compiled
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for x, y in tf.data.TFRecordDataset("x").batch(32):
    train_step(x, y)
# --- case: handed on by its name
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.Adam()


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


run_training(train_step, dataset)
# --- case: TensorFlow 1
loss = tf.reduce_mean(tf.square(output - target))
train = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as session:
    for step in range(10000):
        session.run(train)
# --- case: a compiled inner function
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.Adam()


def train(dataset):
    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))

    for x, y in dataset:
        train_step(x, y)
# --- case: gradients of what is watched, a penalty
def penalty(critic, real, fake):
    mixed = 0.5 * (real + fake)
    with tf.GradientTape() as tape:
        tape.watch(mixed)
        score = critic(mixed)
    return tf.norm(tape.gradient(score, mixed))


@tf.function
def step(critic, optimizer, real, fake):
    with tf.GradientTape() as tape:
        loss = penalty(critic, real, fake)
    optimizer.apply_gradients(zip(tape.gradient(loss, critic.trainable_variables), critic.trainable_variables))


for real, fake in tf.data.Dataset.from_tensor_slices((reals, fakes)).batch(8):
    step(critic, optimizer, real, fake)
# --- case: gradients for a picture of them, nothing is applied
def saliency(model, image):
    with tf.GradientTape() as tape:
        score = tf.reduce_max(model(image))
    return tape.gradient(score, model.trainable_variables)


for image in tf.data.Dataset.from_tensor_slices(images).batch(1):
    print(saliency(model, image)[0].shape)
# --- case: minimize() in a tf.function
slope = tf.Variable(3.0)
adam = tf.keras.optimizers.Adam(0.01)


@tf.function
def improve():
    adam.minimize(lambda: slope * slope, [slope])


for attempt in range(8000):
    improve()
# --- case: minimize() of a few rounds, and of another library
from scipy import optimize

slope = tf.Variable(3.0)
adam = tf.keras.optimizers.Adam(0.01)
for attempt in range(3):
    adam.minimize(lambda: slope * slope, [slope])
for start in range(5000):
    optimize.minimize(lambda x: x * x, [start])
# --- case: a loop over tf.range() in a graph
def leap(place):
    for _ in tf.range(8):
        place += tf.sin(place)
    return place


@tf.function
def sample(place, n):
    for i in tf.range(n):
        place = leap(place) + tf.square(place)
    return place


print(sample(tf.zeros([50, 4]), 100))
# --- case: a loop over tf.range() in a library, whose callers may make a graph of it
def sample(place, n):
    for i in tf.range(n):
        place = tf.square(place)
    return place
# --- case: only a test has the loop of steps
# --- file: task.py
import tensorflow as tf


class Task:
    def train_step(self, x, model, optimizer):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(model(x))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
# --- file: tests/test_task.py
from task import Task


def test_task(model, optimizer, data, steps):
    task = Task()
    for _ in range(steps):
        task.train_step(next(data), model, optimizer)
