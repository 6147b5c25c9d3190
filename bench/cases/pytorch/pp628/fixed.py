"""PP628: losses of an episode, computed for one step after the other.

Each round starts a few ops on one number, and backward() goes through all of them again. Stacked, the same
sums are a handful of ops.
"""

import torch
import torch.nn.functional as F
from torch import nn

import ppcase

EPISODES, STEPS = 20, 400

torch.manual_seed(628)
net = nn.Sequential(nn.Linear(8, 64), nn.Tanh(), nn.Linear(64, 3))
optimizer = torch.optim.SGD(net.parameters(), lr=0.001)
states = torch.randn(EPISODES, STEPS, 8)
gains = torch.randn(EPISODES, STEPS).cumsum(1).div(20).tolist()
with ppcase.work():
    for episode in range(EPISODES):
        out = net(states[episode])
        log_probs, values = F.log_softmax(out[:, :2], 1)[:, 0], out[:, 2]
        wanted = torch.tensor(gains[episode])
        loss = -(log_probs * wanted).sum() + F.smooth_l1_loss(values, wanted, reduction="sum")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
ppcase.digest(*(p.detach().numpy() for p in net.parameters()))
