import torch
# --- case: now and then
device = torch.device("cuda")
for x, y in loader:
    loss = criterion(model(x.to(device)), y)
    loss.backward()
    optimizer.step()
    if step % 100 == 0:
        print(loss.item())  # lacks: no loop that goes backward is seen to run it at each step
# --- case: once in an epoch
device = torch.device("cuda")
for epoch in range(epochs):
    for x in loader:
        loss = model(x).mean()
        loss.backward()
    print(loss.item())
# --- case: an evaluation
device = torch.device("cuda")
with torch.no_grad():
    for x, y in loader:
        total += criterion(model(x), y).item()
# --- case: without training
device = torch.device("cuda")
for x, y in loader:
    total += loss_of(x, y).item()
# --- case: on the processor alone
for x, y in loader:
    loss = criterion(model(x), y)
    loss.backward()
    total += loss.item()
# --- case: the host decides by it
device = torch.device("cuda")
for x, y in loader:
    loss = criterion(model(x.to(device)), y)
    loss.backward()
    optimizer.step()
    if loss.item() > 100:
        break
# --- case: an environment needs it
device = torch.device("cuda")
while True:
    loss = model(s).mean()
    loss.backward()
    s = env.step(loss.item())
# --- case: kept as a tensor
device = torch.device("cuda")
for x, y in loader:
    loss = criterion(model(x.to(device)), y)
    loss.backward()
    optimizer.step()
    total += loss.detach()
# --- case: a name of Python's
device = torch.device("cuda")
for x, y in loader:
    loss = criterion(model(x), y)
    loss.backward()
    n += counts.item()
# --- case: after the loop
device = torch.device("cuda")
for x, y in loader:
    loss = criterion(model(x.to(device)), y)
    loss.backward()
    optimizer.step()
print(loss.item())
# --- case: shapes are compared
device = torch.device("cuda")
from torch import nn


class Net(nn.Module):
    def forward(self, x, h):
        assert x.shape == h.shape
        return x
# --- case: a test asserts
device = torch.device("cuda")
def test_net():
    for x in loader:
        assert (model(x) == x).all()
# --- case: a handful of rounds
device = torch.device("cuda")
for name in [1, 2]:
    loss = model(name).mean()
    loss.backward()
    print(loss.item())
# --- case: NumPy's array is asserted
device = torch.device("cuda")
def read(paths):
    for step in range(1000):
        x = parse(paths[step])
        assert (x >= 0).all()
# --- case: only when asked to be verbose
for x, y in loader:
    loss = criterion(model(x.cuda()), y)
    loss.backward()
    if args.verbose:
        print(loss.item())
# --- case: a step that is called now and then
def show(model, x, y):
    loss = criterion(model(x), y)
    print(loss.item())


def train(model, loader):
    for i, (x, y) in enumerate(loader):
        criterion(model(x.cuda()), y).backward()
        if i % 100 == 0:
            show(model, x, y)
# --- case: a number is printed
for i, (x, y) in enumerate(loader):
    loss = criterion(model(x.cuda()), y)
    loss.backward()
    print("step", i)
# --- case: data is an array
for x, y in loader:
    loss = criterion(model(x.cuda()), y)
    loss.backward()
    first = y.data[0]
# --- case: an evaluation beside the training
for epoch in range(epochs):
    for x, y in data:
        loss = criterion(model(x.cuda()), y)
        loss.backward()
    model.eval()
    for x, y in held_out:
        loss = criterion(model(x.cuda()), y)
        total += loss.item()
# --- case: the first row of a tensor's data
for x, y in loader:
    loss = criterion(model(x.cuda()), y)
    loss.backward()
    first = model(x).data[0, :]
# --- case: a branch on a number of the host
def masked_loss(out, lengths):
    n = sum(lengths)
    if n == 0:
        return out.sum()
    return out.sum() / n


for x, lengths in loader:
    masked_loss(model(x.cuda()), lengths).backward()
# --- whole: a branch on places in an array
import numpy as np
import torch

for x, mask in loader:
    if len(np.nonzero(mask)[0]) > 0:
        model(x.cuda()).sum().backward()
# --- case: by a function that does not fetch
def detached(tensor):
    return tensor.detach()


for x, y in loader:
    loss = criterion(model(x.cuda()), y.cuda())
    loss.backward()
    optimizer.step()
    losses.append(detached(loss))
# --- case: a function with a loop over data of its own
def measure(model, n=200):
    total = 0
    for i in range(n):
        with torch.no_grad():
            total += model(draw(i).cuda()).sum().item()
    return total


for epoch in range(10):
    for x, y in loader:
        loss = criterion(model(x.cuda()), y.cuda())
        loss.backward()
        optimizer.step()
    measure(model)
# --- case: a function that ends an episode is no step of a loop over batches
def finish_episode(policy, optimizer, rewards):
    loss = torch.stack(policy.parts).sum().cuda()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()
# --- case: a function that trains in a loop of its own, and fetches once
def fit(model, loader, optimizer):
    model.cuda()
    for x, y in loader:
        loss = model(x.cuda()).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()
