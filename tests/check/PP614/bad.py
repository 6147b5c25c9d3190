import torch
from torch import nn
from torch.utils.data import DataLoader
# --- case: a norm in forward
class Net(nn.Module):
    def forward(self, x):
        x = nn.LayerNorm(8)(x)  # expect: PP614
        return x
# --- case: a linear layer
class Net(nn.Module):
    def forward(self, x):
        x = nn.Linear(8, 8).to(x.device)(x)  # expect: PP614
        return x
# --- case: a convolution by way of a name
class Net(nn.Module):
    def forward(self, x):
        c = nn.Conv2d(3, 8, 3)  # expect: PP614
        return c(x)
# --- case: an embedding
class Net(nn.Module):
    def forward(self, x):
        e = nn.Embedding(9, 8).cuda()  # expect: PP614
        return e(x)
# --- case: an optimizer at each step
for x, y in loader:
    opt = torch.optim.Adam(net.parameters())  # expect: PP614
    net(x).mean().backward()
    opt.step()
# --- case: compiled at each step
for x, y in loader:
    fast = torch.compile(net)  # expect: PP614
    fast(x)
# --- case: a loader in a loop over another
for x, y in loader:
    other = DataLoader(data, 8)  # expect: PP614
    use(other)
# --- case: a recurrent layer
class Net(nn.Module):
    def forward(self, x):
        r = nn.GRU(8, 8)  # expect: PP614
        return r(x)
# --- whole: a network of torchvision
import torchvision
import torch
from torch import nn
from torch.utils.data import DataLoader


for x, y in loader:
    net = torchvision.models.resnet18()  # expect: PP614
    net(x)
# --- case: from a hub
for x, y in loader:
    net = torch.hub.load('a/b', 'c')  # expect: PP614
    net(x)
# --- case: a batch norm
class Net(nn.Module):
    def forward(self, x):
        return nn.BatchNorm1d(8)(x)  # expect: PP614
# --- case: in a loop of a function
def train(loader, net):
    for x in loader:
        opt = torch.optim.SGD(net.parameters(), lr=0.1)  # expect: PP614
        net(x).mean().backward()
        opt.step()
# --- whole: a class of the project
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x):
        return self.layer(x)


for x, y in loader:
    net = Net()  # expect: PP614
    net.load_state_dict(weights)
    show(net(x))
# --- whole: the probabilities of a whole memory, for each batch
import numpy as np
import torch


class PrioritizedBuffer:
    def __init__(self, capacity):
        self.priorities = np.zeros((capacity,), dtype=np.float32)
        self.buffer = []
        self.position = 0

    def sample(self, n):
        if len(self.buffer) == len(self.priorities):
            priorities = self.priorities
        else:
            priorities = self.priorities[:self.position]
        weights = priorities ** self.alpha
        weights /= weights.sum()
        return np.random.choice(len(self.buffer), n, p=weights)  # expect: PP614
# --- whole: the largest of all priorities, for each transition
import numpy as np
import torch


class ReplayBuffer:
    def __init__(self, capacity):
        self.priorities = np.zeros(capacity)
        self.rows = []

    def push(self, row):
        largest = self.priorities.max() if self.rows else 1.0  # expect: PP614
        self.rows.append(row)
        self.priorities[len(self.rows) - 1] = largest
