import torch
from torch import nn
# --- case: made on the device
device = torch.device("cuda")


class Net(nn.Module):
    def forward(self, x):
        h = torch.zeros(2, 8, device=x.device)
        return self.rnn(x, h)
# --- case: like a tensor that is there
device = torch.device("cuda")


class Net(nn.Module):
    def forward(self, x):
        h = x.new_zeros(2, 8)
        return self.rnn(x, h)
# --- case: numbers that the host has
device = torch.device("cuda")


class Net(nn.Module):
    def forward(self, x):
        h = torch.tensor(self.lengths).to(x.device)  # lacks: it is not seen to come of torch.zeros() or the like, in the same function, without device=
        return self.rnn(x, h)
# --- case: a batch
device = torch.device("cuda")
for x, y in loader:
    x, y = x.to(device), y.to(device)
    net(x).mean().backward()
# --- case: once
device = torch.device("cuda")
z = torch.randn(64, 100).to(device)
for x in loader:
    net(z).mean().backward()
# --- case: once in an epoch
device = torch.device("cuda")
for epoch in range(epochs):
    total = torch.zeros(2).to(device)
    for x in loader:
        net(x).mean().backward()
# --- case: once in an epoch, in a function
device = torch.device("cuda")
def train():
    total = torch.zeros(2).to(device)
    for x in loader:
        net(x).mean().backward()


for epoch in range(epochs):
    train()
# --- whole: on the processor alone
import torch

for x in loader:
    h = torch.zeros(2, 8).to(dev)
    net(h).mean().backward()
# --- case: to another type
device = torch.device("cuda")


class Net(nn.Module):
    def forward(self, x):
        h = torch.zeros(2, 8).to(torch.float16)
        return self.rnn(x, h)
# --- case: in the constructor
device = torch.device("cuda")
class Net(nn.Module):
    def __init__(self):
        self.h = torch.zeros(2, 8).to(device)
# --- case: the first time only
device = torch.device("cuda")
for i, x in enumerate(loader):
    if i == 0:
        z = torch.randn(64, 100).to(device)
    net(z).mean().backward()
# --- case: not moved
device = torch.device("cuda")


class Net(nn.Module):
    def forward(self, x):
        h = torch.zeros(2, 8)
        return self.rnn(x, h)
# --- case: made on the device, and moved to be sure
device = torch.device("cuda")


class Net(nn.Module):
    def forward(self, x):
        h = torch.zeros(2, 8, device=d).to(device)
        return self.rnn(x, h)
# --- whole: a word that the host chooses
import torch

device = torch.device("cuda")
for word in words:
    out = model(torch.tensor([vocabulary[word]]).to(device))
# --- whole: a tensor of several values
import torch

device = torch.device("cuda")
for i in range(length):
    out = model(x.to(device))
    a, b = out.max(), out.min()
    show(torch.tensor([a, b]))
# --- whole: numbers for a class of tensors
import torch


class Loss(torch.nn.Module):
    def forward(self, predicted):
        return predicted * torch.Tensor([1, 2, 3]).cuda()
# --- whole: called now and then
import torch

device = torch.device("cuda")


def widen(model, n):
    return torch.full((n,), 0.5).to(device)


for step in range(10000):
    model(batch()).sum().backward()
    if step % 1000 == 0:
        width = widen(model, 4)
# --- whole: items on the host
import torch

device = torch.device("cuda")


class Items(torch.utils.data.Dataset):
    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return torch.tensor(self.rows[i]).to(torch.float32)
# --- whole: the host does what PyTorch has no function for
import cv2
import torch


def blur(x):
    image = cv2.GaussianBlur(x.cpu().numpy(), (5, 5), 0)
    return torch.from_numpy(image).to(x.device)


for images in loader:
    show(model(blur(images.cuda())))
# --- whole: an array that the host made goes to the device
import numpy as np
import torch

device = torch.device("cuda")
for images in loader:
    turned = np.flip(images.numpy(), 3).copy()
    show(model(torch.from_numpy(turned).to(device)))
# --- whole: a batch is made on the host
import torch
from torch.utils.data import DataLoader


def collate(batch):
    return torch.nn.utils.rnn.pad_sequence([torch.tensor(text) for text in batch])


loader = DataLoader(data, batch_size=32, collate_fn=collate)
for batch in loader:
    show(model(batch.cuda()))
# --- whole: a batch is moved as a whole
import torch
from torch.utils.data import DataLoader


def collate(batch):
    return torch.stack([text for text in batch]).cuda()


loader = DataLoader(data, batch_size=32, collate_fn=collate)
# --- whole: once for each run, which goes through batches itself
import torch
from torch.utils.data import DataLoader


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(10, 1)

    def train(self, data, device):
        noise = torch.randn(64, 1).to(device)
        for epoch in range(100):
            for x, y in DataLoader(data, 64):
                loss = criterion(self.layer(x + noise), y)
                loss.backward()
                optimizer.step()


def fit(data, runs, device):
    for i in range(runs):
        Net().cuda().train(data, device)
# --- case: types that stay on the device
class Conditional(nn.Module):
    def forward(self, y):
        y = y.unsqueeze(0)
        return y.type(torch.long) + y.type(torch.cuda.LongTensor) + y.type(torch.int64)


Conditional().cuda()
# --- whole: a type of the host, of what is made there
import torch

model.cuda()
for x, y in loader:
    labels = torch.from_numpy(y).type(torch.LongTensor)
    loss = criterion(model(x.cuda()), labels)
    loss.backward()
    optimizer.step()
# --- case: the state of one item, before hundreds of runs of a decoder
device = torch.device("cuda")


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(8, 8)

    def forward(self, x, h):
        return self.gru(x, h)

    def begin(self):
        return torch.zeros(2, 1, 8).to(device)  # expect: PP604 low


