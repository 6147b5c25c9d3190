import torch
# --- case: an evaluation that sets eval() and forgets no_grad
def validate(model, loader, criterion):
    model.eval()
    total = 0.0
    for x, y in loader:
        out = model(x)  # expect: PP601
        total += criterion(out, y).item()
    return total / len(loader)
# --- case: a graph that is detached at once
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Conv2d(4, 2, 1)

    def forward(self, x):
        return self.fc(x)


teacher, student = Net(), Net()
for x, y in loader:
    target = teacher(x).detach()  # expect: PP601
    loss = ((student(x) - target) ** 2).mean()
    loss.backward()
# --- case: detached by way of a name
import torchvision

features = torchvision.models.vgg19(pretrained=True).features
for real, fake in loader:
    wanted = features(real)  # expect: PP601
    loss = criterion(generator(fake), wanted.detach())
    loss.backward()
# --- case: volatile, which has no effect any more
from torch.autograd import Variable
from darknet import Darknet

model = Darknet("cfg/yolov3.cfg")
model.eval()
while capture.isOpened():
    frame = prepare(capture.read())
    output = model(Variable(frame, volatile=True))  # expect: PP601
    show(output)
# --- file: darknet.py
import torch.nn as nn


class Darknet(nn.Module):
    def __init__(self, path):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(3, 8, 3))

    def forward(self, x):
        return self.layers(x)
# --- case: only the argmax
class Trainer:
    def __init__(self, model, loader):
        self.model, self.loader = model, loader

    def predict(self):
        found = []
        for x in self.loader:
            found.append(self.model(x).argmax(dim=1).tolist())  # expect: PP601
        return found
# --- case: the index of the largest, as it was written once
def test(net, loader):
    net.eval()
    hits = 0
    for x, y in loader:
        out = net(x)  # expect: PP601
        _, predicted = torch.max(out, 1)
        hits += (predicted == y).sum().item()
    print(hits)
# --- case: on several devices
from torch import nn

model = nn.DataParallel(nn.Sequential(nn.Linear(4, 4), nn.ReLU())).cuda()
model.eval()


def evaluate(batches):
    model.eval()
    for x in batches:
        scores = model(x)  # expect: PP601
        print(scores.mean().item())
# --- case: a name that is bound again
from torch import nn

net = nn.Linear(4, 4)
for x in loader:
    out = net(x)  # expect: PP601
    out = out.cpu()
    write(out.detach().numpy())
# --- case: once, at the top of a program
model = torch.load("model.pt")
model.eval()
out = model(image)  # expect: PP601 low
for other in images:
    show(model(other).argmax(1))  # expect: PP601
# --- case: a comparison alone
def accuracy(model, loader):
    n = 0
    for x, y in loader:
        n += int(((model(x) > 0.5) == y).sum())  # expect: PP601
    return n
# --- case: the target network of a game that is seen
import torch.nn.functional as F

eye = torch.nn.Conv2d(4, 32, 8)


class Agent:
    def __init__(self, net, target_net):
        self.net, self.target_net = net, target_net

    def learn(self, batches):
        for s, a, r, s2 in batches:
            q = self.net(s).gather(1, a)
            q2 = self.target_net(s2).detach()  # expect: PP601
            F.mse_loss(q, r + 0.99 * q2.max(1)[0]).backward()
            self.optimizer.step()
# --- case: no_grad around another call
def evaluate(model, loader):
    with torch.no_grad():
        prepare(loader)
    model.eval()
    for x in loader:
        show(model(x))  # expect: PP601
# --- case: eval() was called elsewhere
def evaluate(encoder, loader):
    scores = []
    for image, label in loader:
        out = encoder(image)  # expect: PP601
        scores.append(compare(out, label))
    return sum(scores)


print(evaluate(encoder, loader))
# --- case: text is generated word by word
def generate(decoder, hidden, word, length):
    words = []
    for _ in range(length):
        out, hidden = decoder(word, hidden)  # expect: PP601
        word = out.argmax(1)
        words.append(word.item())
    print(words)
