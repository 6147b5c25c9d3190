"""PP626: GELU is spelled out in small ops.

Each op goes through the widest tensor of the layer, and keeps what it gave for the backward pass.
"""

import torch
import torch.nn.functional as F
from torch import nn

import ppcase

STEPS, ROWS, WIDTH = 30, 512, 1024


class Wide(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(WIDTH))

    def forward(self, x):
        x = x * self.scale
        return F.gelu(x, approximate="tanh")


torch.manual_seed(626)
model = nn.Sequential(Wide(), Wide(), Wide(), Wide())
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
x = torch.randn(ROWS, WIDTH)
with ppcase.work():
    for _ in range(STEPS):
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
ppcase.digest(*(p.detach().numpy() for p in model.parameters()))
