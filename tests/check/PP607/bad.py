# --- case: torchvision's
import torch
import torchvision
from torch import nn

F = torchvision.models.vgg19(pretrained=True)  # expect: PP607
G = nn.Linear(4, 4)
opt = torch.optim.Adam(G.parameters())
for x, y in loader:
    loss = mse(F(G(x)), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
# --- case: evaluated
import torch
import torchvision
from torch import nn

F = torchvision.models.vgg16(pretrained=True).eval()  # expect: PP607
G = nn.Linear(4, 4)
opt = torch.optim.Adam(G.parameters())
for x, y in loader:
    loss = mse(F(G(x)), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
# --- case: its features
import torch
import torchvision
from torch import nn

F = torchvision.models.vgg16(pretrained=True).features.eval()  # expect: PP607
G = nn.Linear(4, 4)
opt = torch.optim.Adam(G.parameters())
for x, y in loader:
    loss = mse(F(G(x)), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
# --- case: on a device
import torch
import torchvision
from torch import nn

F = torchvision.models.resnet18(pretrained=True).to(device)  # expect: PP607
F.eval()
G = nn.Linear(4, 4)
opt = torch.optim.Adam(G.parameters())
for x, y in loader:
    loss = mse(F(G(x)), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
# --- case: a class of the project
import torch
import torchvision
from torch import nn

class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torchvision.models.vgg19(pretrained=True)

    def forward(self, x):
        return self.net(x)


F = Features()  # expect: PP607
G = nn.Linear(4, 4)
opt = torch.optim.Adam(G.parameters())
for x, y in loader:
    loss = mse(F(G(x)), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
# --- case: twice in the loss
import torch
import torchvision
from torch import nn

class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torchvision.models.vgg19(pretrained=True)

    def forward(self, x):
        return self.net(x)


F = Features().cuda()  # expect: PP607
G = nn.Linear(4, 4)
opt = torch.optim.Adam(G.parameters())
for x, y in loader:
    loss = mse(F(G(x)), F(y))
    opt.zero_grad()
    loss.backward()
    opt.step()
# --- case: by way of names
import torch
import torchvision
from torch import nn

class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torchvision.models.vgg19(pretrained=True)

    def forward(self, x):
        return self.net(x)


F = Features()  # expect: PP607
G = nn.Linear(4, 4)
opt = torch.optim.Adam(G.parameters())
for x, y in loader:
    a = F(G(x))
    b = F(y).detach()
    loss = mse(a, b)
    opt.zero_grad()
    loss.backward()
    opt.step()
# --- case: a picture is what is trained
import torch
import torchvision
from torch import nn

F = torchvision.models.vgg19(pretrained=True)  # expect: PP607
target = content.clone().requires_grad_(True)
opt = torch.optim.Adam([target])
for step in range(2000):
    loss = style(F(target))
    opt.zero_grad()
    loss.backward()
    opt.step()
# --- case: a layer that nobody trains
import torch
import torchvision
from torch import nn

F = nn.Linear(4, 4)  # expect: PP607
G = nn.Linear(4, 4)
opt = torch.optim.Adam(G.parameters())
for x, y in loader:
    loss = mse(F(G(x)), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
# --- case: in a function
import torch
import torchvision
from torch import nn

class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torchvision.models.vgg19(pretrained=True)

    def forward(self, x):
        return self.net(x)



def main():
    F = Features()  # expect: PP607
    G = nn.Linear(4, 4)
    opt = torch.optim.SGD(G.parameters(), lr=1)
    for x, y in loader:
        loss = mse(F(G(x)), y)
        loss.backward()
        opt.step()
# --- case: of a hub
import torch
import torchvision
from torch import nn

F = torch.hub.load("a/b", "net")  # expect: PP607
G = nn.Linear(4, 4)
opt = torch.optim.Adam(G.parameters())
for x, y in loader:
    loss = mse(F(G(x)), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
# --- case: two optimizers, neither has it
import torch
import torchvision
from torch import nn

class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torchvision.models.vgg19(pretrained=True)

    def forward(self, x):
        return self.net(x)


F = Features()  # expect: PP607
G = nn.Linear(4, 4)
opt = torch.optim.Adam(G.parameters())
D = nn.Linear(4, 1)
opt_d = torch.optim.Adam(D.parameters())
for x, y in loader:
    loss = mse(F(G(x)), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
# --- case: a target network
import torch
import torch.nn.functional as F
from torch import nn

net, target_net = nn.Linear(4, 2), nn.Linear(4, 2)
target_net.load_state_dict(net.state_dict())
opt = torch.optim.Adam(net.parameters())
for s, a, r, s2 in batches:
    q = net(s).gather(1, a)
    q2 = target_net(s2).max(1)[0]  # expect: PP607
    loss = F.mse_loss(q, r + 0.99 * q2)
    opt.zero_grad()
    loss.backward()
    opt.step()
# --- case: the target network of an agent, whose step a loop of another function calls
import torch


class Agent:
    def __init__(self, env):
        self.policy_net = torch.nn.Linear(4, 2)
        self.target_net = torch.nn.Linear(4, 2)
        self.optimizer = torch.optim.Adam(self.policy_net.parameters())

    def adapt(self, states, rewards, next_states):
        q = self.policy_net(states).max(1)[0]
        next_q = self.target_net(next_states).max(1)[0]  # expect: PP607
        loss = (q - rewards - 0.99 * next_q).pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


agent = Agent(env)
for episode in range(1000):
    agent.adapt(*memory.sample(64))
# --- case: a step by its name, which nobody calls here
import torch


class Agent:
    def __init__(self, env):
        self.policy_net = torch.nn.Linear(4, 2)
        self.target_net = torch.nn.Linear(4, 2)
        self.optimizer = torch.optim.Adam(self.policy_net.parameters())

    def learn(self, states, rewards, next_states):
        target = rewards + 0.99 * self.target_net(next_states).max(1)[0]  # expect: PP607
        loss = (self.policy_net(states).max(1)[0] - target).pow(2).mean()
        loss.backward()
        self.optimizer.step()
