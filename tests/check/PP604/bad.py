import torch
from torch import nn
# --- case: zeros in forward
device = torch.device("cuda")


class Net(nn.Module):
    def forward(self, x):
        more = torch.zeros(64, 64).cuda()  # expect: PP604
        h = torch.zeros(2, x.size(0), 64).to(x.device)  # expect: PP604
        return self.rnn(x, h)
# --- case: cuda()
device = torch.device("cuda")


class Net(nn.Module):
    def forward(self, x):
        more = torch.zeros(64, 64).cuda()  # expect: PP604
        h = torch.zeros(2, x.size(0), 64).cuda()  # expect: PP604
        return self.rnn(x, h)
# --- case: of another type
device = torch.device("cuda")


class Net(nn.Module):
    def forward(self, x):
        more = torch.zeros(64, 64).cuda()  # expect: PP604
        h = torch.ones(64, 64).float().to(device)  # expect: PP604
        return self.rnn(x, h)
# --- case: in a Variable
device = torch.device("cuda")
from torch.autograd import Variable


class Net(nn.Module):
    def forward(self, x):
        more = torch.zeros(64, 64).cuda()  # expect: PP604
        h = Variable(torch.zeros(64, 64)).cuda()  # expect: PP604
        return self.rnn(x, h)
# --- case: by way of a name
device = torch.device("cuda")
class Net(nn.Module):
    def forward(self, x):
        more = torch.zeros(64, 64).cuda()  # expect: PP604
        h = torch.zeros(64, 64)  # expect: PP604
        h = h.to(device)
        return self.rnn(x, h)
# --- case: noise at each step
device = torch.device("cuda")
for x, y in loader:
    more = torch.zeros(64, 64).cuda()  # expect: PP604
    z = torch.randn(64, 100).to(device)  # expect: PP604
    net(z).mean().backward()
# --- case: labels at each step
device = torch.device("cuda")
for x, y in dataloader:
    more = torch.zeros(64, 64).cuda()  # expect: PP604
    ones = torch.ones(x.size(0), 128).to(device)  # expect: PP604
    loss(net(x), ones).backward()
# --- case: in a function that the loop calls
device = torch.device("cuda")
def penalty(real):
    more = torch.zeros(64, 64).cuda()  # expect: PP604
    a = torch.rand(real.size(0), 128).to(real.device)  # expect: PP604
    return a * real


for x in loader:
    penalty(x).mean().backward()
# --- case: like another
device = torch.device("cuda")


class Net(nn.Module):
    def forward(self, x):
        more = torch.zeros(64, 64).cuda()  # expect: PP604
        h = torch.rand(64, 64).type_as(x)  # expect: PP604
        return self.rnn(x, h)
# --- case: in a while loop
device = torch.device("cuda")
step = 0
while step < 1000:
    more = torch.zeros(64, 64).cuda()  # expect: PP604
    mask = torch.zeros(64, 64).cuda()  # expect: PP604
    net(mask).sum().backward()
    step += 1
# --- case: NumPy draws, besides
device = torch.device("cuda")
import numpy as np

Tensor = torch.cuda.FloatTensor
for x in loader:
    z = Tensor(np.random.normal(0, 1, (64, 100)))
    more = torch.zeros(64, 64).cuda()  # expect: PP604
    y = torch.full((64, 64), 1.0).cuda()  # expect: PP604
    loss(net(z), y).backward()
# --- whole: one number, besides
import torch

for x, y in loader:
    total = torch.zeros(1).cuda()  # expect: PP604 low
    more = torch.zeros(64, 64).cuda()  # expect: PP604
    ones = torch.ones(64, 64).cuda()  # expect: PP604
    criterion(net(x) + total, ones).backward()
# --- whole: in a loop that shows pictures, besides
import torch

