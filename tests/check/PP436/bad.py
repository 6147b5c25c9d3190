# --- case: a loader of PyTorch
import torch
from torch.utils.data import DataLoader

loader = DataLoader(data, batch_size=64, shuffle=True, num_workers=4)
for step in range(10000):
    x, y = next(iter(loader))  # expect: PP436 high
    train(x, y)
# --- case: a data set of TensorFlow
import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices(images).shuffle(1000).batch(64)
for step in range(10000):
    train(next(iter(data)))  # expect: PP436 high
# --- case: a second loader beside the one of the loop
import torch
from torch.utils.data import DataLoader

train_loader = DataLoader(train, 64)
valid_loader = DataLoader(valid, 64, shuffle=True)
for x, y in train_loader:
    x_search, y_search = next(iter(valid_loader))  # expect: PP436 high
    architect(x, y, x_search, y_search)
# --- case: a loader by its name
import torch


def train(train_loader, steps):
    for i in range(steps):
        batch = next(iter(train_loader))  # expect: PP436 high
        step(batch)


train(loaders[0], 10000)
# --- case: within epochs
import torch
from torch.utils.data import DataLoader

loader = DataLoader(data, batch_size=64, shuffle=True)
for epoch in range(epochs):
    for i in range(100):
        x = next(iter(loader))  # expect: PP436 high
        train(x)
# --- case: an attribute
import torch
from torch.utils.data import DataLoader


class Trainer:
    def __init__(self, data):
        self.loader = DataLoader(data, 32)

    def train(self, steps):
        for i in range(steps):
            x = next(iter(self.loader))  # expect: PP436 high
            self.step(x)


Trainer(data).train(10000)
# --- case: through a function
import tensorflow as tf


def batches(rows, size):
    return iter(tf.data.Dataset.from_tensor_slices(rows).shuffle(1000).batch(size).repeat())


for step in range(10000):
    train(next(batches(rows, 64)))  # expect: PP436 high
# --- case: through a method
import tensorflow as tf


class Trainer:
    def batch(self, rows):
        return iter(tf.data.Dataset.from_tensor_slices(rows).batch(self.size).repeat())

    def train(self, rows, steps):
        for _ in range(steps):
            self.step(next(self.batch(rows)))  # expect: PP436 high


Trainer().train(rows, 10000)
# --- case: of NumPy
import tensorflow as tf

data = tf.data.Dataset.range(10000).shuffle(1000).batch(64)
for step in range(10000):
    train(next(data.as_numpy_iterator()))  # expect: PP436 high
# --- case: the method behind iter()
import torch
from torch.utils.data import DataLoader

loader = DataLoader(data, batch_size=64)
for step in range(10000):
    train(next(loader.__iter__()))  # expect: PP436 high
# --- case: while
import torch
from torch.utils.data import DataLoader

loader = DataLoader(data, batch_size=64)
step = 0
while step < 10000:
    train(next(iter(loader)))  # expect: PP436 high
    step += 1
# --- case: a handful of times in each step
import torch
from torch.utils.data import DataLoader

loader = DataLoader(data, batch_size=64)
for step in range(10000):
    for _ in range(2):
        train(next(iter(loader)))  # expect: PP436 high
