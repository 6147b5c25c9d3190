import torch
# --- case: kept in a name
for x, y in loader:
    out = model(x)
    loss = criterion(out, y)
    correct += (out.argmax(1) == y).sum()
# --- case: the weights change in between
for x, y in loader:
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    after = criterion(model(x), y)
# --- case: the mode changes in between
for x, y in loader:
    first = model(x).sum()
    model.eval()
    second = model(x).sum()
    show(first, second)
# --- case: the input is bound again
for x, y in loader:
    first = model(x)
    x = x.flip(0)
    second = model(x)
    show(first, second)
# --- case: the input is written to
for x, y in loader:
    first = model(x)
    x[0] = 0
    second = model(x)
    show(first, second)
# --- case: branches that exclude each other
for x, y in loader:
    if half:
        out = model(x).half()
    else:
        out = model(x)
    show(out)
# --- case: two views of one batch, by dropout
from torch import nn

dropout_views = []
for x in loader:
    a = model(x)
    dropout_views.append(a)
    b = model(x)
    show(a, b)
# --- whole: measured
import time

import torch

for x in loader:
    out = model(x)
    start = time.time()
    out = model(x)
    print(time.time() - start, out)
# --- case: warmed up
for x in loader:
    model(x)
    out = model(x)
    show(out)
# --- case: drawn several times
def draw_many(x, n):
    samples = []
    for i in range(n):
        samples.append((i, model(x)))
    return samples
# --- case: the loop trains what it runs
for step in range(1000):
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()
    print(step)
# --- case: each round has its own input
for x in loader:
    for image in x:
        show(model(image))
# --- case: activations and losses
from torch import nn

relu = nn.ReLU()
for x, y in loader:
    a = relu(x).sum()
    b = relu(x).mean()
    show(a, b)
# --- case: a state is carried on
for frames in loader:
    state = start
    for frame in frames:
        out, state = network(frame, state)
        show(out)
# --- case: the same text for another module
def compare(models, x, y):
    for model in models:
        show(model(x), y)
# --- case: it is computed the first time only
from torch import nn

features = nn.Linear(10, 10)


def compare(style, images):
    wanted = None
    for image in images:
        if wanted is None:
            wanted = features(style)
        show(image, (features(image) - wanted).abs().mean())
# --- case: a method of the trainer
class Trainer:
    def step(self, x, y):
        loss = self.criterion(self.model(x), y)
        accuracy = (self.model(x).argmax(1) == y).float().mean()  # expect: PP621 low
        return loss, accuracy
# --- case: the same in each step, but the module is trained, may be, or draws by chance
import torchvision

content = torch.rand(1, 3, 99, 99)
picture = content.clone()
network = torchvision.models.vgg19(pretrained=True).eval()
other = torchvision.models.vgg19(pretrained=True).eval()
optimizer = torch.optim.Adam(network.parameters(), lr=1)
for step in range(10000):
    loss = criterion(network(content), content)
    loss.backward()
    optimizer.step()
# --- case: the same in each step, for weights that are not seen
import torchvision

content = torch.rand(1, 3, 99, 99)
picture = content.clone()
network = torchvision.models.vgg19(pretrained=True).eval()
optimizer = torch.optim.Adam(weights(), lr=1)
for step in range(10000):
    loss = criterion(network(content), network(picture[step]))
    loss.backward()
    optimizer.step()
# --- case: the same in each step, with dropout
import torchvision

content = torch.rand(1, 3, 99, 99)
picture = content.clone()
network = torchvision.models.vgg19(pretrained=True)
optimizer = torch.optim.Adam([picture], lr=1)
for step in range(10000):
    loss = criterion(network(content), network(picture))
    loss.backward()
    optimizer.step()
# --- case: the same in each step, in training mode now and then
import torchvision

content = torch.rand(1, 3, 99, 99)
picture = content.clone()
network = torchvision.models.vgg19(pretrained=True).eval()
optimizer = torch.optim.Adam([picture], lr=1)
network.train()
for step in range(10000):
    loss = criterion(network(content), network(picture))
    loss.backward()
    optimizer.step()
# --- case: a name that a method may change is likely the same
from torch import nn

features = nn.Linear(10, 10)


def compare(style, images):
    for image in images:
        wanted = features(style)  # expect: PP621 likely
        show(style.mean(), (features(image) - wanted).abs().mean())
