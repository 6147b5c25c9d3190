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
