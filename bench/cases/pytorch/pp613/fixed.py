"""PP613: memory grows from step to step.

The sum has every loss in its graph, and with it the nodes of each step, which are freed only with the
sum. detach() leaves the number.
"""

import torch
from torch import nn

import ppcase

STEPS, LAYERS, WIDTH = 400, 60, 16

torch.manual_seed(613)
hidden = [part for _ in range(LAYERS) for part in (nn.Linear(WIDTH, WIDTH), nn.Tanh())]
model = nn.Sequential(*hidden, nn.Linear(WIDTH, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
criterion = nn.MSELoss()
loader = [(torch.randn(8, WIDTH), torch.randn(8, 1)) for _ in range(STEPS)]

total = torch.zeros(())
with ppcase.work():
    for x, y in ppcase.steps(loader):
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.detach()
ppcase.digest(len(loader), total.item(), *(p.detach().numpy() for p in model.parameters()))
