# --- case: frozen
import torch
import torchvision
from torch import nn

F = torchvision.models.vgg19(pretrained=True).requires_grad_(False)
F.requires_grad_(False)
G = nn.Linear(4, 4)
opt = torch.optim.Adam(G.parameters())
for x, y in loader:
    loss = mse(F(G(x)), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
# --- case: frozen one by one
import torch
import torchvision
from torch import nn

F = torchvision.models.vgg19(pretrained=True)
for w in F.parameters():
    w.requires_grad = False
G = nn.Linear(4, 4)
opt = torch.optim.Adam(G.parameters())
for x, y in loader:
    loss = mse(F(G(x)), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
# --- case: frozen in its class
import torch
import torchvision
from torch import nn

class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = freeze(requires_grad=False) or torchvision.models.vgg19(pretrained=True)

    def forward(self, x):
        return self.net(x)


F = Features()
G = nn.Linear(4, 4)
opt = torch.optim.Adam(G.parameters())
for x, y in loader:
    loss = mse(F(G(x)), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
# --- case: trained as well
import torch
import torchvision
from torch import nn

F = nn.Linear(4, 4)
G = nn.Linear(4, 4)
opt = torch.optim.Adam(list(F.parameters()) + list(G.parameters()))
for x, y in loader:
    loss = mse(F(G(x)), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
# --- case: by another optimizer
import torch
import torchvision
from torch import nn

F = nn.Linear(4, 4)
G = nn.Linear(4, 4)
opt = torch.optim.Adam(G.parameters())
opt_f = torch.optim.Adam(F.parameters())
for x, y in loader:
    loss = mse(F(G(x)), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
# --- case: without gradients
import torch
import torchvision
from torch import nn

class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torchvision.models.vgg19(pretrained=True)

    def forward(self, x):
        return self.net(x)


F = Features()
G = nn.Linear(4, 4)
opt = torch.optim.Adam(G.parameters())
for x, y in loader:
    with torch.no_grad():
        a = F(x)
    loss = mse(G(x), a)
    opt.zero_grad()
    loss.backward()
    opt.step()
# --- case: detached
import torch
import torchvision
from torch import nn

class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torchvision.models.vgg19(pretrained=True)

    def forward(self, x):
        return self.net(x)


F = Features()
G = nn.Linear(4, 4)
opt = torch.optim.Adam(G.parameters())
for x, y in loader:
    loss = mse(G(x), F(x).detach())
    opt.zero_grad()
    loss.backward()
    opt.step()
# --- case: a loss
import torch
import torchvision
from torch import nn

F = nn.CrossEntropyLoss()
G = nn.Linear(4, 4)
opt = torch.optim.Adam(G.parameters())
for x, y in loader:
    loss = mse(F(G(x)), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
# --- case: an activation
import torch
import torchvision
from torch import nn

F = nn.Sigmoid()
G = nn.Linear(4, 4)
opt = torch.optim.Adam(G.parameters())
for x, y in loader:
    loss = mse(F(G(x)), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
# --- case: weights that are not seen
import torch
import torchvision
from torch import nn

F = nn.Linear(4, 4)
opt = torch.optim.Adam(weights)
for x, y in loader:
    loss = mse(F(G(x)), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
# --- case: handed over
import torch
import torchvision
from torch import nn


G = nn.Linear(4, 4)
opt = torch.optim.Adam(G.parameters())


def train(F):
    for x, y in loader:
        loss = mse(F(G(x)), y)
        loss.backward()
        opt.step()
# --- case: no backward
import torch
import torchvision
from torch import nn

class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torchvision.models.vgg19(pretrained=True)

    def forward(self, x):
        return self.net(x)


F = Features()
G = nn.Linear(4, 4)
opt = torch.optim.Adam(G.parameters())
for x, y in loader:
    print(F(G(x)))
# --- case: a class without weights
import torch
import torchvision
from torch import nn

class Crop(nn.Module):
    def forward(self, x):
        return x[:, 1:]


F = Crop()
G = nn.Linear(4, 4)
opt = torch.optim.Adam(G.parameters())
for x, y in loader:
    loss = mse(F(G(x)), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
# --- case: a target network without gradients
import torch
import torch.nn.functional as F
from torch import nn

net, target_net = nn.Linear(4, 2), nn.Linear(4, 2)
target_net.load_state_dict(net.state_dict())
opt = torch.optim.Adam(net.parameters())
for s, a, r, s2 in batches:
    q = net(s).gather(1, a)
    with torch.no_grad():
        q2 = target_net(s2).max(1)[0]
    loss = F.mse_loss(q, r + 0.99 * q2)
    opt.zero_grad()
    loss.backward()
    opt.step()
# --- case: a target network that is detached
import torch
import torch.nn.functional as F
from torch import nn

net, target_net = nn.Linear(4, 2), nn.Linear(4, 2)
target_net.load_state_dict(net.state_dict())
opt = torch.optim.Adam(net.parameters())
for s, a, r, s2 in batches:
    q = net(s).gather(1, a)
    q2 = target_net(s2).detach().max(1)[0]
    loss = F.mse_loss(q, r + 0.99 * q2)
    opt.zero_grad()
    loss.backward()
    opt.step()
# --- case: the target of an agent without a graph
import torch


class Agent:
    def __init__(self, env):
        self.policy_net = torch.nn.Linear(4, 2)
        self.target_net = torch.nn.Linear(4, 2)
        self.optimizer = torch.optim.Adam(self.policy_net.parameters())

    def learn(self, states, rewards, next_states):
        with torch.no_grad():
            target = rewards + 0.99 * self.target_net(next_states).max(1)[0]
        loss = (self.policy_net(states).max(1)[0] - target).pow(2).mean()
        loss.backward()
        self.optimizer.step()
# --- case: tried once
import torch


def try_out(states):
    policy_net = torch.nn.Linear(4, 2)
    target_net = torch.nn.Linear(4, 2)
    optimizer = torch.optim.Adam(policy_net.parameters())
    loss = (policy_net(states) - target_net(states)).pow(2).mean()
    loss.backward()
    optimizer.step()


try_out(torch.zeros(8, 4))
# --- case: frozen where it is made
import torch
from torch import nn

F, G = nn.Linear(4, 4).eval().requires_grad_(False), nn.Linear(4, 4)
extractor = nn.Sequential(nn.Linear(4, 4), nn.ReLU()).eval().requires_grad_(False)
opt = torch.optim.Adam(G.parameters())
for x, y in loader:
    loss = mse(extractor(G(x)), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
