import torch
# --- case: in a block
def validate(model, loader, criterion):
    model.eval()
    total = 0.0
    with torch.no_grad():
        for x, y in loader:
            total += criterion(model(x), y).item()  # lacks: it is not known to be a module
    return total
# --- case: decorated
@torch.no_grad()
def validate(model, loader):
    model.eval()
    return [model(x).argmax(1) for x in loader]


@torch.inference_mode()
def test(model, loader):
    model.eval()
    for x in loader:
        print(model(x).argmax(1))
# --- case: called from such a block alone
def run(model, x):
    model.eval()
    print(model(x).argmax(1))


def evaluate(model, loader):
    with torch.inference_mode():
        for x in loader:
            run(model, x)
# --- case: training
def train(model, loader, optimizer):
    model.train()
    for x, y in loader:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
# --- case: an attack needs gradients of an evaluated model
def test_attack(model, loader):
    model.eval()
    for x, y in loader:
        x.requires_grad_()
        loss = criterion(model(x), y)
        g = torch.autograd.grad(loss, x)[0]
        torch.save(x + g.sign(), "attack.pt")
# --- case: switched off once and for all
torch.set_grad_enabled(False)


def test(model, loader):
    model.eval()
    for x in loader:
        print(model(x).argmax(1))
# --- case: Lightning calls it without gradients
import pytorch_lightning as pl


class Net(pl.LightningModule):
    def forward(self, x):
        return self.layer(x)

    def validation_step(self, batch, batch_idx):
        x, y = batch
        self.log("acc", (self(x).argmax(1) == y).float().mean())

    def test_step(self, batch, batch_idx):
        self.model.eval()
        print(self.model(batch).argmax(1))
# --- case: frozen weights record nothing
teacher = torch.hub.load("a/b", "net")
for w in teacher.parameters():
    w.requires_grad = False
for x in loader:
    target = teacher(x).detach()
    criterion(student(x), target).backward()
# --- case: a loss has no weights
from torch import nn

mse = nn.MSELoss()
for x, y in loader:
    print(mse(x, y).item())
# --- case: tried out with random numbers
from torch import nn

net = nn.Linear(4, 2)
out = net(torch.randn(1, 4))
assert out.shape == (1, 2)
# --- case: detached for one use and not for another
from torch import nn

generator, discriminator = nn.Linear(4, 4), nn.Linear(4, 1)
for real in loader:
    fake = generator(noise(real))
    d_loss = discriminator(real).mean() - discriminator(fake.detach()).mean()
    d_loss.backward()
    g_loss = -discriminator(fake).mean()
    g_loss.backward()
# --- case: whoever calls it may go backward
def encode(model, x):
    model.eval()
    return model(x)


def step(model, head, x):
    head(encode(model, x)).mean().backward()
# --- case: the part of a module, in its own forward
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        y = self.a(x)
        return self.b(y.detach())
# --- case: train() after eval()
def test_then_train(model, loader, step):
    model.eval()
    model.train()
    for x in loader:
        step(model(x))
# --- whole: TensorFlow, whose graph is another
import tensorflow as tf


def evaluate(model, data):
    for x in data:
        print(model(x).argmax(1))
# --- case: a class without weights
from torch import nn


class Error(nn.Module):
    def forward(self, x, y):
        return (x - y).abs().mean()


for x, y in loader:
    print(Error()(x, y).item())
# --- case: volatile, in code for a release where it records nothing
from torch.autograd import Variable


def test(model, loader):
    model.eval()
    for x, y in loader:
        loss = criterion(model(Variable(x, volatile=True)), y)
        total += loss.data[0]
# --- case: what an evaluation gives goes backward
def evaluate(policy, batches):
    losses = []
    for x in batches:
        losses.append(policy(x).mean())
    return sum(losses)


def update(policy, batches, optimizer):
    loss = evaluate(policy, batches)
    loss.backward()
    optimizer.step()
# --- case: a module's method that is called without gradients
from torch import nn


