# --- case: made once
import torch
from torch.utils.data import DataLoader

batches = iter(DataLoader(data, batch_size=64))
for step in range(100):
    train(next(batches))
# --- case: anew where it ends
import torch
from torch.utils.data import DataLoader

loader = DataLoader(data, batch_size=64)
batches = iter(loader)
for step in range(10000):
    try:
        x = next(batches)
    except StopIteration:
        batches = iter(loader)
        x = next(batches)
    train(x)
# --- case: one batch to look at
import torch
from torch.utils.data import DataLoader

loader = DataLoader(data, batch_size=64)
show(next(iter(loader)))
# --- case: for a picture at each epoch
import torch
from torch.utils.data import DataLoader

loader = DataLoader(data, batch_size=64)
for epoch in range(100):
    for x in loader:
        train(x)
    show(next(iter(loader)))
# --- case: now and then
import torch
from torch.utils.data import DataLoader

train_loader = DataLoader(train, 64)
valid_loader = DataLoader(valid, 64)
for i, x in enumerate(train_loader):
    step(x)
    if i % 1000 == 0:
        show(next(iter(valid_loader)))
# --- case: another loader in each round
import torch
from torch.utils.data import DataLoader

loaders = [DataLoader(d, batch_size=64) for d in data]
for loader in loaders:
    show(next(iter(loader)))
# --- case: the first of a dictionary
import torch

for name in names:
    print(next(iter(table)))
# --- case: the parameters of a model
import torch

for x in batches:
    x = x.to(next(iter(model.parameters())).device)
# --- case: a generator of the project
import tensorflow as tf


def batches(rows):
    while True:
        yield rows


for step in range(10000):
    train(next(batches(rows)))
# --- case: another data set in each round
import tensorflow as tf

for path in paths:
    data = tf.data.TextLineDataset(path).batch(64)
    show(next(iter(data)))
# --- case: a handful
import torch
from torch.utils.data import DataLoader

loader = DataLoader(data, batch_size=64)
for i in range(3):
    show(next(iter(loader)))
# --- case: the first time only
import torch
from torch.utils.data import DataLoader

loader = DataLoader(data, batch_size=64)
first = None
for step in range(10000):
    if first is None:
        first = next(iter(loader))
    train(first)
# --- case: by its name, in a library
import torch


def train(train_loader, steps):
    for i in range(steps):
        batch = next(iter(train_loader))  # expect: PP436 likely
        step(batch)
