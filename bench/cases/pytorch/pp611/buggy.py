"""PP611: each frame waits for the same file.

The colours are opened, read and unpickled for every frame, and they are the same each time.
"""

import pickle

import numpy as np
import torch

import ppcase

COLORS = 40000

rng = np.random.default_rng(611)
with open("palette", "wb") as file:
    pickle.dump([tuple(color) for color in rng.integers(256, size=(COLORS, 3)).tolist()], file)
frames = [torch.from_numpy(rng.integers(COLORS, size=256)) for _ in range(100)]


def paint(frame, colors):
    return torch.tensor([colors[i] for i in frame.tolist()]).sum(0)


for _ in ppcase.work():
    painted = []
    for frame in frames:
        colors = pickle.load(open("palette", "rb"))
        painted.append(paint(frame, colors))
ppcase.digest(torch.stack(painted).numpy())
