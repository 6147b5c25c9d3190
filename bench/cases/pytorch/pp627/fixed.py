"""PP627: two losses of one network go back one after the other.

Each backward() goes through the whole network. Of their sum the gradients are the same, and it goes through once.
"""

import torch
from torch import nn

import ppcase

STEPS, BATCH = 40, 64

torch.manual_seed(627)
net = nn.Sequential(*(layer for _ in range(6) for layer in (nn.Linear(128, 128), nn.Tanh())))
optimizer = torch.optim.SGD(net.parameters(), lr=0.001)
batches = torch.randn(STEPS, BATCH, 128)
with ppcase.work():
    for x in batches:
        out = net(x)
        near, smooth = (out - x).square().mean(), (out[:, 1:] - out[:, :-1]).square().mean()
        optimizer.zero_grad()
        (near + smooth).backward()
        optimizer.step()
ppcase.digest(*(p.detach().numpy() for p in net.parameters()))
