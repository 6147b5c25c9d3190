"""PP616: making a batch takes longer than learning from it.

torch.tensor takes a list for a sequence of Python objects, and asks each array in it for each of its
numbers. np.stack copies the arrays as a whole.
"""

import random

import numpy as np
import torch
from torch import nn

import ppcase

STATES, WIDTH, BATCH, STEPS = 500, 2304, 32, 32

rng = np.random.default_rng(616)
memory = [(rng.random(WIDTH, dtype=np.float32), float(i % 7)) for i in range(STATES)]


def train():
    random.seed(616)
    torch.manual_seed(616)
    model = nn.Sequential(nn.Linear(WIDTH, 8), nn.ReLU(), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
    criterion = nn.MSELoss()
    for _ in range(STEPS):
        states, rewards = [], []
        for state, reward in random.sample(memory, BATCH):
            states.append(np.asarray(state))
            rewards.append(reward)
        x = torch.tensor(states, dtype=torch.float)
        y = torch.tensor(rewards)
        optimizer.zero_grad()
        criterion(model(x).squeeze(1), y).backward()
        optimizer.step()
    return [p.detach().numpy() for p in model.parameters()]


for _ in ppcase.work():
    weights = train()
ppcase.digest(STEPS, *weights)
