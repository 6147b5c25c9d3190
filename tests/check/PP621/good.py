# --- case: kept in a name
import torch

for x, y in loader:
    out = model(x)
    loss = criterion(out, y)
    correct += (out.argmax(1) == y).sum()
# --- case: the weights change in between
import torch

for x, y in loader:
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    after = criterion(model(x), y)
# --- case: the mode changes in between
import torch

for x, y in loader:
    first = model(x).sum()
    model.eval()
    second = model(x).sum()
    show(first, second)
# --- case: the input is bound again
import torch

for x, y in loader:
    first = model(x)
    x = x.flip(0)
    second = model(x)
    show(first, second)
# --- case: the input is written to
import torch

for x, y in loader:
    first = model(x)
    x[0] = 0
    second = model(x)
    show(first, second)
# --- case: branches that exclude each other
import torch

for x, y in loader:
    if half:
        out = model(x).half()
    else:
        out = model(x)
    show(out)
# --- case: two views of one batch, by dropout
import torch
from torch import nn

dropout_views = []
for x in loader:
    a = model(x)
    dropout_views.append(a)
    b = model(x)
    show(a, b)
# --- case: measured
import time

import torch

for x in loader:
    out = model(x)
    start = time.time()
    out = model(x)
    print(time.time() - start, out)
# --- case: warmed up
import torch

for x in loader:
    model(x)
    out = model(x)
    show(out)
# --- case: drawn several times
import torch


def draw_many(x, n):
    samples = []
    for i in range(n):
        samples.append((i, model(x)))
    return samples
# --- case: the loop trains what it runs
import torch

for step in range(1000):
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    print(step)
# --- case: each round has its own input
import torch

for x in loader:
    for image in x:
        show(model(image))
# --- case: activations and losses
import torch
from torch import nn

relu = nn.ReLU()
for x, y in loader:
    a = relu(x).sum()
    b = relu(x).mean()
    show(a, b)
# --- case: a state is carried on
import torch

for frames in loader:
    state = start
    for frame in frames:
        out, state = network(frame, state)
        show(out)
# --- case: the same text for another module
import torch


def compare(models, x, y):
    for model in models:
        show(model(x), y)
# --- case: it is computed the first time only
import torch
from torch import nn

features = nn.Linear(10, 10)


def compare(style, images):
    wanted = None
    for image in images:
        if wanted is None:
            wanted = features(style)
        show(image, (features(image) - wanted).abs().mean())
# --- case: the same in each round
import torch
from torch import nn

features = nn.Linear(10, 10)


def compare(style, images):
    for image in images:
        wanted = features(style)  # expect: PP621 likely
        show(image, (features(image) - wanted).abs().mean())
# --- case: the same in each round, of a list
import torch
import torchvision

network = torchvision.models.resnet18(pretrained=True)


def match(query, gallery):
    found = []
    for picture in gallery:
        found.append((network(query) - picture).norm())  # expect: PP621 likely
    return found
# --- case: the same in each round, without a graph
import torch
from torch import nn

encoder = nn.Linear(10, 10)


def rank(prompt, candidates):
    with torch.no_grad():
        for candidate in candidates:
            show(encoder(prompt) @ encoder(candidate))  # expect: PP621 likely
# --- case: a method of the trainer
import torch


class Trainer:
    def step(self, x, y):
        loss = self.criterion(self.model(x), y)
        accuracy = (self.model(x).argmax(1) == y).float().mean()  # expect: PP621 low
        return loss, accuracy