for x in loader:
    more = torch.zeros(64, 64).cuda()  # expect: PP604
    criterion(net(x), torch.ones(64, 64).cuda()).backward()  # expect: PP604
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
        more = torch.zeros(64, 64).cuda()  # expect: PP604
        found = torch.Tensor(predicted.size(0), 8732, 4)  # expect: PP604
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
        more = torch.zeros(64, 64).cuda()  # expect: PP604
        h = torch.zeros(2, x.size(0), 64).cuda()  # expect: PP604
        loss = (net(x, h)[0] - y).sum()
        loss.backward()


train(Net().cuda(), loader)
# --- case: by default nobody gives it
class Net(nn.Module):
    def forward(self, x, h=None):
        if h is None:
            more = torch.zeros(64, 64).cuda()  # expect: PP604
            h = torch.zeros(2, x.size(0), 64).to(x.device)  # expect: PP604
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
            more = torch.zeros(64, 64).cuda()  # expect: PP604
            x = x + torch.randn(x.size(0), 128).to(x.device)  # expect: PP604
        return x


net = Net(mask=args.with_mask).cuda()
# --- case: three types in a statement have one finding
class Signs(torch.nn.Module):
    def forward(self, x, y):
        x, y = x.unsqueeze(0), y.unsqueeze(0)
        up = x.lt(0).type(torch.FloatTensor) * (y.ge(0).type(torch.FloatTensor) - y.lt(0).type(torch.FloatTensor))  # expect: PP604
        return up.cuda()


signs = Signs()
# --- whole: branches that no program takes unless it is told to, and those that it takes by default or that nobody knows
import argparse

import torch

parser = argparse.ArgumentParser()
parser.add_argument("--verbose", action="store_true")
parser.add_argument('--keep_order', action='store_false')
parser.add_argument("--noise-rows", default=0, type=int)
parser.add_argument("--rows", default=8, type=int)
parser.add_argument("--extra", default=None)
parser.add_argument("--bare")
parser.add_argument("--label", default="")
parser.add_argument("--name", default="a")
parser.add_argument("-p", "--pick", dest="picked", default=False)
parser.add_argument("--seed", action="append")
parser.add_argument("--rate", default=0.5)
args = parser.parse_args()
device = torch.device("cuda")
AUGMENT = False
MIX = not AUGMENT
FILLED = torch.zeros(8)
loader = torch.utils.data.DataLoader(data)
net = torch.nn.Linear(3, 3).cuda()


class Settings:
    def __init__(self):
        self.debug = False
        self.shift = True
        self.once = 0
        self.once = 1
        self.late, self.other = 0, 1
        self.changed = False


def part(x, sharp=False, soft=True, few=False, none=None, given=None, *rest):
    if args.verbose:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
    if not args.keep_order:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
    if args.noise_rows:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
    if args.extra:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
    if args.bare:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
    if args.label:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
    if args.picked:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
    if AUGMENT:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
    if not MIX:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
    if None:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
    if 0:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
    if "":
        x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
    if sharp:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
    if few:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
    if none:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
    if none is not None:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
    if none != None:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
    if args.extra is not None:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
    if args.verbose and x.ok:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
    if x.ok and args.verbose:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
    if args.verbose or args.extra:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
    if (args.verbose):
        x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
    if not soft:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
    if FILLED is None:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
    if not (args.keep_order and MIX):
        x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
    if args.extra and args.bare:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
    if args.keep_order:
        pass
    else:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
    if MIX:
        pass
    else:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
    if x.ok:
        pass
    elif args.verbose:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
    x = x + (torch.randn(64, 100).to(device) if args.verbose else 0)  # expect: PP604 low
    if args.keep_order:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if not args.verbose:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if args.rows:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if args.name:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if not args.extra:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if not AUGMENT:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if MIX:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if 1:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if "a":
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if soft:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if not few:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if none is None:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if none == None:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if args.extra is None:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if args.keep_order or x.ok:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if x.ok or MIX:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if args.keep_order and MIX:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if FILLED is not None:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if args.rate:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if args.seed:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if args.other:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if x.ok:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if x.ok and y.ok:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if x.ok or args.verbose:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if given:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if given is None:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if rest:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if x > 3:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if 3 > x > 1:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if args.keep_order and x.ok:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if x.ok is None:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if len(x):
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if not x.ok:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if not len(x):
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if sharp == 0:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if args.verbose:
        pass
    else:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if x.ok:
        pass
    else:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    if x.ok:
        pass
    elif args.rows:
        x = x + torch.randn(64, 100).to(device)  # expect: PP604
    x = x + (torch.randn(64, 100).to(device) if args.rows else 0)  # expect: PP604
    return x


