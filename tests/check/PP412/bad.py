import tensorflow as tf
# --- case: a function that a loop over a data set calls
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.Adam()


def train_step(x, y):  # expect: PP412
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def train(dataset):
    for epoch in range(20):
        for x, y in dataset:
            train_step(x, y)
# --- case: at the top of a file
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.Adam()
dataset = tf.data.Dataset.from_tensor_slices((images, labels)).batch(32)
for epoch in range(20):
    for x, y in dataset:
        with tf.GradientTape() as tape:  # expect: PP412
            loss = tf.reduce_mean((model(x) - y) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
# --- case: in the loop of a function
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.Adam()


def train(dataset):
    for step, (x, y) in enumerate(dataset):
        with tf.GradientTape() as tape:  # expect: PP412
            loss = tf.reduce_mean((model(x) - y) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
# --- case: a method
class Trainer:
    def __init__(self, model):
        self.model, self.optimizer = model, tf.keras.optimizers.Adam()

    def train_step(self, x, y):  # expect: PP412
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self.model(x, training=True) - y) ** 2)
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))

    def fit(self, dataset):
        for x, y in dataset:
            self.train_step(x, y)
# --- case: called through another function
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.Adam()


def update(x, y):  # expect: PP412
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def one_batch(batch):
    x, y = batch
    update(x, y)


def train(dataset):
    for batch in dataset:
        one_batch(batch)
# --- case: tf.function is commented out
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.Adam()


# @tf.function
def train_step(x, y):  # expect: PP412
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for step in range(10000):
    x, y = next(batches)
    train_step(x, y)
# --- case: a nested function
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.Adam()


def train(dataset):
    def train_step(x, y):  # expect: PP412
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))

    for x, y in dataset:
        train_step(x, y)
# --- case: while True
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.Adam()


def train_step(x, y):  # expect: PP412
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


while True:
    x, y = next(batches)
    train_step(x, y)
# --- case: two tapes of a GAN
def step(images, generator, critic, g_optimizer, c_optimizer):  # expect: PP412
    with tf.GradientTape() as g_tape, tf.GradientTape() as c_tape:
        fake = generator(tf.random.normal([32, 100]))
        g_loss, c_loss = -critic(fake), critic(fake) - critic(images)
    g_optimizer.apply_gradients(zip(g_tape.gradient(g_loss, generator.trainable_variables),
                                    generator.trainable_variables))
    c_optimizer.apply_gradients(zip(c_tape.gradient(c_loss, critic.trainable_variables),
                                    critic.trainable_variables))


def train(dataset, *parts):
    for epoch in range(50):
        for images in dataset:
            step(images, *parts)
# --- case: static method of a class that is no Keras model
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.Adam()


class Steps:
    @staticmethod
    def train_step(x, y):  # expect: PP412
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for x, y in tf.data.TFRecordDataset("x").batch(32):
    Steps.train_step(x, y)
# --- case: only the test step is compiled
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.Adam()


def train_step(x, y):  # expect: PP412
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


@tf.function
def test_step(x, y):
    return tf.reduce_mean((model(x) - y) ** 2)


for step in range(10000):
    x, y = next(batches)
    train_step(x, y)
    if step % 100 == 0:
        test_step(x, y)
# --- whole: the loop is in another file
# --- file: steps.py
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.Adam()


def train_step(x, y):  # expect: PP412
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
# --- file: train.py
import tensorflow as tf

import steps

for x, y in tf.data.TFRecordDataset("x").batch(32):
    steps.train_step(x, y)
# --- case: an environment is played in the step: little that a graph can run
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
optimizer = tf.keras.optimizers.Adam()


def act():  # expect: PP412 low
    with tf.GradientTape() as tape:
        state, reward, done, _ = env.step(1)
        loss = -reward * tf.math.log(model(state[None]))[0]
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


def train_step(x, y):  # expect: PP412
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for step in range(10000):
    act()
    train_step(*next(batches))
# --- whole: the repository holds a copy of TensorFlow
# --- file: tensorflow/__init__.py
from tensorflow.python import ops


def reduce_mean(x):
    return ops.mean(x)
# --- file: tensorflow/python/__init__.py
# --- file: tensorflow/python/ops.py
def mean(x):
    return x
# --- file: train.py
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()


def train_step(x, y):  # expect: PP412
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for x, y in dataset:
    train_step(x, y)
# --- case: the function gives gradients, the loop applies them
def grad(model, inputs, targets):  # expect: PP412
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(inputs) - targets))
    return loss, tape.gradient(loss, model.trainable_variables)


def train(model, data):
    optimizer = tf.keras.optimizers.SGD(0.1)
    for x, y in data:
        loss, grads = grad(model, x, y)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))


train(tf.keras.Sequential([tf.keras.layers.Dense(1)]), tf.data.Dataset.from_tensor_slices((xs, ys)).batch(8))
# --- case: gradients are applied by a function of the project
class Fitter:
    def __init__(self, net):
        self.net = net
        self.optimizer = tf.keras.optimizers.Adam()

    def gradients_of(self, batch):  # expect: PP412
        with tf.GradientTape() as tape:
            error = self.net.loss(batch)
        found = tape.gradient(error, self.net.trainable_variables)
        return found

    @tf.function
    def apply(self, gradients):
        self.optimizer.apply_gradients(zip(gradients, self.net.trainable_variables))

    def run(self, batches):
        for batch in batches:
            self.apply(self.gradients_of(batch))


Fitter(net).run(tf.data.Dataset.from_tensor_slices(rows).batch(4))
# --- case: minimize() of a function, in a long loop
points = tf.constant([[1.0], [2.0]])
slope = tf.Variable([[0.0]])
sgd = tf.keras.optimizers.SGD(0.1)


def distance():
    return tf.reduce_sum(tf.square(tf.matmul(points, slope) - 1.0))


for attempt in range(8000):
    sgd.minimize(distance, var_list=[slope])  # expect: PP412
# --- case: minimize() of a lambda
slope = tf.Variable(3.0)
adam = tf.optimizers.Adam(0.01)
step = 0
while step < 3000:
    adam.minimize(lambda: slope * slope, [slope])  # expect: PP412
    step += 1
# --- case: loops over tf.range() that no graph has
def leap(place):
    for _ in tf.range(8):
        place += tf.sin(place)
    return place


def sample(place, n):
    for i in tf.range(n):  # expect: PP412
        place = leap(place) + tf.square(place)
    return place


print(sample(tf.zeros([50, 4]), 100))