decoder = Decoder()


def train(words):
    h, loss = decoder.begin(), 0
    for i in range(len(words)):
        y, h = decoder(words[i], h)
        loss += criterion(y, words[i])
    loss.backward()


for words in loader:
    train(words)
# --- whole: a type in a class that nobody uses, and where the program is not on a device
import torch


class Signs(torch.nn.Module):
    def __init__(self):
        super(Signs, self).__init__()

    def forward(self, x):
        x = x.unsqueeze(0)
        return x.lt(0).type(torch.FloatTensor).cuda()  # expect: PP604 low


class Grid(torch.nn.Module):
    def forward(self, x):
        x = x.unsqueeze(0)
        if x.is_cuda:
            return x.lt(0).type(torch.cuda.FloatTensor)
        else:
            return x.lt(0).type(torch.FloatTensor)


# --- file: show.py
from main import Grid

if __name__ == "__main__":
    grid = Grid().cuda()
# --- case: a word that the host needs at each step
model = torch.nn.Linear(4, 9).cuda()
for word in range(1000):
    best = model(x).argmax(1)[0]
    if best == end:
        break
    x = torch.LongTensor([best]).cuda()  # expect: PP604 low
# --- case: a number for each item
model = torch.nn.Linear(4, 9).cuda()
for x, lengths in loader:
    full = x.size(1) * torch.ones([lengths.size(0)]).long().to(x.device)  # expect: PP604 low
    at = torch.arange(x.size(1)).to(x.device)  # expect: PP604 low
    truth = torch.ones(len(lengths)).to(x.device)  # expect: PP604 low
    loss = criterion(model(x.cuda()), full, at, truth)
    loss.backward()
# --- case: as many numbers as there are rounds
class Attention(torch.nn.Module):
    def forward(self, hidden, words):
        n = len(words)
        energies = torch.zeros(n).cuda()  # expect: PP604 low
        return self.score(hidden, words, energies)


attention = Attention().cuda()
# --- case: positions
device = torch.device("cuda")


class Net(nn.Module):
    def forward(self, x):
        h = torch.arange(0, x.size(1)).unsqueeze(0).repeat(2, 1).to(self.device)  # expect: PP604 low
        return self.rnn(x, h)
# --- whole: of the shape of another one
import torch


def one_hot(index, n):
    hot = torch.FloatTensor(index.size() + (n,)).zero_()  # expect: PP604 low
    if index.is_cuda:
        hot = hot.cuda()
    return hot.scatter_(1, index.unsqueeze(-1), 1.0)


for x, y in loader:
    loss = criterion(model(x.cuda()), one_hot(y.cuda(), 10))
    loss.backward()
# --- case: states of a whole batch, before hundreds of runs of a decoder
device = torch.device("cuda")


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(8, 8)

    def forward(self, x, h):
        return self.gru(x, h)

    def begin(self, n):
        return torch.zeros(2, n, 8).to(device)  # expect: PP604 low


decoder = Decoder()


def train(words):
    h, loss = decoder.begin(words.size(1)), 0
    for i in range(len(words)):
        y, h = decoder(words[i], h)
        loss += criterion(y, words[i])
    loss.backward()


for words in loader:
    train(words)
# --- case: the state of one item, with no other run in the step
device = torch.device("cuda")
gru = nn.GRU(8, 8)


def train(words):
    h = torch.zeros(2, 1, 8).to(device)  # expect: PP604 low
    y, h = gru(words, h)
    criterion(y, words).backward()


for words in loader:
    train(words)
# --- case: numbers for each item, and a row that is repeated
model = torch.nn.Linear(4, 9).cuda()
for x, lengths in loader:
    full = torch.ones([lengths.size(0), x.size(1)]).to(x.device)  # expect: PP604 low
    at = torch.arange(x.size(1)).repeat(lengths.size(0), 1).to(x.device)  # expect: PP604 low
    loss = criterion(model(x.cuda()), full, at)
    loss.backward()
# --- whole: one large tensor at each step
import torch

for x, y in loader:
    mask = torch.zeros(64, 512).cuda()  # expect: PP604 low
    criterion(net(x.cuda()) + mask, y).backward()
# --- whole: one number for each item, in a loop of steps within another one
import torch

for i in range(epochs):
    for x, y in loader:
        mask = torch.rand(len(x)).cuda()  # expect: PP604 low
        (criterion(net(x.cuda()), y) * mask).mean().backward()
# --- case: numbers that become tensors under their own name
import pickle

device = torch.device("cuda")


def read(file):
    out = []
    for graph in pickle.load(file):
        x, y = graph
        y = torch.tensor([y]).float()
        out.append((x, y))
    return out


def texts(file):
    out = []
    for y in pickle.load(file):
        y = torch.tensor([y])
        out.append(y)
    return out
# --- case: what is no tensor becomes one
def metric(a, b):
    return torch.exp(-(a - b).norm())


def similarities(samples, device):
    out = []
    for x in samples:
        found = metric(x, samples)
        out.append(found.flatten() if isinstance(found, torch.Tensor) else torch.tensor([found], device=device))
        if isinstance(found, torch.Tensor):
            out.append(found)
        else:
            out.append(torch.tensor([found], device=device))
    return out
# --- case: a mapping by names is no data set
from collections.abc import Mapping


class Weights(Mapping):
    def __getitem__(self, key):
        return self.files[key].to(self.device)

    def __len__(self):
        return len(self.files)


class Cache:
    def __getitem__(self, key: str):
        return self.files[key].to("cuda")

    def __len__(self):
        return len(self.files)
