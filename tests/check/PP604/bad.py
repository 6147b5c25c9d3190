import torch
from torch import nn
# --- case: zeros in forward
device = torch.device("cuda")


class Net(nn.Module):
    def forward(self, x):
        h = torch.zeros(2, x.size(0), 8).to(x.device)  # expect: PP604
        return self.rnn(x, h)
# --- case: cuda()
device = torch.device("cuda")


class Net(nn.Module):
    def forward(self, x):
        h = torch.zeros(2, x.size(0), 8).cuda()  # expect: PP604
        return self.rnn(x, h)
# --- case: of another type
device = torch.device("cuda")


class Net(nn.Module):
    def forward(self, x):
        h = torch.ones(2, 8).float().to(device)  # expect: PP604
        return self.rnn(x, h)
# --- case: positions
device = torch.device("cuda")


class Net(nn.Module):
    def forward(self, x):
        h = torch.arange(0, x.size(1)).unsqueeze(0).repeat(2, 1).to(self.device)  # expect: PP604
        return self.rnn(x, h)
# --- case: in a Variable
device = torch.device("cuda")
from torch.autograd import Variable


class Net(nn.Module):
    def forward(self, x):
        h = Variable(torch.zeros(2, 8)).cuda()  # expect: PP604
        return self.rnn(x, h)
# --- case: by way of a name
device = torch.device("cuda")
class Net(nn.Module):
    def forward(self, x):
        h = torch.zeros(2, 8)  # expect: PP604
        h = h.to(device)
        return self.rnn(x, h)
# --- case: noise at each step
device = torch.device("cuda")
for x, y in loader:
    z = torch.randn(64, 100).to(device)  # expect: PP604
    net(z).mean().backward()
# --- case: labels at each step
device = torch.device("cuda")
for x, y in dataloader:
    ones = torch.ones(x.size(0), 1).to(device)  # expect: PP604
    loss(net(x), ones).backward()
# --- case: in a function that the loop calls
device = torch.device("cuda")
def penalty(real):
    a = torch.rand(real.size(0), 1).to(real.device)  # expect: PP604
    return a * real


for x in loader:
    penalty(x).mean().backward()
# --- case: like another
device = torch.device("cuda")


class Net(nn.Module):
    def forward(self, x):
        h = torch.rand(3, 8).type_as(x)  # expect: PP604
        return self.rnn(x, h)
# --- case: in a while loop
device = torch.device("cuda")
step = 0
while step < 1000:
    mask = torch.eye(8).cuda()  # expect: PP604
    net(mask).sum().backward()
    step += 1
# --- case: NumPy draws, besides
device = torch.device("cuda")
import numpy as np

Tensor = torch.cuda.FloatTensor
for x in loader:
    z = Tensor(np.random.normal(0, 1, (64, 100)))  # expect: PP604 low
    y = torch.full((64, 1), 1.0).cuda()  # expect: PP604
    loss(net(z), y).backward()
# --- whole: one number, besides
import torch

for x, y in loader:
    total = torch.zeros(1).cuda()  # expect: PP604 low
    ones = torch.ones(64, 1).cuda()  # expect: PP604
    criterion(net(x) + total, ones).backward()
# --- whole: in a loop that shows pictures, besides
import torch

for x in loader:
    criterion(net(x), torch.ones(64, 1).cuda()).backward()  # expect: PP604
for i in range(100):
    show(net(torch.randn(1, 64).cuda()))  # expect: PP604 low
# --- whole: a word goes to the host and back
import torch


def decode(decoder, word, hidden, length):
    words = []
    for i in range(length):
        out, hidden = decoder(word.cuda(), hidden)
        best = out.topk(1)[1][0][0]
        word = torch.LongTensor([[best]])  # expect: PP604
        words.append(best)
    return words
# --- whole: the same by item()
import torch

device = torch.device("cuda")
for i in range(length):
    out = model(word)
    best = out.argmax(1).item()
    word = torch.tensor([best]).to(device)  # expect: PP604
# --- whole: a shape is given to a class of tensors
import torch


class Loss(torch.nn.Module):
    def forward(self, predicted, truths):
        found = torch.Tensor(predicted.size(0), 4)  # expect: PP604
        match(predicted, truths, found)
        found = found.cuda()
        return (predicted - found).abs().sum()
# --- whole: each item by itself
import torch


