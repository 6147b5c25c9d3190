import torch
from torch import nn
# --- case: a list
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
# --- whole: an array of NumPy
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
def fill(outputs, decoder, x):
    for t in range(9):
        outputs[t] = decoder(x[t])
# --- case: outside of loops
def first(decoder, x, t):
    outputs = torch.zeros(9, 4)
    outputs[t] = decoder(x)
    return outputs
# --- case: what a rollout keeps: the module that chooses records no graph
def rollout(net: nn.Module, envs, steps):
    actions, rewards = torch.zeros(steps, 8), torch.zeros(steps, 8)
    seen = torch.zeros(steps, 8, 4)
    state = torch.Tensor(envs.reset())
    for step in range(steps):
        seen[step] = state
        with torch.no_grad():
            q = net(state)
        action = q.argmax(1)
        chosen = torch.where(torch.rand(8) < 0.1, torch.randint(0, 4, (8,)), action)
        actions[step] = chosen
        state, reward = envs.step(chosen.cpu().numpy())
        rewards[step] = torch.tensor(reward).view(-1)
        state = torch.Tensor(state)
    return seen, actions, rewards
