# --- case: a list
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.fc = nn.GRUCell(4, 4), nn.Linear(4, 4)

    def forward(self, x, h):
        outputs = []
        for t in range(1, x.size(0)):
            o, h = self.cell(x[t], h)
            outputs.append(o)
        return torch.stack(outputs)
# --- case: without gradients
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.fc = nn.GRUCell(4, 4), nn.Linear(4, 4)

    @torch.no_grad()
    def forward(self, x, h):
        outputs = torch.zeros(9, 2, 4)
        for t in range(1, x.size(0)):
            o, h = self.cell(x[t], h)
            outputs[t] = o
        return outputs
# --- case: detached
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
            outputs[t] = o.detach()
        return outputs
# --- case: its data
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
            outputs[t] = o.data
        return outputs
# --- case: a number
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.fc = nn.GRUCell(4, 4), nn.Linear(4, 4)

    def forward(self, x, h):
        outputs = torch.zeros(9)
        for t in range(1, x.size(0)):
            o, h = self.cell(x[t], h)
            outputs[t] = o.sum().item()
        return outputs
# --- case: the best index
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.fc = nn.GRUCell(4, 4), nn.Linear(4, 4)

    def forward(self, x, h):
        outputs = torch.zeros(9)
        for t in range(1, x.size(0)):
            o, h = self.cell(x[t], h)
            outputs[t] = o.argmax()
        return outputs
# --- case: no module
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
            outputs[t] = x[t] * 2
        return outputs
# --- case: one place
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
            outputs[0] = o
        return outputs
# --- case: an array of NumPy
import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.fc = nn.GRUCell(4, 4), nn.Linear(4, 4)

    def forward(self, x, h):
        outputs = np.zeros((9, 2, 4))
        for t in range(1, x.size(0)):
            o, h = self.cell(x[t], h)
            outputs[t] = o
        return outputs
# --- case: a dictionary
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.fc = nn.GRUCell(4, 4), nn.Linear(4, 4)

    def forward(self, x, h):
        outputs = {}
        for t in range(1, x.size(0)):
            o, h = self.cell(x[t], h)
            outputs[t] = o
        return outputs
# --- case: the tensor of somebody else
import torch
from torch import nn

def fill(outputs, decoder, x):
    for t in range(9):
        outputs[t] = decoder(x[t])
# --- case: outside of loops
import torch
from torch import nn

def first(decoder, x, t):
    outputs = torch.zeros(9, 4)
    outputs[t] = decoder(x)
    return outputs
