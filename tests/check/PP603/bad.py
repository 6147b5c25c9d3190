import torch
# --- case: a sum of losses
device = torch.device("cuda")
for x, y in loader:
    loss = criterion(model(x.to(device)), y)
    loss.backward()
    optimizer.step()
    total += loss.item()  # expect: PP603
# --- case: a list
device = torch.device("cuda")
for x, y in loader:
    loss = criterion(model(x.to(device)), y)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())  # expect: PP603
# --- case: float()
device = torch.device("cuda")
for x, y in loader:
    loss = criterion(model(x.to(device)), y)
    loss.backward()
    optimizer.step()
    losses.append(float(loss))  # expect: PP603
# --- case: printed
device = torch.device("cuda")
for x, y in loader:
    loss = criterion(model(x.to(device)), y)
    loss.backward()
    optimizer.step()
    print("loss", loss.item())  # expect: PP603
# --- case: in a progress bar
device = torch.device("cuda")
bar = tqdm(loader)
for x, y in bar:
    loss = criterion(model(x), y)
    loss.backward()
    bar.set_postfix(loss=loss.item())  # expect: PP603
# --- case: detached and copied
device = torch.device("cuda")
for x, y in loader:
    loss = criterion(model(x.to(device)), y)
    loss.backward()
    optimizer.step()
    losses.append(loss.detach().cpu().numpy())  # expect: PP603
# --- case: hits
device = torch.device("cuda")
for x, y in loader:
    out = model(x)
    criterion(out, y).backward()
    hits += (out.argmax(1) == y).sum().item()  # expect: PP603
    n += out.argmax(1).cpu().sum()  # expect: PP603 low
# --- case: in a function
device = torch.device("cuda")
def train(loader):
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()
        meter.update(loss.item(), x.size(0))  # expect: PP603
# --- case: two statements of a loop
device = torch.device("cuda")
for x, y in loader:
    loss = criterion(model(x.to(device)), y)
    loss.backward()
    optimizer.step()
    total += loss.item()  # expect: PP603
    print(loss.item())  # expect: PP603 low
# --- case: backward in a function that is called
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
device = torch.device("cuda")
from torch import nn


class Net(nn.Module):
    def forward(self, x, h):
        assert (x == h).all()  # expect: PP603
        return x
# --- case: in steps that are counted
device = torch.device("cuda")
for step in range(10000):
    loss = model(batch()).mean()
    loss.backward()
    history.append(loss.item())  # expect: PP603
# --- case: an attribute
device = torch.device("cuda")
for x in loader:
    trainer.loss.backward()
    total += trainer.loss.item()  # expect: PP603
# --- case: a release before 0.4
for x, y in loader:
    loss = criterion(model(x.cuda()), y)
    loss.backward()
    optimizer.step()
    total += loss.data[0]  # expect: PP603
# --- case: either way, by a setting
args = parser.parse_args()
device = torch.device("cuda")
for x, y in loader:
    loss = criterion(model(x.to(device)), y)
    if args.distributed:
        value = reduce(loss.data).item()
    else:
        value = loss.item()  # expect: PP603
    loss.backward()
    optimizer.step()
# --- case: in a step that the loop calls
device = torch.device("cuda")


def train_step(model, optimizer, x, y, writer, step):
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    writer.add_scalar("loss", float(loss.item()), step)  # expect: PP603


def train(model, optimizer, loader, writer):
    for step, (x, y) in enumerate(loader):
        train_step(model, optimizer, x, y, writer, step)
# --- case: a metric that the loop calls
def accuracy(out, y):
    _, best = out.max(1)
    return (best == y).sum().item()  # expect: PP603


def train(model, loader):
    for x, y in loader:
        out = model(x.cuda())
        criterion(out, y).backward()
        total += accuracy(out, y)
# --- case: the tensor itself is printed
for x, y in loader:
    loss = criterion(model(x.cuda()), y)
    loss.backward()
    print("loss", loss)  # expect: PP603
# --- case: in an f-string
for x, y in loader:
    loss = criterion(model(x.cuda()), y)
    loss.backward()
    bar.set_description(f"loss {loss:.3f}")  # expect: PP603
