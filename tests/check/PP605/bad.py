# --- case: outputs of a decoder
import torch
from torch import nn


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
import torch
from torch import nn


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
import torch
from torch import nn


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
import torch
from torch import nn


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
import torch
from torch import nn


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
import torch
from torch import nn


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
import torch
from torch import nn


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
import torch
from torch import nn


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
import torch
from torch import nn


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
import torch
from torch import nn


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
import torch
from torch import nn

def decode(decoder, x, h):
    outputs = torch.zeros(9, 2, 4)
    for t in range(9):
        o, h = decoder(x[t], h)
        outputs[t] = o  # expect: PP605
    return outputs
# --- case: two of them
import torch
from torch import nn


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
