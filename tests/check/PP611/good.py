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
