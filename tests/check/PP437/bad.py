import numpy as np
from tensorflow import keras
# --- whole: a draw for each run of a session
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 784])
train_op = tf.train.AdamOptimizer().minimize(tf.reduce_mean(x))
session = tf.Session()
for step in range(10000):
    rows = np.random.choice(len(train_x), 64, replace=False)  # expect: PP437
    session.run(train_op, {x: train_x[rows]})
# --- whole: by keyword
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 784])
train_op = tf.train.AdamOptimizer().minimize(tf.reduce_mean(x))
session = tf.Session()
for step in range(10000):
    rows = np.random.choice(a=train_x.shape[0], size=64, replace=False)  # expect: PP437
    session.run(train_op, {x: train_x[rows]})
# --- whole: in a function
import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 784])
train_op = tf.train.AdamOptimizer().minimize(tf.reduce_mean(x))
session = tf.Session()


def random_batch(images):
    rows = np.random.choice(len(images), size=64, replace=False)  # expect: PP437
    return images[rows]


def optimize(images, steps):
    for i in range(steps):
        session.run(train_op, {x: random_batch(images)})


optimize(images, 1000)
# --- case: the beginning of an order
model = keras.models.load_model("m.h5")
for step in range(10000):
    rows = np.random.permutation(len(x_train))[:32]  # expect: PP437
    model.train_on_batch(x_train[rows], y_train[rows])
# --- case: the beginning of an order with a name
model = keras.models.load_model("m.h5")
for step in range(10000):
    order = np.random.permutation(len(x_train))  # expect: PP437
    model.train_on_batch(x_train[order[:32]], 0)
# --- case: a part of an order
model = keras.models.load_model("m.h5")
for step in range(10000):
    order = np.random.permutation(len(x_train))  # expect: PP437
    model.train_on_batch(x_train[order[step:step + 32]], 0)
# --- whole: PyTorch
import numpy as np
import torch
from torch import nn

net = nn.Linear(8, 2)
optimizer = torch.optim.Adam(net.parameters())


def train(rows):
    loss = net(rows).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


for step in range(10000):
    train(x_train[torch.randperm(len(x_train))[:64]])  # expect: PP437
# --- whole: PyTorch, with NumPy's draw
import numpy as np
import torch
from torch import nn

net = nn.Linear(8, 2)
optimizer = torch.optim.Adam(net.parameters())


def train(rows):
    loss = net(rows).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


for step in range(10000):
    rows = np.random.choice(n_samples, 64, replace=False)  # expect: PP437
    train(torch.from_numpy(data[rows]))
# --- whole: a memory, at each step of an environment
import numpy as np
import torch
from torch import nn

net = nn.Linear(8, 2)
optimizer = torch.optim.Adam(net.parameters())


def train(rows):
    loss = net(rows).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


class Memory:
    def __init__(self, size):
        self.mem_size, self.count = size, 0
        self.states = np.zeros((size, 8), dtype=np.float32)

    def sample(self, n):
        filled = np.random.choice(min(self.count, self.mem_size), n, replace=False)  # expect: PP437
        return self.states[filled]


memory = Memory(1000000)
for i in range(500):
    done = False
    state = env.reset()
    while not done:
        state, reward, done, info = env.step(0)
        train(torch.from_numpy(memory.sample(64)))
# --- case: a memory, by its length
model = keras.models.load_model("m.h5")
while True:
    state, reward, done, info = env.step(0)
    rows = np.random.choice(len(memory), 32, replace=False)  # expect: PP437
    model.train_on_batch(states[rows], 0)
# --- case: an array of the rows
model = keras.models.load_model("m.h5")
for step in range(10000):
    rows = np.random.choice(train_rows, 32, replace=False)  # expect: PP437
    model.train_on_batch(x_train[rows], 0)
# --- case: by position
model = keras.models.load_model("m.h5")
for step in range(10000):
    rows = np.random.choice(len(x_train), 32, False)  # expect: PP437
    model.train_on_batch(x_train[rows], 0)
