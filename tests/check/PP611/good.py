# --- case: before the loop
import pickle

import numpy as np
import torch

mean = np.load("mean.npy")
for batch in loader:
    model(batch - mean)
# --- case: another file each time
import pickle

import numpy as np
import torch

for path in paths:
    x = np.load(path)
# --- case: a path that is filled in
import pickle

import numpy as np
import torch

for step in range(99):
    x = np.load(f"{step}.npy")
# --- case: once in an epoch
import pickle

import numpy as np
import torch

for epoch in range(epochs):
    mean = np.load("mean.npy")
    for batch in loader:
        model(batch - mean)
# --- case: the first time
import pickle

import numpy as np
import torch

mean = None
for batch in loader:
    if mean is None:
        mean = np.load("mean.npy")
# --- case: a handful
import pickle

import numpy as np
import torch

for kind in ("a", "b"):
    x = np.load("x.npy")
# --- case: no loop
import pickle

import numpy as np
import torch

x = np.load("x.npy")
# --- case: written
import pickle

import numpy as np
import torch

for batch in loader:
    np.save("x.npy", batch)
# --- case: a function that reads nothing
import pickle

import numpy as np
import torch


def load_names(path):
    return [path]


for batch in loader:
    names = load_names('a')
# --- case: a function that is not seen
import pickle

import numpy as np
import torch

for batch in loader:
    names = helper.load_names('a')
# --- case: names of letters
import pickle

import numpy as np
import torch

for batch in loader:
    names = split('a b')
# --- case: a file that grows
import pickle

import numpy as np
import torch

for batch in loader:
    log = open('log.txt', 'a')
    log.write('x')
# --- case: a method that reads what it is told
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
# --- case: a method that reads the first time
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
# --- case: a checkpoint that another program writes in the meantime
import torch


def watch(model, loader, path):
    for step, x in enumerate(loader):
        if step % 1000 == 0:
            model.load_state_dict(torch.load(path))
        show(model(x))