class Captioner(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(10, 10)

    def generate(self, x, states, length):
        words = []
        for i in range(length):
            hidden, states = self.lstm(x, states)
            x = hidden.argmax(2)
            words.append(x)
        return words


captioner = Captioner()
with torch.no_grad():
    print(captioner.generate(images, None, 20))
# --- case: a module's method that nobody calls
from torch import nn


class Captioner(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(10, 10)

    def generate(self, x, states, length):
        words = []
        for i in range(length):
            hidden, states = self.lstm(x, states)
            words.append(hidden)
        return words
# --- case: volatile by an argument, in code for a release where it records nothing
from torch.autograd import Variable


def get_batch(source, i, evaluation=False):
    return Variable(source[i:i + 35], volatile=evaluation)


def evaluate(model, source):
    model.eval()
    for i in range(0, source.size(0), 35):
        out, hidden = model(get_batch(source, i, evaluation=True), hidden)
        total += criterion(out).data[0]
    print(total)
# --- whole: what code outside the project builds is of another framework
import numpy as np
import torch
import tensorflow as tf


def predict(path, loader):
    model = tf.lookup.StaticHashTable(path, 0)
    found = []
    for images in loader:
        found += model(images).argmax(1).tolist()
    return found
# --- case: a module that generates in training
class Writer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(8, 8)

    def forward(self, x):
        return self.layer(x)

    def generate(self, x, n):
        for _ in range(n):
            x = self(x)
        return x

    def sample(self, x, n):
        self.eval()
        for _ in range(n):
            x = self(x)
        return x

    def loss(self, x):
        return (self.sample(x, 20) - x).pow(2).mean()
# --- case: an epoch that evaluates without a graph where it is called
def run_epoch(model, loader, criterion, optimizer, phase):
    for x, y in loader:
        loss = criterion(model(x), y)
        if phase == "train":
            loss.backward()
            optimizer.step()


def main(model, train_loader, val_loader, criterion, optimizer):
    for epoch in range(100):
        run_epoch(model, train_loader, criterion, optimizer, "train")
        with torch.no_grad():
            run_epoch(model, val_loader, criterion, optimizer, "val")
# --- case: a loop over phases that says for which to record
def fit(model, loaders, criterion, optimizer):
    for epoch in range(100):
        for phase in ["train", "val"]:
            for x, y in loaders[phase]:
                with torch.set_grad_enabled(phase == "train"):
                    loss = criterion(model(x), y)
                    if phase == "train":
                        loss.backward()
                        optimizer.step()
# --- case: gradients are added up, and nobody evaluates
def run_epoch(model, loader, criterion, optimizer, train=True):
    for x, y in loader:
        loss = criterion(model(x), y)
        if train:
            loss.backward()
            optimizer.step()


def main(model, loader, criterion, optimizer):
    for epoch in range(100):
        run_epoch(model, loader, criterion, optimizer)
        run_epoch(model, loader, criterion, optimizer, train=True)
# --- case: what a function is told has nothing to do with backward()
def run_epoch(model, loader, criterion, optimizer, phase):
    for i, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        loss.backward()
        if phase == "train":
            optimizer.step()


def main(model, loader, criterion, optimizer):
    for epoch in range(100):
        run_epoch(model, loader, criterion, optimizer, "val")
# --- case: a branch about the model, not about a phase
def run_epoch(loader, criterion, model=None):
    for x, y in loader:
        loss = criterion(network(x), y)
        if model is not None:
            loss.backward()


for epoch in range(100):
    run_epoch(loader, criterion)
# --- case: a method that records no graph itself
from torch import nn


class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.decoder = nn.Linear(width, 100)

    def decode(self, words):
        with torch.no_grad():
            return self.decoder(words)


def greedy(model, words):
    for i in range(60):
        best = model.decode(words).argmax(1)
        words = torch.cat([words, best.unsqueeze(0)], 1)
    return words


def main(loader):
    model = Model(64)
    for x in loader:
        print(greedy(model, x))
# --- case: a module whose constructor is given what has no weights
from torch import nn


class Model(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder

    def forward(self, x):
        return self.encoder(x)


def evaluate(loader):
    model = Model(nn.Softmax(1))
    model.eval()
    for x, y in loader:
        print((model(x).argmax(1) == y).sum())
# --- case: a name that something else reads as well
for x in loader:
    fake = netG(noise(x))
    loss = criterion(netD(fake.detach()))
    loss.backward()
    loss = criterion(netD(fake))
    loss.backward()
    optimizer.step()
# --- case: a name that is changed in place
for x in loader:
    fake = netG(noise(x))
    show(fake.detach())
    fake += x
    criterion(fake).backward()
# --- case: in one of two branches
for x in loader:
    fake = netG(x)
    if x.size(0) > 3:
        fake = fake * 2
    show(fake.detach())
    criterion(fake).backward()
# --- case: a list that is used with its graphs
def features(model, items):
    out = []
    for item in items:
        out.append(model(item))
    show(torch.cat(out, 0).cpu().numpy())
    return torch.cat(out, 0)


def second(model, items, out):
    for item in items:
        out.append(model(item))
    show(torch.cat(out, 0).cpu().numpy())
# --- case: a comprehension that keeps graphs
def features(model, items):
    return torch.cat([model(item) for item in items], 0)
# --- case: a result that one of two callers needs with its graph
def features(model, x):
    y = model(x)
    return y


for x in loader:
    write(features(net, x).cpu().numpy())
    criterion(features(net, x)).backward()
# --- case: a result of a library
class Wrapper:
    def features(self, x):
        y = self.model(x)
        return y

    def write(self, x):
        write(self.features(x).cpu().numpy())
# --- case: methods of the name that others have, too, or that record no graph
class Embedding(torch.nn.Module):
    def __init__(self, n):
        super().__init__()
        self.table = torch.nn.Embedding(n, 100)

    def candidates(self, x):
        return self.table(x)

    @smart_inference_mode()
    def others(self, x):
        return self.table(x)


class Table:
    def candidates(self, x):
        return self.rows[x]


class Evaluator:
    def __init__(self, model):
        self.model = model

    def evaluate(self, loader):
        for i, x in enumerate(loader):
            self.ranks[i] = (self.model.candidates(x) > self.limit).sum(1)
            self.ranks[i] = (self.model.others(x) > self.limit).sum(1)
# --- case: a function that evaluations and others call; a method that a base may call
class Evaluator:
    def __init__(self, model):
        self.model = model

    def scores(self, loader):
        out = []
        for x in loader:
            out.append(self.model(x))
        return torch.cat(out)

    def accuracy(self, loader):
        return compare(self.scores(loader))

    def learn(self, loader):
        criterion(self.scores(loader)).backward()


class Flow(base.Flow):
    def forward(self, x):
        for network in self.networks:
            x = network.forward(x)
        return x

    def sample(self, n):
        return self.forward(noise(n))
# --- case: a name that gets what is computed of it
for x in loader:
    fake = netG(x)
    fake = fake * 2
    criterion(fake).backward()
# --- case: an evaluation that hands the result to what goes backward
class Evaluator:
    def __init__(self, model):
        self.model = model

    def scores(self, loader):
        out = []
        for x in loader:
            out.append(self.model(x))
        return torch.cat(out)

    def evaluate(self, loader):
        learn(self.scores(loader))


def learn(scores):
    criterion(scores).backward()
# --- case: one caller that does not say what it is for
class Collector:
    def __init__(self, model):
        self.model = model

    def scores(self, loader):
        out = []
        for x in loader:
            out.append(self.model(x))
        return torch.cat(out)

    def evaluate(self, loader):
        return self.scores(loader)

    def collect(self, loader):
        return self.scores(loader)
# --- case: letters, with a state that is given on
def write(net, start, n):
    out, state = [start], None
    for _ in range(n):
        y, state = net(torch.tensor([[out[-1]]]), state)
        chances = torch.softmax(y[0, -1], 0)
        out.append(torch.multinomial(chances, 1).item())
    return out, state


for title in titles:
    show(write(net, title, 1000))
# --- case: two results, one of which goes backward
def step(net, x):
    y, z = net(x)
    show(y.argmax(1))
    criterion(z).backward()
# --- case: a state alone
def encode(net, words):
    state = None
    for word in words:
        _, state = net(word, state)
# --- case: a result and a target that is no name
def encode(self, net, words):
    for word in words:
        y, self.state = net(word)
        show(y.argmax(1))
# --- case: the same made input, many times: somebody measures
import torch.nn as nn

model = nn.Linear(64, 64)
x = torch.zeros(8, 64)
for _ in range(100):
    model(x)
# --- case: given by name where nothing is recorded
def evaluate(net, loader):
    net.eval()
    for x in loader:
        print(net(x).argmax(1))


@torch.inference_mode()
def main():
    for loader in loaders:
        run(evaluate, net, loader)
# --- case: the method of an object that is not seen, where nothing is recorded
class Writer:
    def __init__(self, net):
        self.net = net

    def generate(self, x):
        self.net.eval()
        for _ in range(100):
            x = self.net(x).argmax(1)
        return x


@torch.inference_mode(True)
def main(args):
    writer = make(args)
    writer.generate(args.text)
# --- case: the context has a name
def evaluate(net, loader):
    net.eval()
    for x in loader:
        print(net(x).argmax(1))


def main():
    context = torch.inference_mode()
    with context:
        evaluate(net, loader)
# --- case: a model of Keras, whose backend is PyTorch
import keras


def predict(loader):
    model = keras.Model(inputs, outputs)
    for x, y in loader:
        print(model(x))
# --- case: a name that is bound again, but not in each round
from torch import nn


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return torch.relu(self.fc(x))


actor = Actor()
for step in range(total):
    if step < 100:
        action = draw()
    else:
        action = actor(torch.Tensor(seen).cuda())
        if whole:
            action = action.detach()
    update(action)
# --- whole: a decorator of the project that enters inference mode
import torch
from torch import nn


def quick():
    def decorate(fn):
        return torch.inference_mode()(fn)

    return decorate


model = nn.Linear(3, 2)


@quick()
def run(loader):
    return [model(x).argmax(1) for x in loader]
# --- whole: a test only notes
x = 1
# --- file: test_net.py
import argparse
import torch


def test_net():
    parser = argparse.ArgumentParser()
    net = torch.nn.Linear(4, 2)
    net.eval()
    for i in range(len(images)):
        scores = net(images[i]).data  # expect: PP601 low
# --- whole: the file decides about gradients for all that follows
import torch
from torch import nn

net = nn.Linear(4, 2)


def evaluate(loader, total=0):
    net.eval()
    torch.set_grad_enabled(False)
    for x, y in loader:
        total += net(x).argmax(1).eq(y).sum().item()
    return total
# --- whole: weights that need no gradients
import torch
from torch import nn


class Frozen(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        for p in self.parameters():
            p.requires_grad = False

    def forward(self, x):
        return self.fc(x)


net = Frozen()


def evaluate(loader, total=0):
    net.eval()
    for x, y in loader:
        total += net(x).argmax(1).eq(y).sum().item()
    return total
# --- case: the caller decides
def evaluate(net, loader, training, total=0):
    net.eval()
    for x, y in loader:
        with torch.set_grad_enabled(training):
            total += net(x).argmax(1).eq(y).sum().item()
    return total
# --- case: what changes sounds has no weights
import torchaudio

resample = torchaudio.transforms.Resample(48000, 16000)


def load(paths):
    for path in paths:
        yield resample(torchaudio.load(path)[0]).numpy()
# --- case: a picture now and then, for somebody to look at
for step in range(10000):
    loss = criterion(net(next(rows)), labels)
    loss.backward()
    if step % 500 == 0:
        save_image(net(fixed_noise).detach(), "a.png")  # expect: PP601 low
# --- case: the same in a function that the loop calls now and then
def sample(step, net):
    save_image(net(noise).detach(), "%d.png" % step)  # expect: PP601 low


for epoch in range(200):
    for i, x in enumerate(loader):
        net(x).sum().backward()
        if i % 100 == 0:
            sample(i, net)
# --- case: once in an epoch of many steps, one batch
net = torch.nn.Linear(8, 2)
for epoch in range(20):
    for x, y in loader:
        criterion(net(x), y).backward()
    print((net(test_x).argmax(1) == test_y).sum().item())  # expect: PP601 low
# --- case: a text that somebody looks at
def write(net, start, n):
    out, state = [start], None
    for _ in range(n):
        y, state = net(torch.tensor([[out[-1]]]), state)  # expect: PP601 low
        out.append(torch.multinomial(y[0, -1].exp(), 1).item())
    return out


for epoch in range(90):
    for i, x in enumerate(loader):
        net(x).sum().backward()
        if i % 1000 == 0:
            print(write(net, "a", 100))
# --- case: one sentence, by a function that shows it
def translate(net, words, n):
    out, state = [0], None
    for _ in range(n):
        y, state = net(torch.tensor([[out[-1]]]), state)  # expect: PP601 low
        out.append(y.argmax(2).item())
    return out


def show_one(net, words):
    out = translate(net, words, 20)
    print(" ".join(names[i] for i in out))


show_one(net, "how are you")
# --- case: a layer made for its shape
def width(n):
    x = torch.nn.Conv2d(1, n, 3)(torch.randn(1, 1, 9, size))
    return torch.nn.Conv2d(n, n, 3)(x.relu()).detach().shape[-1]  # expect: PP601 low
# --- case: an array, which PyTorch does not make of what has a graph
encoder = load(path)


def embed(texts):
    return [encoder(text).cpu().numpy() for text in texts]


def predict(model, loader):
    model.eval()
    return [model(x).squeeze().numpy() for x in loader]
# --- case: a name of the project's for no_grad()
torchNo_grad = find("torch.no_grad")


def predict(model, loader):
    model.eval()
    with torchNo_grad():
        return [model(x).detach() for x in loader]
# --- case: a list of a window, whose model is asked for one by one
def enabled(dropdown, out):
    for i in range(dropdown.count()):
        out.append(dropdown.model().item(i))
# --- case: a base runs it without gradients
class Base:
    @torch.no_grad()
    def __call__(self, x):
        return self.run(x)


class Painter(Base):
    def __init__(self):
        self.model = nn.Linear(2, 2)

    def run(self, x):
        return self.model(x).detach().cpu().numpy()


painter = Painter()
for x in loader:
    painter(x)
# --- case: once, when an object is made or set up
class Task:
    def __init__(self, model):
        self.layers = len(model(torch.tensor([[1]], device=device)).tolist())  # expect: PP601 low

    def setup_loss(self):
        y = self.model(self.model.example)  # expect: PP601 low
        self.width = y.shape[1]
# --- case: a state of before the loop that records nothing, in a release of long ago
def evaluate(decoder, words):
    given = Variable(torch.LongTensor([0]), volatile=True)
    for _ in range(len(words)):
        y = decoder(given)
        best = y.data.topk(1)[1][0][0]
        given = Variable(torch.LongTensor([best]))
    return loss.data[0]
# --- case: six words, to look at
net = load(path)


def translate(word):
    y = net(numbers(word))  # expect: PP601 low
    return letters(y.data.max(2)[1])


print("man", translate("man"))
print("men", translate("men"))
print("king", translate("king"))
print("queen", translate("queen"))
print("upper", translate("upper"))
print("black", translate("black"))
# --- case: a model of another framework, of which a file of the project has the name
import torch
import verification

model = torch.nn.Linear(4, 2).cuda()
print(verification.test(loader, model))
# --- file: verification.py
import mxnet as mx


def test(loader, model):
    found = []
    for x in loader:
        model.forward(mx.io.DataBatch(data=(x,)), is_train=False)
        found.append(model.get_outputs()[0].asnumpy())
    return found
# --- case: samples that are saved
from torchvision.utils import save_image
from models import Generator

generator = Generator().cuda()


def sample_image(n_row, batches_done):
    z = torch.randn(n_row ** 2, 100).cuda()
    images = generator(z)  # expect: PP601 low
    save_image(images.data, "images/%d.png" % batches_done)


for epoch in range(200):
    for i, batch in enumerate(dataloader):
        loss = criterion(generator(batch), 1)
        loss.backward()
        sample_image(10, i)
# --- file: models.py
from torch.nn import Linear, Module


class Generator(Module):
    def __init__(self):
        super().__init__()
        self.fc = Linear(100, 784)

    def forward(self, x):
        return self.fc(x)
# --- whole: a target of dense layers, whose graph costs next to nothing
import torch
import torch.nn as nn


class Critic(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(width, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, x):
        return self.layers(x)


value, slow = Critic(4), Critic(4)
for state, reward, after in loader:
    aim = reward + 0.99 * slow(after).detach()  # expect: PP601 low
    ((value(state) - aim) ** 2).mean().backward()
    optimizer.step()
# --- whole: the target of a game that is not seen
import torch


class Agent:
    def __init__(self, net, target_net):
        self.net, self.target_net = net, target_net

    def learn(self, batches):
        for s, a, r, s2 in batches:
            q = self.net(s).gather(1, a)
            q2 = self.target_net(s2).detach()  # expect: PP601 low
            ((q - r - q2) ** 2).mean().backward()
            self.optimizer.step()
# --- whole: the same for a method of the module
import torch
from torch import nn
import torch.nn.functional as F


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(4, 256)
        self.fc_v = nn.Linear(256, 1)

    def v(self, x):
        return self.fc_v(F.relu(self.fc1(x)))


model = ActorCritic()
optimizer = torch.optim.Adam(model.parameters())
for x, y, last in batches:
    after = model.v(torch.from_numpy(last).float()).detach().clone().numpy()  # expect: PP601 low
    loss = F.mse_loss(model.v(x), y + 0.9 * after)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
# --- whole: a target whose base has the dense layers
import torch
import torch.nn as nn


class Mlp(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.first = nn.Linear(width, 64)
        self.last = nn.Linear(64, 1)

    def forward(self, x):
        return self.last(self.first(x).relu())


class Critic(Mlp):
    def forward(self, x, action):
        return super().forward(torch.cat([x, action], 1))


value, slow = Critic(6), Critic(6)
for state, action, reward, after in loader:
    aim = reward + 0.99 * slow(after, action).detach()  # expect: PP601 low
    ((value(state, action) - aim) ** 2).mean().backward()
    optimizer.step()
# --- case: a context of the project's enters no_grad()
from contextlib import contextmanager


@contextmanager
def evaluation(net):
    with torch.no_grad():
        yield net.eval()
    net.train()


def validate(net, loader):
    with evaluation(net):
        return sum(net(x).argmax(1).sum().item() for x, y in loader)


class Trainer:
    def validate(self, loader):
        self.net.eval()
        total = 0.0
        with evaluation(self.net):
            for x, y in loader:
                total += self.criterion(self.net(x), y).item()
        return total / len(loader)
# --- case: two calls in one function, which runs without gradients
class Pipeline:
    def generate(self, x, n):
        for _ in range(n):
            out = self.model(x)
            x = torch.cat([x, out.argmax(-1)], 1)
        return x

    def encode(self, prompt, negative):
        return self.generate(prompt, 20), self.generate(negative, 20)

    @torch.no_grad()
    def __call__(self, prompt, negative):
        return self.encode(prompt, negative)
# --- case: modules take gradients when they run, and the model may be one of them
from torch import nn
from torch.autograd import grad


class Forces(nn.Module):
    def forward(self, inputs):
        inputs["forces"] = -grad(inputs["energy"].sum(), inputs["positions"])[0]
        return inputs


class Calculator:
    def __init__(self, model: nn.Module):
        self.model = model.eval()

    def calculate(self, atoms):
        found = self.model(self.convert(atoms))
        self.results = {key: found[key].detach().cpu().numpy() for key in self.keys}
# --- case: a method of the module decides itself whether there is a graph
import segmenters
from torch import nn
from torch.cuda.amp import autocast


class Segmenter(nn.Module):
    def predict_volume(self, volume, context):
        with context():
            with torch.no_grad():
                return self.run_tiles(volume)

    def run_tiles(self, volume):
        return torch.stack([self.last(self(tile)) for tile in volume]).cpu().numpy()

    def run_mirrored(self, volume):
        return self.run_tiles(torch.flip(volume, (2,)))


class Trainer:
    def __init__(self):
        self.network = segmenters.UNet(3)

    def predict(self, volume):
        assert isinstance(self.network, Segmenter)
        self.network.eval()
        found = self.network.predict_volume(volume, autocast)
        self.network.train()
        return found
# --- case: .data of a packed sequence keeps the graph, which goes backward where it trains
from torch.nn.utils.rnn import pack_padded_sequence


class Cutter:
    def update(self, words, mask, wanted, evaluate=False):
        if evaluate:
            self.model.eval()
        else:
            self.model.train()
        scores = self.model(words, mask)
        lengths = list(mask.sum(1))
        packed = pack_padded_sequence(scores, lengths, batch_first=True)
        loss = self.criterion(packed.data, pack_padded_sequence(wanted, lengths, batch_first=True).data)
        value = loss.data.item()
        if evaluate:
            return value
        loss.backward()
        self.optimizer.step()
        return value
# --- case: gradients are taken of what it is given
class Solver:
    def predict(self, places, residual):
        self.net.eval()
        inputs = torch.as_tensor(places).requires_grad_()
        outputs = self.net(inputs)
        return residual(inputs, outputs).detach().cpu().numpy()