# --- case: given to a writer
for i, (x, y) in enumerate(loader):
    loss = criterion(model(x.cuda()), y)
    loss.backward()
    writer.add_scalar("loss", loss, i)  # expect: PP603
# --- case: after a batch that is left out
for x, y in loader:
    if len(x) == 0:
        continue
    loss = criterion(model(x.cuda()), y)
    loss.backward()
    total += loss.item()  # expect: PP603
# --- case: two losses for a writer
from torch import nn

for i, (x, y) in enumerate(loader):
    mel_loss = nn.L1Loss()(model(x.cuda()), y)
    loss = mel_loss + other(x)
    loss.backward()
    writer.add_scalars("train", {"mel": mel_loss}, i)  # expect: PP603
# --- case: a loader in a progress bar that tells the epoch
from tqdm import tqdm


class Trainer:
    def validate(self):
        for x, y in self.val_loader:
            show(x)

    def train_epoch(self):
        for i, (x, y) in tqdm(enumerate(self.train_loader), desc="epoch %d" % self.epoch):
            if i % 1000 == 0:
                self.validate()
            loss = criterion(self.model(x.cuda()), y)
            loss.backward()
            self.total += loss.item()  # expect: PP603
# --- case: a branch on a count, in the loss of each step
device = torch.device("cuda")


class Loss(torch.nn.Module):
    def forward(self, out, truth):
        positive = truth.eq(1).float()
        n = positive.sum()
        if n == 0:  # expect: PP603
            return out.sum()
        return (out * positive).sum() / n


loss = Loss()
for x, y in loader:
    loss(model(x.to(device)), y.to(device)).backward()
# --- case: a branch on how many places there are
def rotation_loss(out, bins):
    total = torch.zeros_like(out)
    if bins[:, 0].nonzero().shape[0] > 0:  # expect: PP603
        places = bins[:, 0].nonzero()[:, 0]
        total = total + out.index_select(0, places)
    return total.sum()


for x, y in loader:
    rotation_loss(model(x.cuda()), y.cuda()).backward()
# --- case: by a function that only copies to the host
def to_cpu(tensor):
    return tensor.detach().cpu()


for x, y in loader:
    loss = criterion(model(x.cuda()), y.cuda())
    loss.backward()
    optimizer.step()
    losses.append(to_cpu(loss))  # expect: PP603
# --- case: by a function that only fetches, in the loss
def number(x):
    return x.item()


def compute_loss(out, y):
    loss = ((out - y) ** 2).mean()
    return loss, number(loss)  # expect: PP603


for x, y in loader:
    loss, shown = compute_loss(model(x.cuda()), y.cuda())
    loss.backward()
    optimizer.step()
# --- case: by a function that makes an array
def to_list(x, sep=","):
    return x.detach().tolist()


for x, y in loader:
    loss = criterion(model(x.cuda()), y.cuda())
    loss.backward()
    losses.append(to_list(loss))  # expect: PP603
# --- case: the norm of each gradient, at every step
model.cuda()
for x, y in loader:
    loss = criterion(model(x.cuda()), y.cuda())
    optimizer.zero_grad()
    loss.backward()
    total = 0
    for p in model.parameters():
        total += p.grad.data.norm(2).item() ** 2  # expect: PP603
    optimizer.step()
# --- case: class by class, in a function that each step calls
def overlap(pred, target, n=21):
    shares = []
    for c in range(n):
        both = ((pred == c) & (target == c)).sum()
        shares.append(both.item())  # expect: PP603
    return shares


