"""PP607: a step computes gradients that no optimizer has.

The loss compares features of a network that is not trained. eval() does not freeze it: each
backward() computes the gradients of all its weights and adds them up, and they only grow.
"""

import torch
from torch import nn

import ppcase

PIXELS, WIDTH, STEPS = 256, 1024, 12

torch.manual_seed(607)
extractor = nn.Sequential(nn.Linear(PIXELS, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU(),
                          nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, 256)).eval().requires_grad_(False)
model = nn.Sequential(nn.Linear(PIXELS, 32), nn.ReLU(), nn.Linear(32, PIXELS))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.MSELoss()
loader = [(torch.rand(8, PIXELS), torch.rand(8, PIXELS)) for _ in range(STEPS)]
with ppcase.work():
    for low, high in loader:
        loss = criterion(extractor(model(low)), extractor(high))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
ppcase.digest(len(loader), *(p.detach().numpy() for p in model.parameters()))
