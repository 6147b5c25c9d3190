import torch
# --- case: detached
total = 0
losses = []
for x, y in loader:
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    total += loss.detach()  # lacks: it is not seen to be a tensor that goes backward
# --- case: a number
total = 0
losses = []
for x, y in loader:
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    total += loss.item()
# --- case: a list of numbers
total = 0
losses = []
for x, y in loader:
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
# --- case: its data
total = 0
losses = []
for x, y in loader:
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    total += loss.data
# --- case: the sum goes backward
for x in loader:
    total = 0
    for part in x:
        loss = model(part)
        total += loss
    total.backward()
# --- case: evaluation
with torch.no_grad():
    for x in loader:
        loss = model(x)
        total += loss
# --- case: no backward
for x in loader:
    loss = model(x)
    total += loss
# --- case: set anew in each round
for x in loader:
    loss = model(x)
    extra = 0
    extra += loss
    loss.backward()
# --- case: something else
total = 0
losses = []
for x, y in loader:
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    total += x.size(0)
# --- case: a handful
for part in (1, 2):
    loss = model(part)
    loss.backward()
    total += loss
# --- case: text
total = 0
losses = []
for x, y in loader:
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    lines.append('loss')
# --- case: float()
total = 0
losses = []
for x, y in loader:
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    losses.append(float(loss))
# --- case: bound to what is detached
total = 0
losses = []
for x, y in loader:
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    loss = loss.detach().cpu()
    total += loss
# --- case: the function gives the number, or the loss without its graph
def step(x, y):
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    return loss.item(), loss.detach()


total = 0
for x, y in loader:
    value, loss = step(x, y)
    total += value
    total += loss
# --- case: the meter keeps the number
class Meter:
    def __init__(self):
        self.sum = 0

    def update(self, value, n=1):
        value = float(value)
        self.sum += value * n


meter = Meter()
for x, y in loader:
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    meter.update(loss, x.size(0))
# --- case: the sum goes backward
for x, y in loader:
    total = 0
    for layer in outputs(x):
        loss = criterion(layer, y)
        total = total + loss
    total.backward()
    optimizer.step()
# --- case: the function gives the loss under its name, without its graph
def step(x, y):
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    loss = loss.detach()
    return loss


total = 0
for x, y in loader:
    loss = step(x, y)
    total += loss
# --- case: the state is detached before each step
import torch.nn.functional as F


def train(model, batches):
    optimizer = torch.optim.Adam(model.parameters())
    hidden = model.first_state(20)
    for x, y in batches:
        hidden = tuple(part.detach() for part in hidden)
        out, hidden = model(x, hidden)
        loss = F.cross_entropy(out, y)
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()
# --- case: a new state for each batch
import torch.nn.functional as F


def train(model, batches):
    optimizer = torch.optim.Adam(model.parameters())
    for x, y in batches:
        hidden = model.first_state(20)
        out, hidden = model(x, hidden)
        loss = F.cross_entropy(out, y)
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()
# --- case: parts are detached in place
import torch.nn.functional as F


def train(model, batches, state):
    optimizer = torch.optim.Adam(model.parameters())
    for x, y in batches:
        for part in state:
            part.detach_()
        out, state = model(x, state)
        loss = F.cross_entropy(out, y)
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()
# --- case: the words of one sentence, and one backward after all
import torch.nn.functional as F


def train(decoder, optimizer, sentences):
    for words, state in sentences:
        loss = 0
        for word in words:
            out, state = decoder(word, state)
            loss = loss + F.cross_entropy(out, word)
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()
# --- case: the state of a module, detached, and one that begins anew
class Walker(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = torch.nn.GRU(4, 8)
        self.memory = torch.zeros(1, 2, 8)

    def forward(self, steps):
        out, self.memory = self.gru(steps, self.memory.detach())
        return out.sum()


class Runner(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = torch.nn.GRU(4, 8)
        self.memory = torch.zeros(1, 2, 8)

    def reset(self):
        self.memory = torch.zeros(1, 2, 8)

    def forward(self, steps):
        out, self.memory = self.gru(steps, self.memory)
        return out.sum()


for batch in loader:
    cost = Walker()(batch) + Runner()(batch)
    cost.backward(retain_graph=True)