class Trainer:
    def __init__(self, turn=False):
        self.show = False
        self.mix = True
        self.turn = turn
        self.bound = False

    def step(self, x):
        if self.show:
            x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
        if not self.mix:
            x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
        if self.turn:
            x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
        if not not self.show:
            x = x + torch.randn(64, 100).to(device)  # expect: PP604 low
        if self.mix:
            x = x + torch.randn(64, 100).to(device)  # expect: PP604
        if not self.show:
            x = x + torch.randn(64, 100).to(device)  # expect: PP604
        if self.bound:
            x = x + torch.randn(64, 100).to(device)  # expect: PP604
        if self.missing:
            x = x + torch.randn(64, 100).to(device)  # expect: PP604
        if not self.turn:
            x = x + torch.randn(64, 100).to(device)  # expect: PP604
        return x


trainer = Trainer()
trainer.bound = True
for x, y in loader:
    net(part(x, few=False, given=args.name)).mean().backward()
    part(x, few=False, given=y)
    trainer.step(x)
# --- whole: tensors of all kinds in forward()
import numpy as np
import torch
from torch import nn
from torch.autograd import Variable
from library import helper

DEV = torch.device("cuda")
FLOAT = torch.FloatTensor
gpu = "cuda:0"


class Net(nn.Module):
    def __init__(self, rank):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.table = torch.zeros(64, 64)
        self.register_buffer("mask", torch.zeros(64, 64))

    def forward(self, x, y, n, rank, sizes):
        x = self.fc(x)
        a0 = torch.zeros(2, x.size(0), 8).to(x.device)  # expect: PP604 low
        a1 = torch.zeros(2, 8, device=x.device)
        a2 = torch.zeros(2, 8)
        a3 = torch.zeros(1).to(x.device)  # expect: PP604 low
        a4 = torch.zeros(0, 8).to(x.device)  # expect: PP604 low
        a5 = torch.zeros(4).cuda()  # expect: PP604 low
        a6 = torch.zeros(64, 64).cuda(0)  # expect: PP604
        a7 = torch.zeros(64, 64).cuda(non_blocking=True)  # expect: PP604
        a8 = torch.zeros(64, 64).to("cuda")  # expect: PP604
        a9 = torch.zeros(64, 64).to("cpu")
        a10 = torch.zeros(64, 64).to(torch.float16)
        a11 = torch.zeros(64, 64).to(x)
        a12 = torch.zeros(64, 64).to(DEV)  # expect: PP604
        a13 = torch.zeros(64, 64).to(gpu)  # expect: PP604
        a14 = torch.zeros(64, 64).to(rank)  # expect: PP604
        a15 = torch.zeros(64, 64).to()
        a16 = torch.zeros(64, 64).type_as(x)  # expect: PP604
        a17 = torch.zeros_like(x).cuda()
        a18 = torch.zeros(x.shape).cuda()  # expect: PP604 low
        a19 = torch.zeros(x.size()).cuda()  # expect: PP604 low
        a20 = torch.zeros(*sizes).cuda()  # expect: PP604 low
        a21 = torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0]).cuda()
        a22 = torch.tensor(x.tolist()).cuda()
        a23 = torch.tensor([x.item()]).cuda()
        a24 = torch.tensor([n]).cuda()
        a25 = torch.tensor(n).cuda()
        a26 = torch.tensor([[float(x.sum())]]).cuda()
        a27 = torch.from_numpy(np.random.rand(64, 64)).cuda()
        a28 = torch.Tensor(np.random.rand(64, 64)).cuda()
        a29 = torch.FloatTensor(64, 64).cuda()  # expect: PP604
        a30 = torch.FloatTensor(x.size(0), 64).fill_(0).cuda()  # expect: PP604 low
        a31 = torch.cuda.FloatTensor(64, 64)
        a32 = torch.LongTensor([1, 2, 3]).cuda()
        a33 = torch.arange(x.size(1)).cuda()  # expect: PP604 low
        a34 = torch.arange(x.size(1)).unsqueeze(0).expand(2, -1).cuda()  # expect: PP604 low
        a35 = torch.arange(10).cuda()  # expect: PP604 low
        a36 = torch.eye(64).cuda()  # expect: PP604 low
        a37 = torch.eye(n).to(device=x.device)  # expect: PP604 low
        a38 = torch.linspace(0, 1, 64).cuda()  # expect: PP604 low
        a39 = torch.rand(64, 64).cuda()  # expect: PP604
        a42 = torch.randn(64, 64, dtype=torch.half).cuda()  # expect: PP604
        a43 = torch.randn(64, 64).half().cuda()  # expect: PP604
        a44 = torch.randn(64, 64).requires_grad_().cuda()  # expect: PP604
        a45 = torch.randn(64, 64).to(x.device, torch.half)  # expect: PP604
        a46 = torch.randn(64, 64).to(dtype=torch.half)
        a47 = torch.randperm(64).cuda()  # expect: PP604 low
        a48 = torch.ones(64, 64).mul(2).cuda()  # expect: PP604
        a49 = (torch.ones(64, 64) * 2).cuda()
        a50 = torch.cat([torch.ones(64, 64), torch.ones(64, 64)]).cuda()
        a51 = torch.load("a").cuda()
        a52 = helper(x).cuda()
        a53 = self.table.cuda()
        a54 = self.mask.to(x.device)
        a55 = x.cpu().cuda()
        a56 = x.cpu().numpy()
        a57 = torch.tensor(x.cpu().numpy()).cuda()  # expect: PP604
        a58 = torch.from_numpy(x.cpu().numpy()).cuda()  # expect: PP604
        a59 = x.detach().cpu().topk(3)[0].cuda()
        a60 = torch.device("cuda")
        a61 = x.new_zeros(64, 64)
        a62 = x.new(64, 64).zero_()
        a63 = torch.zeros(64, 64).numpy()
        a64 = x.type(torch.FloatTensor)  # expect: PP604
        a65 = x.type(torch.cuda.FloatTensor)
        a66 = x.type("torch.FloatTensor")
        a67 = x.type(FLOAT)  # expect: PP604
        a68 = Variable(torch.zeros(64, 64)).cuda()  # expect: PP604
        a69 = Variable(torch.zeros(64, 64).cuda())  # expect: PP604
        a70 = nn.Parameter(torch.zeros(64, 64)).cuda()
        a71 = torch.normal(0.0, 1.0, (64, 64)).cuda()  # expect: PP604
        a72 = torch.normal(x, y).cuda()
        a73 = torch.full((64, 64), 3.0).cuda()  # expect: PP604
        a74 = torch.multinomial(x, 3).cuda()
        return x


net = Net(0).cuda()
for x, y in loader:
    net(x, y, 3, 0, [3, 4]).mean().backward()
# --- whole: one for each of many ranks
import torch

for x, y in loader:
    parts = [torch.zeros(64, 8).cuda() for _ in range(world)]  # expect: PP604
    gather(parts, net(x.cuda()))
    criterion(torch.cat(parts), y).backward()
