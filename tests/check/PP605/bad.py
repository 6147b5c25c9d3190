import torch
from torch import nn
# --- case: outputs of a decoder
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.fc = nn.GRUCell(4, 4), nn.Linear(4, 4)

    def forward(self, x, h):
        outputs = torch.zeros(9, 2, 4)
        for t in range(1, x.size(0)):
            o, h = self.cell(x[t], h)
            outputs[t] = o  # expect: PP605
        return outputs
# --- case: on a device
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.fc = nn.GRUCell(4, 4), nn.Linear(4, 4)

    def forward(self, x, h):
        outputs = torch.zeros(9, 2, 4).to(x.device)
        for t in range(1, x.size(0)):
            o, h = self.cell(x[t], h)
            outputs[t] = o  # expect: PP605
        return outputs
# --- case: made on the device
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.fc = nn.GRUCell(4, 4), nn.Linear(4, 4)

    def forward(self, x, h):
        outputs = torch.empty(9, 2, 4, device=x.device)
        for t in range(1, x.size(0)):
            o, h = self.cell(x[t], h)
            outputs[t] = o  # expect: PP605
        return outputs
# --- case: the second axis
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.fc = nn.GRUCell(4, 4), nn.Linear(4, 4)

    def forward(self, x, h):
        outputs = torch.zeros(2, 9, 4)
        for t in range(1, x.size(0)):
            o, h = self.cell(x[t], h)
            outputs[:, t] = o  # expect: PP605
        return outputs
# --- case: with a further one
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.fc = nn.GRUCell(4, 4), nn.Linear(4, 4)

    def forward(self, x, h):
        outputs = torch.zeros(2, 9, 4)
        for t in range(1, x.size(0)):
            o, h = self.cell(x[t], h)
            outputs[:, t, :] = o  # expect: PP605
        return outputs
# --- case: after another module
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.fc = nn.GRUCell(4, 4), nn.Linear(4, 4)

    def forward(self, x, h):
        outputs = torch.zeros(9, 2, 4)
        for t in range(1, x.size(0)):
            o, h = self.cell(x[t], h)
            outputs[t] = self.fc(o)  # expect: PP605
        return outputs
# --- case: run by itself
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.fc = nn.GRUCell(4, 4), nn.Linear(4, 4)

    def forward(self, x, h):
        outputs = torch.zeros(9, 2, 4)
        for t in range(1, x.size(0)):
            pass
            outputs[t] = self.fc(x[t])  # expect: PP605
        return outputs
# --- case: enumerated
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.fc = nn.GRUCell(4, 4), nn.Linear(4, 4)

    def forward(self, x, h):
        outputs = torch.zeros(9, 2, 4)
        for i, t in enumerate(x):
            o, h = self.cell(t, h)
            outputs[i] = o  # expect: PP605
        return outputs
# --- case: one back
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.fc = nn.GRUCell(4, 4), nn.Linear(4, 4)

    def forward(self, x, h):
        outputs = torch.zeros(9, 2, 4)
        for t in range(1, x.size(0)):
            o, h = self.cell(x[t], h)
            outputs[t - 1] = o  # expect: PP605
        return outputs
# --- case: scaled
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.fc = nn.GRUCell(4, 4), nn.Linear(4, 4)

    def forward(self, x, h):
        outputs = torch.ones(9, 2, 4)
        for t in range(1, x.size(0)):
            o, h = self.cell(x[t], h)
            outputs[t] = o * 0.5  # expect: PP605
        return outputs
# --- case: in a function
def decode(decoder, x, h):
    outputs = torch.zeros(9, 2, 4)
    for t in range(9):
        o, h = decoder(x[t], h)
        outputs[t] = o  # expect: PP605
    return outputs
# --- case: two of them
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.fc = nn.GRUCell(4, 4), nn.Linear(4, 4)

    def forward(self, x, h):
        outputs, other = torch.zeros(9, 2, 4), 1
        states = torch.zeros(9, 2, 4)
        for t in range(1, x.size(0)):
            o, h = self.cell(x[t], h)
            states[t] = h  # expect: PP605
        return outputs
