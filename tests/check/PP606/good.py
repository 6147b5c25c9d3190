# --- case: detached
import torch
from torch import nn

G, D = nn.Linear(8, 4), nn.Linear(4, 1)
opt_g = torch.optim.Adam(G.parameters())
opt_d = torch.optim.Adam(D.parameters())
for real in loader:
    fake = G(noise)
    out = D(fake.detach())
    d_loss = D(real).mean() - out.mean()
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    g_loss = -D(G(noise)).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
# --- case: detached at once
import torch
from torch import nn

G, D = nn.Linear(8, 4), nn.Linear(4, 1)
opt_g = torch.optim.Adam(G.parameters())
opt_d = torch.optim.Adam(D.parameters())
for real in loader:
    fake = G(noise).detach()
    out = D(fake)
    d_loss = D(real).mean() - out.mean()
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    g_loss = -D(G(noise)).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
# --- case: its data
import torch
from torch import nn

G, D = nn.Linear(8, 4), nn.Linear(4, 1)
opt_g = torch.optim.Adam(G.parameters())
opt_d = torch.optim.Adam(D.parameters())
for real in loader:
    fake = G(noise)
    out = D(fake.data)
    d_loss = D(real).mean() - out.mean()
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    g_loss = -D(G(noise)).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
# --- case: made without gradients
import torch
from torch import nn

G, D = nn.Linear(8, 4), nn.Linear(4, 1)
opt_g = torch.optim.Adam(G.parameters())
opt_d = torch.optim.Adam(D.parameters())
for real in loader:
    with torch.no_grad():
        fake = G(noise)
    out = D(fake)
    d_loss = D(real).mean() - out.mean()
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    g_loss = -D(G(noise)).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
# --- case: the generator's own loss
import torch
from torch import nn

G, D = nn.Linear(8, 4), nn.Linear(4, 1)
opt_g = torch.optim.Adam(G.parameters())
opt_d = torch.optim.Adam(D.parameters())
for real in loader:
    g_loss = -D(G(noise)).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
# --- case: one optimizer for both
import torch
from torch import nn

E, H = nn.Linear(8, 4), nn.Linear(4, 1)
opt = torch.optim.Adam(list(E.parameters()) + list(H.parameters()))
for x in loader:
    loss = H(E(x)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
# --- case: both step
import torch
from torch import nn

E, H = nn.Linear(8, 4), nn.Linear(4, 1)
opt_e = torch.optim.Adam(E.parameters())
opt_h = torch.optim.Adam(H.parameters())
for x in loader:
    loss = H(E(x)).mean()
    opt_e.zero_grad()
    opt_h.zero_grad()
    loss.backward()
    opt_h.step()
    opt_e.step()
# --- case: a name that is bound again
import torch
from torch import nn

G, D = nn.Linear(8, 4), nn.Linear(4, 1)
opt_g = torch.optim.Adam(G.parameters())
opt_d = torch.optim.Adam(D.parameters())
for real in loader:
    fake = G(noise).detach()
    out = D(fake)
    d_loss = D(real).mean() - out.mean()
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    g_loss = -D(G(noise)).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
    if step % 5 == 0:
        fake = G(noise)
        out = D(fake)
        print(out.mean())
# --- case: an optimizer that is handed over
import torch
from torch import nn

G, D = nn.Linear(8, 4), nn.Linear(4, 1)


def train(opt_d, opt_g):
    for real in loader:
        loss = D(G(noise)).mean()
        loss.backward()
        opt_d.step()
        opt_g.zero_grad()
# --- case: weights that are not seen
import torch
from torch import nn

G, D = nn.Linear(8, 4), nn.Linear(4, 1)
opt_g = torch.optim.Adam(G.parameters())
opt_d = torch.optim.Adam(weights)
for real in loader:
    fake = G(noise)
    out = D(fake)
    d_loss = D(real).mean() - out.mean()
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    g_loss = -D(G(noise)).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
# --- case: real images alone
import torch
from torch import nn

G, D = nn.Linear(8, 4), nn.Linear(4, 1)
opt_g = torch.optim.Adam(G.parameters())
opt_d = torch.optim.Adam(D.parameters())
for real in loader:
    pass
    out = D(other)
    d_loss = D(real).mean() - out.mean()
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    g_loss = -D(G(noise)).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
# --- case: a cycle through its own
import torch
from torch import nn

G, D = nn.Linear(8, 4), nn.Linear(4, 1)
opt_g = torch.optim.Adam(G.parameters())
opt_d = torch.optim.Adam(D.parameters())
for real in loader:
    loss = G(D(G(noise))).mean()
    opt_g.zero_grad()
    loss.backward()
    opt_g.step()
    opt_d.zero_grad()
# --- case: through its own module before
import torch
from torch import nn

G, D = nn.Linear(8, 4), nn.Linear(4, 1)
opt_g = torch.optim.Adam(G.parameters())
opt_d = torch.optim.Adam(D.parameters())
for real in loader:
    fake = G(D(real))
    out = D(fake)
    d_loss = D(real).mean() - out.mean()
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()
    g_loss = -D(G(noise)).mean()
    opt_g.zero_grad()
    g_loss.backward()
    opt_g.step()
# --- case: a method that makes one step of both, without the other's graph
import torch


class Trainer:
    def __init__(self):
        self.G = torch.nn.Linear(10, 10)
        self.D = torch.nn.Linear(10, 1)
        self.og = torch.optim.Adam(self.G.parameters())
        self.od = torch.optim.Adam(self.D.parameters())

    def train_step(self, real, z):
        fake = self.G(z)
        d_loss = self.D(fake.detach()).mean() - self.D(real).mean()
        self.od.zero_grad()
        d_loss.backward()
        self.od.step()
        g_loss = -self.D(fake).mean()
        self.og.zero_grad()
        g_loss.backward()
        self.og.step()