def train(model, loader, criterion, optimizer):
    model.cuda()
    for x, y in loader:
        out = model(x.cuda())
        loss = criterion(out, y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        shares = overlap(out.argmax(1), y.cuda())


train(model, loader, criterion, optimizer)
# --- case: a function that is a step, whose callers are not seen
class Loss(torch.nn.Module):
    def train_ops(self, net, optimizer, x, y, device):
        if self.override is not None:
            return self.override(net, x)
        else:
            optimizer.zero_grad()
            loss = self.forward(net(x.cuda()), y)
            loss.backward()
            optimizer.step()
            return loss.item()  # expect: PP603
# --- case: a function of the project goes backward
class Learner:
    def __init__(self):
        self.net = torch.nn.Linear(3, 1).cuda()
        self.optimizer = torch.optim.Adam(self.net.parameters())

    def update(self, optimizer, objective: torch.Tensor):
        optimizer.zero_grad()
        objective.backward()
        optimizer.step()

    def learn(self, memory, updates):
        total = 0.0
        for update in range(updates):
            objective, state = self.objective_of(memory)
            total += objective.item()  # expect: PP603
            self.update(self.optimizer, -objective)
        return total
# --- case: .item() in a part of a module that is compiled
class Pool(torch.nn.Module):
    def forward(self, rows, owner):
        size = owner.max().item() + 1  # expect: PP603
        return rows.new_zeros(size, rows.shape[1]).index_add(0, owner, rows)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.pool = Pool()

    def forward(self, rows, owner):
        return self.pool(rows, owner)


fast = torch.compile(Net().cuda())
# --- case: with and without mixed precision, which is off by default
use_amp = False
for x, y in loader:
    if use_amp:
        with torch.cuda.amp.autocast():
            loss = (model(x.cuda()) - y.cuda()).sum()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        total += loss.item()  # expect: PP603 low
    else:
        loss = (model(x.cuda()) - y.cuda()).sum()
        loss.backward()
        optimizer.step()
        total += loss.item()  # expect: PP603
# --- case: branches that exclude each other
for x, y in loader:
    if args.amp:
        with torch.cuda.amp.autocast():
            loss = (model(x.cuda()) - y.cuda()).sum()
        scaler.scale(loss).backward()
        total += loss.item()  # expect: PP603
    else:
        loss = (model(x.cuda()) - y.cuda()).sum()
        loss.backward()
        total += loss.item()  # expect: PP603
# --- case: a loss that is compared at every step
for x, y in loader:
    loss = criterion(model(x.cuda()), y.cuda())
    if loss > 100:  # expect: PP603
        loss = loss / 2
    loss.backward()
    optimizer.step()
# --- case: a loss that is asked whether it is a number
for x, y in loader:
    loss = criterion(model(x.cuda()), y.cuda())
    loss.backward()
    if torch.isnan(loss) or not use_all:  # expect: PP603
        raise ValueError("no number")
    optimizer.step()
# --- case: a loss that goes through a function for numbers
import math

for x, y in loader:
    loss = criterion(model(x.cuda()), y.cuda())
    loss.backward()
    if use_all or not math.isfinite(loss):  # expect: PP603
        continue
    optimizer.step()
# --- case: labels of a batch, in an assertion
def evaluate(net, loader, device="cuda"):
    for batch in loader:
        image, truth = batch["image"], batch["mask"]
        image, truth = image.to(device), truth.to(device=device, dtype=torch.long)
        assert truth.min() >= 0 and truth.max() < 9, "no such class"  # expect: PP603
        score = dice(net(image), truth)
    return score


for x, y in loader:
    criterion(net(x.cuda()), y).backward()
# --- case: what a method of a module returns, in the minibatches of a rollout
from torch.distributions.categorical import Categorical


class Agent(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.actor = torch.nn.Linear(4, 2).cuda()

    def choose(self, x, action):
        chances = Categorical(logits=self.actor(x))
        return action, chances.log_prob(action)


agent = Agent()
for update in range(updates):
    for step in range(128):
        state, reward, done, info = envs.step(act(state))
    for epoch in range(4):
        for start in range(0, 128, 32):
            _, chosen = agent.choose(states[start:start + 32], actions[start:start + 32])
            ratio = (chosen - before[start:start + 32]).exp()
            with torch.no_grad():
                clipped.append(((ratio - 1.0).abs() > 0.2).float().mean().item())  # expect: PP603
            (-ratio * advantage[start:start + 32]).mean().backward()
            optimizer.step()
# --- case: a loss of one of two classes, whose base has the forward
class Base(torch.nn.Module):
    def forward(self, x):
        mask = x.unsqueeze(0).gt(0)
        if mask.sum() == 0:  # expect: PP603
            return x.mean()
        return (x * mask).sum()


class Small(Base):
    pass


class Large(Base):
    pass


if small:
    detector = Small()
else:
    detector = Large()
detector.cuda()
for x in loader:
    detector(x.cuda()).backward()
# --- whole: what is waited for at each step, and what is not
import argparse
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader
from tqdm import tqdm, trange
from library import run, tables

device = torch.device("cuda")
net = nn.Linear(4, 2).to(device)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(net.parameters())
loader = DataLoader(data, 32)
meter = Meter()


def pair(x, y):
    out = net(x)
    return criterion(out, y), (out.argmax(1) == y).float().mean()


def numbers(x):
    return 3, 4


def double(a: torch.Tensor, b: int = 3):
    return a.sum().item()


class Holder:
    def __init__(self, model):
        self.model = model
        self.loss = None

    def step(self, x, y):
        self.loss = criterion(self.model(x), y)
        self.loss.backward()
        optimizer.step()
        return self.loss.item()  # expect: PP603

    def fit(self):
        for x, y in loader:
            total = self.step(x.to(device), y.to(device))


holder = Holder(net)
holder.fit()
# --- each
def trainNTH(args, bar, writer, scheduler, total=0, losses=[], best=3):
    for i, (x, y) in enumerate(loader):
        x, y = x.to(device), y.to(device)
        out = net(x)
        loss = criterion(out, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        EACH
    return total
# --- of
total += loss.item()  # expect: PP603
total += float(loss)  # expect: PP603
total += loss.data[0]  # expect: PP603
total += loss.cpu().numpy()  # expect: PP603
total += loss.detach().cpu().item()  # expect: PP603
total += loss.tolist()  # expect: PP603
total += int(loss)
total += bool(loss > 3)
losses.append(loss.item())  # expect: PP603
losses.append(loss)
losses.append(loss.detach())
print(loss)  # expect: PP603
print("loss", loss.item(), x.shape)  # expect: PP603
print(f"{loss.item():.3f}")  # expect: PP603
print("%f" % loss.item())  # expect: PP603
bar.set_postfix(loss=loss.item())  # expect: PP603
bar.set_description(f"{loss}")  # expect: PP603
meter.update(loss.item(), x.size(0))  # expect: PP603
if loss.item() > 3:
    break
if loss > 3:
    break
if torch.isnan(loss):
    break
if torch.isnan(loss).any():
    break
while loss > 3:  # expect: PP603
    loss = loss / 2
assert loss < 3  # expect: PP603
assert not torch.isnan(loss)  # expect: PP603
total += 1 if loss > 3 else 0
best = min(best, loss.item())  # expect: PP603
best = max(loss, best)
if loss is None:
    break
if loss.shape[0] > 3:
    break
if loss.requires_grad:
    break
if x.dim() > 3:
    break
if len(loss) > 3:
    break
if i % 100 == 0:
    print(loss.item())
if i % 100 == 0:
    total += loss.item()
if i == 99:
    total += loss.item()
if (i + 1) % args.every == 0:
    print(loss.item())
if args.verbose:
    print(loss.item())
total += (out.argmax(1) == y).sum().item()  # expect: PP603
total += out.max(1)[1].eq(y).sum().item()  # expect: PP603
total += x.size(0)
total += y.sum().item()  # expect: PP603
total += accuracy(out, y).item()
loss, acc = pair(x, y)
# and
total += acc.item()  # expect: PP603
a, b = numbers(x)
# and
total += a
total += double(out)
total += numbers(x)[0]
total += run(loss).item()
total += tables.item()
total += np.mean(out.detach().cpu().numpy())  # expect: PP603
total += len(y)
torch.cuda.synchronize()
total += nn.utils.clip_grad_norm_(net.parameters(), 1.0).item()
total += net.weight.grad.norm().item()  # expect: PP603
total += sum(p.grad.norm().item() for p in net.parameters())  # expect: PP603
for p in net.parameters():
    total += p.grad.norm().item()  # expect: PP603
total += optimizer.param_groups[0]["lr"]
x = x[out.argmax(1).cpu() == 3]
rows = out.nonzero()
rows = out[out > 0.5]
total += out[0, 0]
total += out[0][0].item()  # expect: PP603
writer.add_scalar("loss", loss.item(), i)  # expect: PP603
writer.add_scalar("loss", loss, i)  # expect: PP603
wandb.log({"loss": loss.item()})  # expect: PP603
state = {"loss": loss.item()}  # expect: PP603
scheduler.step(loss.item())  # expect: PP603
yield loss.item()  # expect: PP603
return loss.item()
total += loss.item() if i % 10 == 0 else 0
x.item = 3
total += loss.item
total += (lambda: loss.item())()
total = total + loss.item() * x.size(0)  # expect: PP603
loss = loss.item()  # expect: PP603
total += loss.mean().item() / loss.sum().item()  # expect: PP603
value = loss.item()  # expect: PP603
# and
total += value
# and
print(value)
total += F.mse_loss(out, y).item()  # expect: PP603
total += distribution.entropy().item()
total += -loss.item()  # expect: PP603
total += (loss + 1).item()  # expect: PP603
total += (loss if i else out).item()  # expect: PP603
# --- case: a value that is only compared to count, and asked for nothing
device = torch.device("cuda")
for x, y in loader:
    loss = criterion(model(x.to(device)), y)
    value = loss.item()  # expect: PP603
    good += value < 0.5
    loss.backward()
    optimizer.step()
# --- case: a value that was asked for before it is fetched
device = torch.device("cuda")
value = 1.0
for x, y in loader:
    if value > 100:
        print("large")
    loss = criterion(model(x.to(device)), y)
    loss.backward()
    optimizer.step()
    values.append(loss.item())  # expect: PP603
# --- case: in each round of the decoder, not beside them
device = torch.device("cuda")
decoder = torch.nn.GRUCell(8, 8)
for words in loader:
    loss, state = 0, None
    for word in range(len(words)):
        state = decoder(words[word].to(device), state)
        part = criterion(state, words[word])
        total += part.item()  # expect: PP603
        part.backward()
    optimizer.step()
# --- case: beside a handful of runs
device = torch.device("cuda")
decoder = torch.nn.GRUCell(8, 8)


def train(words):
    loss, state = 0, None
    for word in range(3):
        state = decoder(words[word].to(device), state)
        loss += criterion(state, words[word])
    loss.backward()
    optimizer.step()
    return loss.item()  # expect: PP603


for words in loader:
    train(words)
# --- case: a program at the top that is told its device by a module of the project
from other import device, to_device

for x, y in loader:
    loss = criterion(model(to_device(x)), y)
    loss.backward()
    optimizer.step()
    print(loss.item())  # expect: PP603
# --- file: other.py
import torch

device = torch.device("cuda")


def to_device(x):
    return x.to(device)
# --- case: a program at the top that an accelerator moves
for x, y in accelerator.prepare(loader):
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    print(loss.item())  # expect: PP603
# --- file: other.py
import torch

model = torch.nn.Linear(2, 2).cuda()
# --- case: functions that train, beside a file that chooses the device
def train(model, loader, optimizer):
    for x, y in loader:
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        print(loss.item())  # expect: PP603
# --- file: other.py
import torch

model = torch.nn.Linear(2, 2).cuda()
# --- case: a number that is drawn on the device
device = torch.device("cuda")
for x, y in loader:
    eps = torch.rand(1, device=device).item()  # expect: PP603
    loss = criterion(model(x.to(device) * eps), y)
    loss.backward()
    optimizer.step()
# --- case: a method that the base leaves to it
device = torch.device("cuda")


class Trainer:
    def fit(self, loader):
        for batch in loader:
            self.total += self.fit_batch(batch)

    def fit_batch(self, batch):
        raise NotImplementedError


class Gan(Trainer):
    def fit_batch(self, batch):
        loss = self.criterion(self.model(batch.to(device)))
        loss.backward()
        self.optimizer.step()
        return loss.detach().cpu()  # expect: PP603
