"""PP619: a step takes a multiple of its time.

Anomaly detection records for each operation where it was called, and looks for NaN in every gradient.
"""

import torch
from torch import nn

import ppcase

STEPS, LAYERS, WIDTH = 150, 12, 32

torch.manual_seed(1)
loader = [(torch.randn(16, WIDTH), torch.randn(16, 1)) for _ in range(STEPS)]


def train():
    torch.manual_seed(619)
    hidden = [part for _ in range(LAYERS) for part in (nn.Linear(WIDTH, WIDTH), nn.ReLU())]
    model = nn.Sequential(*hidden, nn.Linear(WIDTH, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    criterion = nn.MSELoss()
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
    return [p.detach().numpy() for p in model.parameters()]


for _ in ppcase.work():
    weights = train()
ppcase.digest(len(loader), *weights)
