import torch
# --- case: a sum
total = 0
losses = []
for x, y in loader:
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    total += loss  # expect: PP613
# --- case: weighted
total = 0
losses = []
for x, y in loader:
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    total += loss * x.size(0)  # expect: PP613
# --- case: a part
total = 0
losses = []
for x, y in loader:
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    total += loss / len(loader)  # expect: PP613
# --- case: a list
total = 0
losses = []
for x, y in loader:
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    losses.append(loss)  # expect: PP613
# --- case: an attribute
total = 0
losses = []
for x, y in loader:
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    self.total += loss  # expect: PP613
# --- case: before the step
total = 0
losses = []
for x, y in loader:
    loss = criterion(model(x), y)
    loss.backward()
    total += loss  # expect: PP613
    optimizer.step()
# --- case: of another name
total = 0
d_losses = []
for x, y in loader:
    d_loss = criterion(model(x), y)
    d_loss.backward()
    optimizer.step()
    total += d_loss  # expect: PP613
# --- case: in a function
def train(loader, model):
    total = 0
    for x, y in loader:
        loss = model(x, y)
        loss.backward()
        total += loss  # expect: PP613
    return total
# --- case: in epochs
for epoch in range(epochs):
    total = 0
    for x in loader:
        loss = model(x)
        loss.backward()
        total += loss  # expect: PP613
# --- case: steps that are counted
for step in range(10000):
    loss = model(step)
    loss.backward()
    history.append(loss)  # expect: PP613
# --- case: both
total = 0
losses = []
for x, y in loader:
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    total += loss  # expect: PP613
    losses.append(loss)  # expect: PP613
# --- case: of an object
total = 0
losses = []
for x, y in loader:
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    meter.history.append(loss)  # expect: PP613
# --- case: the sum is written out
total = 0
for x, y in loader:
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    total = total + loss  # expect: PP613
# --- case: of a dictionary
sums = {"all": 0}
for x, y in loader:
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    sums["all"] += loss  # expect: PP613
# --- case: a function of the project makes the step and gives the loss
class Trainer:
    def step(self, x, y):
        out = self.model(x)
        loss = self.criterion(out, y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss, out

    def epoch(self, loader):
        total = 0.0
        for x, y in loader:
            loss, out = self.step(x, y)
            total += loss  # expect: PP613
        return total / len(loader)
# --- case: a meter of the project adds it up
class Meter:
    def __init__(self):
        self.sum = 0
        self.count = 0

    def update(self, value, n=1):
        self.sum += value * n
        self.count += n


meter = Meter()
for x, y in loader:
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    meter.update(loss, x.size(0))  # expect: PP613
# --- case: a state that goes from step to step
import torch.nn.functional as F


def train(model, batches):
    optimizer = torch.optim.Adam(model.parameters())
    hidden = model.first_state(20)
    for x, y in batches:
        out, hidden = model(x, hidden)  # expect: PP613
        loss = F.cross_entropy(out, y)
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()
# --- case: a state of two parts, over windows of the data
import torch.nn.functional as F

h, c = torch.zeros(1, 20, 64), torch.zeros(1, 20, 64)
for i in range(0, data.size(0) - 1, 35):
    out, (h, c) = net(data[i:i + 35], (h, c))  # expect: PP613
    loss = F.mse_loss(out, data[i + 1:i + 36])
    net.zero_grad()
    loss.backward(retain_graph=True)
    optimizer.step()
# --- case: the state of a module, of itself
class Walker(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = torch.nn.GRU(4, 8)
        self.memory = torch.zeros(1, 2, 8)

    def forward(self, steps):
        out, self.memory = self.gru(steps, self.memory)  # expect: PP613
        return out.sum()


walker = Walker()
for batch in loader:
    cost = walker(batch)
    cost.backward(retain_graph=True)
