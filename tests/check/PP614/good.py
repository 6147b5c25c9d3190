import torch
from torch import nn
from torch.utils.data import DataLoader
# --- case: in the constructor
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(8)

    def forward(self, x):
        return self.norm(x)
# --- case: an activation
class Net(nn.Module):
    def forward(self, x):
        x = nn.ReLU()(x)
        return x
# --- case: a loss
for x, y in loader:
    loss = nn.MSELoss()(x, y)
# --- case: before the loop
opt = torch.optim.Adam(net.parameters())
for x in loader:
    opt.step()
# --- case: the first time
class Net(nn.Module):
    def forward(self, x):
        if self.norm is None:
            self.norm = nn.LayerNorm(8)
        return x
# --- case: modules that are there, in a row
class Net(nn.Module):
    def forward(self, x):
        return nn.Sequential(self.a, self.b)(x)
# --- case: a loader for each epoch
for epoch in range(epochs):
    loader = DataLoader(data, 8)
    for x in loader:
        use(x)
# --- case: now and then
for x, y in loader:
    if step % 100 == 0:
        opt = torch.optim.Adam(net.parameters())
# --- case: layers in a loop over widths
layers = []
for width in widths:
    layers.append(nn.Linear(width, width))
# --- case: a function of torch
class Net(nn.Module):
    def forward(self, x):
        x = nn.functional.linear(x, self.w)
        return x
# --- case: one model for each fold
for fold in folds:
    net = nn.Linear(8, 8)
    train(net)
# --- case: in a function that makes
def make_layer(n):
    return nn.Linear(n, n)


for x in loader:
    print(x)
# --- case: a fit within forward
class Net(nn.Module):
    def forward(self, x):
        opt = torch.optim.LBFGS([x])
        opt.step(f)
        return x
# --- whole: a function of torchvision
import torchvision


import torch
from torch import nn
from torch.utils.data import DataLoader


for x, y in loader:
    y = torchvision.models.detection.roi_heads.keypointrcnn_inference(x, y)
# --- whole: a loss of the project, without weights
import torch
from torch import nn


class Loss(nn.Module):
    def __init__(self, power):
        super().__init__()
        self.power = power

    def forward(self, x, y):
        return (x - y).abs().pow(self.power).mean()


for x, y in loader:
    Loss(2)(net(x), y).backward()
# --- whole: a few actions are drawn by their probabilities
import numpy as np
import torch


class ReplayMemory:
    def sample(self, n):
        return np.random.choice(len(self.buffer), n)

    def act(self, policy, state):
        weights = policy(state).detach().numpy()
        return np.random.choice(len(weights), p=weights)
# --- whole: in a class that is no memory
import numpy as np
import torch


class Sampler:
    def draw(self, n):
        return np.random.choice(len(self.weights), n, p=self.weights)
# --- whole: the largest of a few priorities, and of another class
import numpy as np
import torch


class ReplayBuffer:
    def update(self, priorities):
        self.largest = max(self.largest, priorities.max())


class Heap:
    def top(self):
        return self.priorities.max()
# --- whole: a loss that is given a matcher, without weights
import torch
from torch import nn


class Matcher(nn.Module):
    def forward(self, a, b):
        return (a - b).abs()


class Loss(nn.Module):
    def __init__(self, matcher):
        super().__init__()
        self.matcher = matcher

    def forward(self, a, b):
        return self.matcher(a, b).sum()


class Net(nn.Module):
    def forward(self, x, y):
        criterion = Loss(Matcher())
        return criterion(x, y)
# --- whole: a causal mask that is made once
import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.register_buffer("mask", torch.triu(torch.ones(n, n), diagonal=1))

    def forward(self, x):
        return x.masked_fill(self.mask.bool(), 0)
# --- whole: a triangle of what the module computes
import torch
from torch import nn


class Decoder(nn.Module):
    def forward(self, x):
        return torch.triu(x @ x.mT, diagonal=1)
# --- whole: a causal mask in each forward
import torch
from torch import nn


class Decoder(nn.Module):
    def forward(self, x):
        mask = torch.triu(torch.ones(x.size(1), x.size(1), device=x.device), diagonal=1)  # expect: PP614 low
        return x.masked_fill(mask.bool(), 0)
# --- whole: a causal mask by a function of forward
import torch
from torch import nn


def later(x):
    n = x.size(1)
    return torch.tril(torch.ones((n, n))).to(x.device)  # expect: PP614 low


class Decoder(nn.Module):
    def forward(self, x):
        return x * later(x)
# --- whole: a causal mask in the loop of steps
import torch

for x, y in loader:
    mask = torch.triu(torch.full((x.size(1), x.size(1)), float("-inf")), diagonal=1)  # expect: PP614 low
    loss = model(x, mask).sum()
    loss.backward()
