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
