import pickle
import numpy as np
import torch
# --- case: before the loop
mean = np.load("mean.npy")
for batch in loader:
    model(batch - mean)
# --- case: another file each time
for path in paths:
    x = np.load(path)
# --- case: a path that is filled in
for step in range(99):
    x = np.load(f"{step}.npy")
# --- case: once in an epoch
for epoch in range(epochs):
    mean = np.load("mean.npy")
    for batch in loader:
        model(batch - mean)
# --- case: the first time
mean = None
for batch in loader:
    if mean is None:
        mean = np.load("mean.npy")
# --- case: a handful
for kind in ("a", "b"):
    x = np.load("x.npy")
# --- case: no loop
x = np.load("x.npy")
# --- case: written
for batch in loader:
    np.save("x.npy", batch)
# --- case: a function that reads nothing
def load_names(path):
    return [path]


for batch in loader:
    names = load_names('a')
# --- case: a function that is not seen
for batch in loader:
    names = helper.load_names('a')
# --- case: names of letters
for batch in loader:
    names = split('a b')
# --- case: a file that grows
for batch in loader:
    log = open('log.txt', 'a')
    log.write('x')
# --- whole: a method that reads what it is told
import os

import numpy as np
import torch


class Sampler:
    def __init__(self, folder):
        self.folder = folder

    def features(self, name):
        return torch.from_numpy(np.load(os.path.join(self.folder, name)))


def render(loader, folder):
    sampler = Sampler(folder)
    for name in loader:
        show(sampler.features(name))
# --- whole: a method that reads the first time
import numpy as np
import torch


class Sampler:
    def __init__(self, path):
        self.path = path
        self.clusters = None

    def features(self, x):
        if self.clusters is None:
            self.clusters = np.load(self.path)
        return torch.from_numpy(self.clusters[x])


def render(loader, path):
    sampler = Sampler(path)
    for x in loader:
        show(sampler.features(x))
# --- whole: a checkpoint that another program writes in the meantime
import torch


def watch(model, loader, path):
    for step, x in enumerate(loader):
        if step % 1000 == 0:
            model.load_state_dict(torch.load(path))
        show(model(x))
