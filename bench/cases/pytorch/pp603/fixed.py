"""PP603: a short step takes longer with its loss in a sum of Python.

item() waits until the device has done all that was queued, and only then does Python queue the next
step. A sum that stays on the device needs no waiting; it is fetched once, at the end.
"""

import torch
from torch import nn

import ppcase

STEPS, WIDTH = 2000, 64

torch.manual_seed(603)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
model = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, 1)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.001)
criterion = nn.MSELoss()
loader = [(torch.randn(32, WIDTH, device=device), torch.randn(32, 1, device=device))
          for _ in range(STEPS)]

with ppcase.work():
    total = torch.zeros((), device=device)
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.detach()
    total = float(total)
ppcase.digest(total, len(loader), *(p.detach().cpu().numpy() for p in model.parameters()))