# --- case: a trainer's method generates
class Trainer:
    def test(self, text, length):
        self.model.eval()
        word = torch.LongTensor(text)[None]
        _, state = self.model(word)  # expect: PP601
        for i in range(length):
            out, state = self.model(word, state)
            word = out.data.topk(1)[1]
        print(word)
# --- case: a validation beside the training
def train(net, train_data, held_out, optimizer, criterion):
    for epoch in range(10):
        net.train()
        for x, y in train_data:
            loss = criterion(net(x), y)
            loss.backward()
            optimizer.step()
        net.eval()
        total = 0
        for x, y in held_out:
            loss = criterion(net(x), y)  # expect: PP601
            total += loss.item()
# --- case: features of a loader are given
def extract(net, loader):
    net.eval()
    features = []
    for x, _ in loader:
        features.append(net(x))  # expect: PP601
    return torch.cat(features)
# --- case: a module's method that is called without no_grad
from torch import nn


class Captioner(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(10, 10)

    def generate(self, x, states, length):
        words = []
        for i in range(length):
            hidden, states = self.lstm(x, states)  # expect: PP601
            x = hidden.argmax(2)
            words.append(x)
        return words


captioner = Captioner()
for images in loader:
    print(captioner.generate(images, None, 20))
# --- case: a module of any name, which eval() shows, over images that are counted
detector = make(arguments)
detector.eval()
for i in range(num_images):
    boxes, scores = detector(images[i])  # expect: PP601
    keep(boxes.data, scores.data)
# --- case: code outside the project builds the module
from zoo import build


def predict(args, loader):
    model = build(args)
    model.load_state_dict(torch.load(args.weights))
    model.eval()
    found = []
    for images in loader:
        found += model(images.cuda()).argmax(1).tolist()  # expect: PP601
    return found
# --- case: a module that generates by itself, set to evaluate
class Writer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Conv1d(8, 8, 1)

    def forward(self, x):
        return self.layer(x)

    def generate(self, x, n):
        self.eval()
        for _ in range(n):
            x = torch.cat([x, self(x).argmax(-1)[:, -1:]], 1)  # expect: PP601
        return x

    def predict(self, loader):
        self.eval()
        found = []
        for x in loader:
            found.append(self.forward(x.cuda()))  # expect: PP601
        return torch.cat(found)
# --- case: an epoch that trains or evaluates, as it is told
def run_epoch(model, loader, criterion, optimizer=None, phase="train"):
    total = 0.0
    for x, y in loader:
        loss = criterion(model(x), y)
        if phase == "train":
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        total += float(loss)
    return total


def main(model, train_loader, val_loader, criterion, optimizer):
    for epoch in range(100):
        run_epoch(model, train_loader, criterion, optimizer)
        model.eval()
        run_epoch(model, val_loader, criterion, phase="val")  # expect: PP601
        model.train()
# --- case: told by a truth value, in a method
class Trainer:
    def epoch(self, loader, train):
        for x, y in loader:
            out = self.model(x)
            loss = self.criterion(out, y)
            if train:
                loss.backward()
                self.optimizer.step()

    def fit(self, loaders):
        for epoch in range(100):
            self.epoch(loaders[0], True)
            self.epoch(loaders[1], False)  # expect: PP601
# --- case: told by a missing optimizer
def epoch(model, loader, optimizer=None):
    for x, y in loader:
        loss = model(x).sub(y).abs().mean()
        if optimizer is not None:
            loss.backward()
            optimizer.step()


def fit(model, train, val, optimizer):
    for n in range(100):
        epoch(model, train, optimizer)
        epoch(model, val)  # expect: PP601
# --- case: a loop over phases
def fit(model, loaders, criterion, optimizer):
    for epoch in range(100):
        for phase in ["train", "val"]:
            for x, y in loaders[phase]:
                loss = criterion(model(x), y)  # expect: PP601
                if phase == "train":
                    loss.backward()
                    optimizer.step()
# --- case: a step that a loop over phases tells
def step(phase, model, optimizer, criterion, x, y):
    train = phase == "train_no_dev"
    loss = criterion(model(x), y)  # expect: PP601
    if train:
        loss.backward()
        optimizer.step()
    return loss.item()


def fit(model, loaders, criterion, optimizer):
    while True:
        for phase, loader in loaders.items():
            for x, y in loader:
                step(phase, model, optimizer, criterion, x, y)
# --- case: methods of the project's own module
from torch import nn


class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.encoder = nn.LSTM(width, width)
        self.decoder = nn.Linear(width, 100)

    def encode(self, x):
        return self.encoder(x)

    def decode(self, memory, words):
        return self.decoder(memory + words)


def greedy(model, x):
    words = torch.zeros(1, 1)
    for i in range(60):
        best = model.decode(x, words).argmax(1)  # expect: PP601
        words = torch.cat([words, best.unsqueeze(0)], 1)
    return words


def main(loader):
    model = Model(64)
    for x in loader:
        print(greedy(model, x))
# --- case: a module whose constructor is given what has weights
from torch import nn


class Model(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder

    def forward(self, x):
        return self.encoder(x)


def evaluate(loader):
    model = Model(nn.Linear(4, 2))
    model.eval()
    for x, y in loader:
        print((model(x).argmax(1) == y).sum())  # expect: PP601
# --- case: in each step, for the discriminator
for x in loader:
    fake = netG(noise(x))  # expect: PP601
    loss = criterion(netD(fake.clone().detach()), netD(x))
    loss.backward()
    fake = netG(noise(x))
    loss = criterion(netD(fake))
    loss.backward()
    optimizer.step()
# --- case: a list of results, joined and without a graph
def features(model, items, many):
    out = []
    for item in items:
        out.append(model(item))  # expect: PP601
    return torch.cat(out, 0).detach().cpu().numpy()
# --- case: a comprehension of results, joined and without a graph
def features(model, items):
    return torch.cat([model(item) for item in items], 0).data.cpu().numpy()  # expect: PP601
# --- case: a result that all callers need without its graph
def features(model, x):
    y = model(x)  # expect: PP601
    return y


for x in loader:
    write(features(net, x).detach().cpu().numpy())
# --- case: methods of a module that an object was given
class Embedding(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.table = torch.nn.Embedding(n, 100)

    def candidates(self, x):
        return self.table(x)


class Evaluator:
    def __init__(self, model):
        self.model = model

    def evaluate(self, loader):
        for i, x in enumerate(loader):
            self.ranks[i] = (self.model.candidates(x) > self.limit).sum(1)  # expect: PP601
# --- case: a function that evaluations call
class Evaluator:
    def __init__(self, model):
        self.model = model

    def scores(self, loader):
        out = []
        for x in loader:
            out.append(self.model(x))  # expect: PP601
        return torch.cat(out)

    def accuracy(self, loader):
        return compare(self.scores(loader))
# --- case: letters, one after the other, with a state that goes on
def write(net, start, n):
    out, state = [start], None
    for _ in range(n):
        y, state = net(torch.tensor([[out[-1]]]), state)  # expect: PP601
        chances = torch.softmax(y[0, -1], 0)
        out.append(torch.multinomial(chances, 1).item())
    return out


for title in titles:
    show(write(net, title, 1000))
# --- case: words one after the other, from an empty start
import torch.nn as nn


class Speaker(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.embed = nn.Embedding(n, 64)
        self.rnn = nn.LSTM(64, 64)
        self.out = nn.Linear(64, n)

    def forward(self, x, state):
        y, state = self.rnn(self.embed(x), state)
        return self.out(y), state


def generate(model, n):
    state = (torch.zeros(1, 1, 64), torch.zeros(1, 1, 64))
    word = torch.zeros(1, 1).long()
    words = []
    for _ in range(n):
        y, state = model(word, state)  # expect: PP601
        word.fill_(y.squeeze().argmax())
        words.append(word.item())
    return words


speaker = Speaker(100)
for title in titles:
    print(title, generate(speaker, 500))
# --- case: a generator for the step of its critic, detached at once
from torch import nn


class CriticLoss(nn.Module):
    def step(self, generator: nn.Module, critic: nn.Module, optimizer, noise, real):
        generator = nn.Sequential(nn.Linear(8, 8))
        fake = generator(noise)  # expect: PP601
        loss = critic(fake.detach()).mean() - critic(real).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
# --- case: a model of what another model gave, detached
from torch import nn

critic, target_actor, target_critic = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 4)


def update(states, rewards, optimizer):
    wanted = rewards + 0.99 * target_critic(target_actor(states)).detach()  # expect: PP601
    loss = (critic(states) - wanted).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


for states, rewards in batches:
    update(states, rewards, torch.optim.SGD(critic.parameters(), lr=0.1))
# --- case: inference_mode() that is switched off
def evaluate(net, loader):
    net.eval()
    for x in loader:
        print(net(x).argmax(1))  # expect: PP601


def main():
    with torch.inference_mode(False):
        evaluate(net, loader)
# --- case: given by name, here and there
def evaluate(net, loader):
    net.eval()
    for x in loader:
        print(net(x).argmax(1))  # expect: PP601


def main():
    with torch.no_grad():
        run(evaluate, net)
    run(evaluate, net, loader)
# --- case: a method of a module that runs itself, and a name that is bound again in its branch
from torch import nn


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Conv2d(4, 2, 1)

    def forward(self, x):
        return torch.relu(self.fc(x))

    def choose(self, x):
        out = self(x)
        return out, out.mean()


actor = Actor()
for step in range(total):
    if step < 100:
        action = draw()
    else:
        action, _ = actor.choose(torch.Tensor(seen).cuda())  # expect: PP601
        action = action.detach().cpu().numpy()
    seen, reward, done, _ = envs.step(action)
    if step > 100:
        _, value = actor.choose(states(step))
        value.backward()
# --- whole: a program that tests a model is no test
x = 1
# --- file: test_net.py
import argparse
import torch

parser = argparse.ArgumentParser()
args = parser.parse_args()
net = torch.nn.Linear(4, 2)
net.eval()
for i in range(len(images)):
    scores = net(images[i]).data  # expect: PP601
# --- whole: evaluations of many kinds
import contextlib
import functools
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader
from tqdm import tqdm
from library import build_model, no_gradients

device = torch.device("cuda")


class Net(nn.Module):
    def __init__(self, part=None):
        super().__init__()
        self.fc = nn.Conv2d(4, 2, 1)
        self.part = part
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x):
        return self.fc(x) * self.scale


class Plain(nn.Module):
    def forward(self, x):
        return x * 2


net = Net()
plain = Plain()
relu = nn.ReLU()
criterion = nn.CrossEntropyLoss()
wrapped = nn.DataParallel(net)
made = build_model()
optimizer = torch.optim.Adam(net.parameters())
loader = DataLoader(data, 32)
for x, y in loader:
    optimizer.zero_grad()
    criterion(net(x), y).backward()
    optimizer.step()


def run0(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in loader:
        total += (net(x).argmax(1) == y).sum().item()  # expect: PP601
    return total, losses, results


def evaluate1(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for i, (x, y) in enumerate(loader):
        total += (net(x).argmax(1) == y).sum().item()  # expect: PP601
    return total, losses, results


def evaluate2(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in tqdm(loader, desc="test"):
        total += (net(x).argmax(1) == y).sum().item()  # expect: PP601
    return total, losses, results


def evaluate3(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in iter(loader):
        total += (net(x).argmax(1) == y).sum().item()  # expect: PP601
    return total, losses, results


def evaluate4(x, y, paths, training, total=0, losses=[], results=[]):
    net.train(False)
    for x, y in loader:
        total += (net(x).argmax(1) == y).sum().item()  # expect: PP601
    return total, losses, results


def run5(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in loader:
        total += criterion(net(x), y).item()  # expect: PP601
    return total, losses, results


def evaluate6(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in loader:
        out = net(x)  # expect: PP601
        total += out.max(1)[1].eq(y).sum().item()
    return total, losses, results


def evaluate7(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in loader:
        out = net.forward(x)  # expect: PP601
        total += out.argmax(1).eq(y).sum().item()
    return total, losses, results


def evaluate8(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in loader:
        out = wrapped.module(x)  # expect: PP601
        total += out.argmax(1).eq(y).sum().item()
    return total, losses, results


def evaluate9(x, y, paths, training, total=0, losses=[], results=[]):
    wrapped.eval()
    for x, y in loader:
        total += wrapped(x).argmax(1).eq(y).sum().item()  # expect: PP601
    return total, losses, results


def run10(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in loader:
        out = plain(x)
        total += out.argmax(1).eq(y).sum().item()
    return total, losses, results


def evaluate12(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in loader:
        out = relu(x)
        total += out.argmax(1).eq(y).sum().item()
    return total, losses, results


def evaluate13(x, y, paths, training, total=0, losses=[], results=[]):
    made.eval()
    for x, y in loader:
        out = made(x)  # expect: PP601
        total += out.argmax(1).eq(y).sum().item()
    return total, losses, results


@torch.no_grad()
def evaluate14(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in loader:
        total += net(x).argmax(1).eq(y).sum().item()
    return total, losses, results


@torch.inference_mode()
def run15(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in loader:
        total += net(x).argmax(1).eq(y).sum().item()
    return total, losses, results


@no_gradients
def evaluate16(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in loader:
        total += net(x).argmax(1).eq(y).sum().item()
    return total, losses, results


def run20(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    context = torch.no_grad()
    for x, y in loader:
        with context:
            total += net(x).argmax(1).eq(y).sum().item()
    return total, losses, results


def evaluate21(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in loader:
        with torch.no_grad(), torch.cuda.amp.autocast():
            total += net(x).argmax(1).eq(y).sum().item()
    return total, losses, results


def run25(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in loader:
        with contextlib.ExitStack() as stack:
            stack.enter_context(torch.no_grad())
            total += net(x).argmax(1).eq(y).sum().item()
    return total, losses, results


def evaluate26(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in loader:
        loss = criterion(net(x), y)  # expect: PP601
        losses.append(loss)
    return total, losses, results


def evaluate27(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in loader:
        return net(x)  # expect: PP601
    return total, losses, results


def evaluate28(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in loader:
        out = net(x)
        grads = torch.autograd.grad(out.sum(), x)
    return total, losses, results


def evaluate29(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in loader:
        x.requires_grad = True
        out = net(x)
        out.sum().backward()
    return total, losses, results


def run30(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in loader:
        out = net(x).detach()  # expect: PP601
        total += out.sum()
    return total, losses, results


def evaluate31(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in loader:
        out = net(x).data  # expect: PP601
        total += out.sum()
    return total, losses, results


def evaluate32(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in loader:
        out = net(x).detach().cpu().numpy()  # expect: PP601
        results.extend(out)
    return total, losses, results


def evaluate33(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in loader:
        out = F.softmax(net(x), 1)  # expect: PP601
        _, found = torch.max(out, 1)
        total += (found == y).sum().item()
    return total, losses, results


def evaluate34(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in loader:
        out, _ = net(x), 3  # expect: PP601
        total += out.argmax(1).eq(y).sum().item()
    return total, losses, results


def run35(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in loader:
        outs = [net(x) for _ in range(3)]  # expect: PP601
        total += outs[0].argmax(1).eq(y).sum().item()
    return total, losses, results


def evaluate36(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in loader:
        if x.sum() > 3:
            total += net(x).argmax(1).eq(y).sum().item()  # expect: PP601
    return total, losses, results


def evaluate37(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    while True:
        total += net(x).argmax(1).eq(y).sum().item()  # expect: PP601
    return total, losses, results


def evaluate38(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for _ in range(3):
        total += net(x).argmax(1).eq(y).sum().item()  # expect: PP601
    return total, losses, results


def evaluate39(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for path in paths:
        total += net(load(path)).argmax(1).eq(y).sum().item()  # expect: PP601
    return total, losses, results


def run40(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in loader:
        show(net(x))  # expect: PP601
    return total, losses, results


def evaluate41(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in loader:
        out = net(x)  # expect: PP601
        print(out.shape)
    return total, losses, results


def evaluate42(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in loader:
        out = net(x)  # expect: PP601
        if out[0] > 3:
            total += 1
    return total, losses, results


def evaluate43(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in loader:
        out = net(x)  # expect: PP601
        total += out > 0.5
    return total, losses, results


def evaluate44(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in loader:
        out = net(x)  # expect: PP601
        print(f"{out.mean()}")
    return total, losses, results


def run45(x, y, paths, training, total=0, losses=[], results=[]):
    net.eval()
    for x, y in loader:
        out = net(x)
        net.train()
        criterion(net(x), y).backward()
        net.eval()
    return total, losses, results


def evaluate46(x, y, paths, training, total=0, losses=[], results=[]):
    pass
    for x, y in loader:
        total += net(x).argmax(1).eq(y).sum().item()  # expect: PP601
    return total, losses, results
# --- case: all batches of a test, now and then
net = torch.nn.Linear(8, 2)
for step, (x, y) in enumerate(loader):
    criterion(net(x), y).backward()
    if step % 500 == 0:
        right = 0
        for x, y in test_loader:
            right += (net(x).argmax(1) == y).sum().item()  # expect: PP601
# --- case: a function that goes through all batches, called now and then
net = torch.nn.Linear(8, 2)


def accuracy(right=0):
    for x, y in test_loader:
        right += (net(x).argmax(1) == y).sum().item()  # expect: PP601
    return right


for step, (x, y) in enumerate(loader):
    criterion(net(x), y).backward()
    if step % 500 == 0:
        print(accuracy())
# --- case: a state that each step of a game asks for, whatever `%` says elsewhere
net = torch.nn.Linear(8, 2)
for step in range(100000):
    action = net(state).argmax().item()  # expect: PP601
    state, reward, done, info = env.step(action)
    if step % 100 == 0:
        print(reward)
# --- case: the same text, given to somebody else
def translate(net, words, n):
    out, state = [0], None
    for _ in range(n):
        y, state = net(torch.tensor([[out[-1]]]), state)  # expect: PP601
        out.append(y.argmax(2).item())
    return out


def serve(net, words):
    print(words)
    return translate(net, words, 20)


serve(net, "how are you")
# --- case: a base that has a block without gradients for something else
class Base:
    def values(self, x):
        with torch.no_grad():
            return self.target(x)


class Painter(Base):
    def __init__(self):
        self.model = torch.nn.Linear(2, 2)

    def run(self, x):
        return self.model(x).detach().cpu().numpy()  # expect: PP601


painter = Painter()
for x in loader:
    painter.run(x)
# --- whole: a target whose base sees pictures
import torch
import torch.nn as nn


class Eyes(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first = nn.Conv2d(4, 32, 8, 4)
        self.last = nn.Linear(width, 1)

    def forward(self, x):
        return self.last(self.first(x).relu().flatten(1))


class Critic(Eyes):
    def __init__(self, width):
        super().__init__(width)
        self.scale = nn.Linear(1, 1)

    def forward(self, x):
        return self.scale(super().forward(x))


value, slow = Critic(12800), Critic(12800)
for state, reward, after in loader:
    aim = reward + 0.99 * slow(after).detach()  # expect: PP601
    ((value(state) - aim) ** 2).mean().backward()
    optimizer.step()
# --- case: a state that begins anew in each round
def scores(net, texts):
    out = []
    for text in texts:
        hidden = net.init_hidden(1)
        decoded, hidden = net(text[:-1], hidden)  # expect: PP601
        decoded = decoded.view(len(text) - 1, -1)
        out.append(sum(decoded[t, text[t + 1]].item() for t in range(len(text) - 1)))
    return out
