import numpy as np
from tensorflow import keras
# --- case: with replacement
model = keras.models.load_model("m.h5")
for step in range(10000):
    rows = np.random.choice(len(x_train), 32)
    model.train_on_batch(x_train[rows], 0)
# --- case: a generator of NumPy
model = keras.models.load_model("m.h5")
rng = np.random.default_rng()
for step in range(10000):
    rows = rng.choice(len(x_train), 32, replace=False)
    model.train_on_batch(x_train[rows], 0)
# --- case: integers
model = keras.models.load_model("m.h5")
for step in range(10000):
    rows = np.random.randint(len(x_train), size=32)
    model.train_on_batch(x_train[rows], 0)
# --- case: all of an order, in each epoch
model = keras.models.load_model("m.h5")
for epoch in range(100):
    order = np.random.permutation(len(x_train))
    for i in range(0, len(x_train), 32):
        model.train_on_batch(x_train[order[i:i + 32]], 0)
# --- case: once
model = keras.models.load_model("m.h5")
rows = np.random.choice(len(x_train), 1000, replace=False)
model.fit(x_train[rows], y_train[rows])
# --- case: all rows are asked for
model = keras.models.load_model("m.h5")
for step in range(10000):
    rows = np.random.choice(len(x_train), len(x_train), replace=False)
    model.train_on_batch(x_train[rows], 0)
# --- case: with probabilities
model = keras.models.load_model("m.h5")
for step in range(10000):
    rows = np.random.choice(len(memory), 32, replace=False, p=weights)
    model.train_on_batch(x_train[rows], 0)
# --- case: two parts that are all
model = keras.models.load_model("m.h5")
for step in range(10000):
    order = np.random.permutation(len(x_train))
    model.train_on_batch(x_train[order[:32]], 0)
    show(x_train[order[32:]])
# --- case: a part of few
model = keras.models.load_model("m.h5")
for step in range(10000):
    rows = np.random.permutation(batch_size)[:8]
    model.train_on_batch(images[rows], 0)
# --- case: the rest of an order
model = keras.models.load_model("m.h5")
for step in range(10000):
    model.train_on_batch(x_train[np.random.permutation(len(x_train))[1:]], 0)
# --- whole: nothing trains
import numpy as np
import tensorflow as tf

for run in range(10):
    show(np.random.choice(len(data), 32, replace=False))
# --- whole: in a library, by names
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 784])
train_op = tf.train.AdamOptimizer().minimize(tf.reduce_mean(x))
session = tf.Session()


def optimize(images, steps):
    for i in range(steps):
        rows = np.random.choice(len(images), size=64, replace=False)  # expect: PP437 likely
        session.run(train_op, {x: images[rows]})
