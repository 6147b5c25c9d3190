"""PP618: a replay memory takes twice the room that it needs.

NumPy makes arrays of 64 bits unless it is told otherwise; the states come with 32, and the network
takes 32.
"""

import numpy as np
import torch
from torch import nn

import ppcase

CAPACITY, WIDTH, BATCH, STEPS = 60000, 384, 256, 20


class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity, width), dtype=np.float32)
        self.at = 0

    def push(self, state):
        self.states[self.at] = state
        self.at += 1

    def sample(self, rng):
        return torch.from_numpy(self.states[rng.integers(self.at, size=BATCH)]).float()


torch.manual_seed(618)
rng = np.random.default_rng(618)
seen = rng.random((512, WIDTH), dtype=np.float32)
model = nn.Linear(WIDTH, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
with ppcase.work():
    memory = ReplayMemory(CAPACITY, WIDTH)
    for i in range(CAPACITY):
        memory.push(seen[i % 512])
    for _ in range(STEPS):
        optimizer.zero_grad()
        model(memory.sample(rng)).square().mean().backward()
        optimizer.step()
ppcase.digest(memory.at, STEPS, *(p.detach().numpy() for p in model.parameters()))
