# --- case: fake with its graph
import torch
from torch import nn

G, D = nn.Linear(8, 4), nn.Linear(4, 1)
opt_g = torch.optim.Adam(G.parameters())
opt_d = torch.optim.Adam(D.parameters())
for real in loader:
    fake = G(noise)
    out = D(fake)  # expect: PP606
    d_loss = D(real).mean() - out.mean()
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    g_loss = -D(G(noise)).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
# --- case: in one expression
import torch
from torch import nn

G, D = nn.Linear(8, 4), nn.Linear(4, 1)
opt_g = torch.optim.Adam(G.parameters())
opt_d = torch.optim.Adam(D.parameters())
for real in loader:
    pass
    out = D(G(noise))  # expect: PP606
    d_loss = D(real).mean() - out.mean()
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    g_loss = -D(G(noise)).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
# --- case: retained
import torch
from torch import nn

G, D = nn.Linear(8, 4), nn.Linear(4, 1)
opt_g = torch.optim.Adam(G.parameters())
opt_d = torch.optim.Adam(D.parameters())
for real in loader:
    fake = G(noise)
    out = D(fake)  # expect: PP606
    d_loss = D(real).mean() - out.mean()
    opt_d.zero_grad()
    d_loss.backward(retain_graph=True)
    opt_d.step()
    g_loss = -D(G(noise)).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
# --- case: scaled
import torch
from torch import nn

G, D = nn.Linear(8, 4), nn.Linear(4, 1)
opt_g = torch.optim.Adam(G.parameters())
opt_d = torch.optim.Adam(D.parameters())
for real in loader:
    fake = G(noise) * 2
    out = D(fake)  # expect: PP606
    d_loss = D(real).mean() - out.mean()
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    g_loss = -D(G(noise)).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
# --- case: by way of a criterion
import torch
from torch import nn

G, D = nn.Linear(8, 4), nn.Linear(4, 1)
opt_g = torch.optim.Adam(G.parameters())
opt_d = torch.optim.Adam(D.parameters())
for real in loader:
    fake = G(noise)
    out = D(fake)  # expect: PP606
    d_loss = criterion(D(real), ones) + criterion(out, zeros)
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    g_loss = -D(G(noise)).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
# --- case: a penalty besides
import torch
from torch import nn

G, D = nn.Linear(8, 4), nn.Linear(4, 1)
opt_g = torch.optim.Adam(G.parameters())
opt_d = torch.optim.Adam(D.parameters())
for real in loader:
    fake = G(noise)
    out = D(fake)  # expect: PP606
    d_loss = out.mean() + 10 * penalty(real, fake)
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    g_loss = -D(G(noise)).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
# --- case: in epochs
import torch
from torch import nn

G, D = nn.Linear(8, 4), nn.Linear(4, 1)
opt_g = torch.optim.Adam(G.parameters())
opt_d = torch.optim.Adam(D.parameters())
for epoch in range(epochs):
    for real in loader:
        fake = G(noise)
        d_loss = D(fake).mean()  # expect: PP606
        opt_d.zero_grad()
        d_loss.backward()
        opt_d.step()
        g_loss = D(G(noise)).mean()
        opt_g.zero_grad()
        g_loss.backward()
        opt_g.step()
# --- case: modules of the project
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)

    def forward(self, x):
        return self.fc(x)


G, D = None, None
G = Net()
D = Net()
opt_g = torch.optim.Adam(G.parameters())
opt_d = torch.optim.Adam(D.parameters())
for real in loader:
    fake = G(noise)
    out = D(fake)  # expect: PP606
    d_loss = D(real).mean() - out.mean()
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    g_loss = -D(G(noise)).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
# --- case: zero_grad of the module
import torch
from torch import nn

G, D = nn.Linear(8, 4), nn.Linear(4, 1)
opt_g = torch.optim.Adam(G.parameters())
opt_d = torch.optim.Adam(D.parameters())
for real in loader:
    fake = G(noise)
    out = D(fake)  # expect: PP606
    d_loss = D(real).mean() - out.mean()
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    g_loss = -D(G(noise)).mean()
    G.zero_grad()
    g_loss.backward()
    opt_g.step()
# --- case: a function that sets all to zero
import torch
from torch import nn

G, D = nn.Linear(8, 4), nn.Linear(4, 1)
opt_g = torch.optim.Adam(G.parameters())
opt_d = torch.optim.Adam(D.parameters())


def reset():
    opt_d.zero_grad()
    opt_g.zero_grad()


for real in loader:
    out = D(G(noise))  # expect: PP606
    d_loss = out.mean()
    reset()
    d_loss.backward()
    opt_d.step()
    g_loss = D(G(noise)).mean()
    reset()
    g_loss.backward()
    opt_g.step()
# --- case: the generator first
import torch
from torch import nn

G, D = nn.Linear(8, 4), nn.Linear(4, 1)
opt_g = torch.optim.Adam(G.parameters())
opt_d = torch.optim.Adam(D.parameters())
for real in loader:
    fake = G(noise)
    g_loss = -D(fake).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
    out = D(G(noise))  # expect: PP606
    d_loss = out.mean()
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
# --- case: an encoder before both
import torch
from torch import nn

E, G, D = nn.Linear(8, 8), nn.Linear(8, 4), nn.Linear(4, 1)
opt_g = torch.optim.Adam(list(E.parameters()) + list(G.parameters()))
opt_d = torch.optim.Adam(D.parameters())
for real in loader:
    fake = G(E(real))
    out = D(fake)  # expect: PP606
    d_loss = D(real).mean() - out.mean()
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    g_loss = -D(G(noise)).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
# --- case: a method that makes one step of both
import torch


class Trainer:
    def __init__(self):
        self.G = torch.nn.Linear(10, 10)
        self.D = torch.nn.Linear(10, 1)
        self.og = torch.optim.Adam(self.G.parameters())
        self.od = torch.optim.Adam(self.D.parameters())

    def train_step(self, real, z):
        fake = self.G(z)
        d_loss = self.D(fake).mean() - self.D(real).mean()  # expect: PP606
        self.od.zero_grad()
        d_loss.backward()
        self.od.step()
        g_loss = -self.D(self.G(z)).mean()
        self.og.zero_grad()
        g_loss.backward()
        self.og.step()
