# --- case: a sum of losses
import torch

device = torch.device("cuda")
for x, y in loader:
    loss = criterion(model(x.to(device)), y)
    loss.backward()
    optimizer.step()
    total += loss.item()  # expect: PP603
# --- case: a list
import torch

device = torch.device("cuda")
for x, y in loader:
    loss = criterion(model(x.to(device)), y)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())  # expect: PP603
# --- case: float()
import torch

device = torch.device("cuda")
for x, y in loader:
    loss = criterion(model(x.to(device)), y)
    loss.backward()
    optimizer.step()
    losses.append(float(loss))  # expect: PP603
# --- case: printed
import torch

device = torch.device("cuda")
for x, y in loader:
    loss = criterion(model(x.to(device)), y)
    loss.backward()
    optimizer.step()
    print("loss", loss.item())  # expect: PP603
# --- case: in a progress bar
import torch

device = torch.device("cuda")
bar = tqdm(loader)
for x, y in bar:
    loss = criterion(model(x), y)
    loss.backward()
    bar.set_postfix(loss=loss.item())  # expect: PP603
# --- case: detached and copied
import torch

device = torch.device("cuda")
for x, y in loader:
    loss = criterion(model(x.to(device)), y)
    loss.backward()
    optimizer.step()
    losses.append(loss.detach().cpu().numpy())  # expect: PP603
# --- case: hits
import torch

device = torch.device("cuda")
for x, y in loader:
    out = model(x)
    criterion(out, y).backward()
    hits += (out.argmax(1) == y).sum().item()
    n += out.argmax(1).cpu().sum()  # expect: PP603
# --- case: in a function
import torch

device = torch.device("cuda")
def train(loader):
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()
        meter.update(loss.item(), x.size(0))  # expect: PP603
# --- case: two statements of a loop
import torch

device = torch.device("cuda")
for x, y in loader:
    loss = criterion(model(x.to(device)), y)
    loss.backward()
    optimizer.step()
    total += loss.item()  # expect: PP603
    print(loss.item())  # expect: PP603 low
# --- case: backward in a function that is called
import torch

device = torch.device("cuda")
def step(x):
    loss = criterion(model(x), 1)
    loss.backward()
    return loss


for epoch in range(epochs):
    for x in loader:
        loss = step(x)
        total += loss.item()  # expect: PP603
# --- case: an assertion in forward
import torch

device = torch.device("cuda")
from torch import nn


class Net(nn.Module):
    def forward(self, x, h):
        assert (x == h).all()  # expect: PP603
        return x
# --- case: in steps that are counted
import torch

device = torch.device("cuda")
for step in range(10000):
    loss = model(batch()).mean()
    loss.backward()
    history.append(loss.item())  # expect: PP603
# --- case: an attribute
import torch

device = torch.device("cuda")
for x in loader:
    trainer.loss.backward()
    total += trainer.loss.item()  # expect: PP603