# --- case: .item() in forward, of a module that nobody compiles, and in a branch that is seldom taken
class Pool(torch.nn.Module):
    def forward(self, rows, owner):
        return rows.new_zeros(owner.max().item() + 1, rows.shape[1]).index_add(0, owner, rows)


class Net(torch.nn.Module):
    def forward(self, rows, owner):
        if self.debug:
            print(owner.max().item())
        return rows


fast = torch.compile(Net())
pool = Pool()
# --- case: conditions that ask no tensor
best = 1.0
for step, batch in enumerate(loader):
    image, truth = batch["image"].cuda(), batch["mask"].cuda()
    loss = criterion(model(image), truth)
    loss.backward()
    if loss is None or image.size(0) != truth.size(0) or image.dim() == 3 or step > 100:
        continue
    assert image.shape[1] == 3 and batch["name"] is not None
    optimizer.step()
# --- case: a loss that is asked now and then
for step, (x, y) in enumerate(loader):
    loss = criterion(model(x.cuda()), y.cuda())
    loss.backward()
    if step % 100 == 0:
        if torch.isnan(loss):
            raise ValueError("no number")
    optimizer.step()
# --- case: what a batch gives without a move
def check(net, loader):
    for batch in loader:
        names = batch["name"]
        assert names.min() >= 0 and names.max() < 9


for x, y in loader:
    criterion(net(x.cuda()), y).backward()
# --- case: a branch for each epoch of a rollout's minibatches
class Agent(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.actor = torch.nn.Linear(4, 2).cuda()

    def choose(self, x):
        return x, torch.log_softmax(self.actor(x), 1)


agent = Agent()
for update in range(updates):
    for epoch in range(4):
        for start in range(0, 128, 32):
            _, chosen = agent.choose(states[start:start + 32])
            ratio = (chosen - before[start:start + 32]).exp()
            far = (ratio - 1).mean()
            (-ratio * advantage[start:start + 32]).mean().backward()
            optimizer.step()
        if far > 0.01:
            break
# --- case: a number that a function of the project gives
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 2).cuda()

    def measured(self, x):
        return self.fc(x), len(x)


net = Net()
for x, y in loader:
    out, n = net.measured(x.cuda())
    out.mean().backward()
    if n > 100:
        continue
    total += n
    optimizer.step()
# --- case: of two classes without a base of their own the forward is not known
class Small(torch.nn.Module):
    def forward(self, x):
        mask = x.unsqueeze(0).gt(0)
        if mask.sum() == 0:  # expect: PP603 low
            return x.mean()
        return (x * mask).sum()


class Large(torch.nn.Module):
    def forward(self, x):
        return x.mean()


if small:
    detector = Small()
else:
    detector = Large()
detector.cuda()
for x in loader:
    detector(x.cuda()).backward()
# --- case: a tensor of a literal
device = torch.device("cuda")
zero = torch.tensor([0.0, 1.0])
for x, y in loader:
    loss = criterion(model(x.to(device)), y)
    loss.backward()
    optimizer.step()
    total += torch.tensor(3.0).item() + float(zero[0])
    seen.append(zero.tolist())
# --- case: the value decides whether training goes on
device = torch.device("cuda")
for x, y in loader:
    loss = criterion(model(x.to(device)), y)
    value = loss.item()  # expect: PP603 low
    if not math.isfinite(value):
        sys.exit(1)
    loss.backward()
    optimizer.step()
# --- case: a program on the processor, beside one that uses a device
for epoch in range(1000):
    loss = criterion(model(x), y)
    print(loss.item())
    loss.backward()
    optimizer.step()
# --- file: other.py
import torch

model = torch.nn.Linear(2, 2).cuda()
# --- case: a number that is drawn on the host
device = torch.device("cuda")
for x, y in loader:
    eps = torch.rand(1).item()
    loss = criterion(model(x.to(device) * eps), y)
    loss.backward()
    optimizer.step()
# --- case: a check of one model after the other, which leads to a step somewhere
import torch

device = torch.device("cuda")


def finite(model, x):
    y = model(x)
    if torch.isnan(y).any():  # expect: PP603 low
        return False
    return True


def trains(model, x, y):
    criterion(model(x), y).backward()
    optimizer.step()


def verify(models, x, y):
    for step, model in enumerate(models):
        report(finite(model, x), trains(model, x, y))
# --- case: an assertion beside another wait
def evaluate(net, loader, device="cuda"):
    found = []
    for x, y in loader:
        done = net(x.to(device)).argmax(1).eq(2)
        assert done.any()  # expect: PP603 low
        found.append(torch.masked_select(y.to(device), done))
    return found
# --- case: an assertion in what a branch that waits leads to
def prefixes(net, loader, device="cuda"):
    for x, y in loader:
        ends = net(x.to(device)).argmax(1).eq(2)
        if ends.any():  # expect: PP603 low
            assert (ends == y.to(device)).all()  # expect: PP603 low
            repeat(ends)