class Items(torch.utils.data.Dataset):
    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        x = torch.tensor(self.rows[i]).cuda()  # expect: PP604
        y = torch.tensor(self.labels[i]).cuda()
        return x, y
# --- whole: of the shape of another one
import torch


def one_hot(index, n):
    hot = torch.FloatTensor(index.size() + (n,)).zero_()  # expect: PP604
    if index.is_cuda:
        hot = hot.cuda()
    return hot.scatter_(1, index.unsqueeze(-1), 1.0)


for x, y in loader:
    loss = criterion(model(x.cuda()), one_hot(y.cuda(), 10))
    loss.backward()
# --- whole: flipped on the host
import torch


def flip(x):
    mirrored = x.detach().cpu().numpy()[..., ::-1].copy()
    return torch.from_numpy(mirrored).to(x.device)  # expect: PP604


for images in loader:
    show(model(flip(images.cuda())))
# --- whole: flipped on the host in the loop, with a cast
import numpy as np
import torch

device = torch.device("cuda")
for images in loader:
    images = images.to(device)
    turned = np.flip(images.data.cpu().numpy(), 3)
    turned = np.ascontiguousarray(turned)
    show(model(images), model(torch.from_numpy(turned).float().to(device)))  # expect: PP604
# --- whole: each text of a batch by itself
import torch
from torch.utils.data import DataLoader

device = torch.device("cuda")


def collate(batch):
    texts = []
    for text in batch:
        texts.append(torch.tensor(text, device=device))  # expect: PP604
    return torch.nn.utils.rnn.pad_sequence(texts)


loader = DataLoader(data, batch_size=32, collate_fn=collate)
# --- whole: each text of a batch, in a function that another one calls with more
import torch
from torch.utils.data import DataLoader


def make_batch(batch, device):
    texts = []
    for text in batch:
        texts.append(torch.tensor(text).to(device))  # expect: PP604
    return torch.nn.utils.rnn.pad_sequence(texts)


def loaders(data):
    def collate(batch):
        return make_batch(batch, torch.device("cuda"))

    return DataLoader(data, batch_size=32, collate_fn=collate)
# --- case: a type of the host, in a forward()
class Conditional(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.embed = nn.Embedding(classes, 8)

    def forward(self, y):
        y = y.unsqueeze(0)
        return self.embed(y.type(torch.LongTensor).to(self.embed.weight.device))  # expect: PP604


Conditional(10).cuda()
# --- case: callers that are seen always give it
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(3, 4)

    def forward(self, x, h=None):
        if h is None:
            h = torch.zeros(2, x.size(0), 4).to(x.device)  # expect: PP604 low
        return self.rnn(x, h)


def train(net, loader):
    for x, y in loader:
        h = torch.zeros(2, x.size(0), 4).cuda()  # expect: PP604
        loss = (net(x, h)[0] - y).sum()
        loss.backward()


train(Net().cuda(), loader)
# --- case: by default nobody gives it
class Net(nn.Module):
    def forward(self, x, h=None):
        if h is None:
            h = torch.zeros(2, x.size(0), 4).to(x.device)  # expect: PP604
        return self.rnn(x, h)


print(Net().cuda()(x))
# --- case: options of the command line
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--with-mask", action="store_true")
parser.add_argument("--no-noise", dest="noise", default=True)
parser.add_argument("--noise", default=True)
args = parser.parse_args()


class Net(nn.Module):
    def __init__(self, mask=False):
        super().__init__()
        self.mask = mask

    def forward(self, x):
        if args.with_mask:
            x = x * torch.ones(x.size(0), 4).to(x.device)  # expect: PP604 low
        if self.mask and args.noise:
            x = x * torch.ones(x.size(0), 4).to(x.device)  # expect: PP604 low
        elif args.noise:
            x = x + torch.randn(x.size(0), 4).to(x.device)  # expect: PP604
        return x


net = Net(mask=args.with_mask).cuda()
# --- case: three types in a statement have one finding
class Signs(torch.nn.Module):
    def forward(self, x, y):
        x, y = x.unsqueeze(0), y.unsqueeze(0)
        up = x.lt(0).type(torch.FloatTensor) * (y.ge(0).type(torch.FloatTensor) - y.lt(0).type(torch.FloatTensor))  # expect: PP604
        return up.cuda()
