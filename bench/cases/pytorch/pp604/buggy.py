"""PP604: each step copies zeros from the host.

zeros(...).to(device) fills memory of the host and copies it to the device, and Python waits for that.
With device= the zeros are written where they are used.
"""

import torch
from torch import nn

import ppcase

STEPS, BATCH, HIDDEN, LAYERS = 400, 4096, 512, 2

torch.manual_seed(604)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
if device.type == "cpu":
    STEPS, BATCH = 4, 16


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(8, HIDDEN, LAYERS)
        self.head = nn.Linear(HIDDEN, 1)

    def forward(self, x):
        h = torch.zeros(LAYERS, x.size(1), HIDDEN).to(x.device)
        c = torch.zeros(LAYERS, x.size(1), HIDDEN).to(x.device)
        out, _ = self.rnn(x, (h, c))
        return self.head(out[-1])


model = Net().to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
criterion = nn.MSELoss()
x, y = torch.randn(1, BATCH, 8, device=device), torch.randn(BATCH, 1, device=device)
loader = [(x, y)] * STEPS

with ppcase.work():
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
    ends = float(model.head.bias)
ppcase.digest(ends, len(loader), *(p.detach().cpu().numpy() for p in model.parameters()))
