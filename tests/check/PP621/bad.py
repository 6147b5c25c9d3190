import torch
# --- case: once for the loss, once for what is counted
for x, y in loader:
    loss = criterion(model(x), y)
    loss.register_hook(print)
    correct += (model(x).argmax(1) == y).sum()  # expect: PP621
# --- case: in evaluation, each in a name
def evaluate(model, loader):
    model.eval()
    with torch.no_grad():
        for images, labels in loader:
            outputs = model(images)
            total += criterion(outputs, labels)
            predicted = model(images).max(1)[1]  # expect: PP621
            right += (predicted == labels).sum()
# --- case: two arguments, one with a name
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)

    def forward(self, x, mask=None):
        return self.fc(x) * mask


net = Net()
for x, mask in loader:
    a = net(x, mask=mask).sum()
    b = net(x, mask=mask).abs().max()  # expect: PP621
    show(a, b)
# --- case: a part of a module, twice in forward()
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(4, 2)

    def forward(self, x):
        mean = self.encoder(x).mean(1)
        width = self.encoder(x).std(1)  # expect: PP621
        return mean, width
# --- case: an attribute of a batch
for batch in loader:
    scores = model(batch.text)
    words = model(batch.text).argmax(2)  # expect: PP621
    show(scores, words)
# --- case: again in an inner loop
for x, y in loader:
    out = model(x)
    for label in y:
        show(label, out, model(x))  # expect: PP621
# --- case: again in a branch
for x, y in loader:
    criterion(model(x), y).item()
    if verbose:
        print(model(x).argmax(1))  # expect: PP621
# --- case: a teacher, twice for one batch
for x, y in loader:
    with torch.no_grad():
        soft = teacher_model(x).softmax(1)
        hard = teacher_model(x).argmax(1)  # expect: PP621
    show(soft, hard, y)
# --- case: three times, each time with the finding
for x, y in loader:
    a = net(x).sum()
    b = net(x).mean()  # expect: PP621
    show(a, b, y)
# --- case: a key of a batch
for batch in loader:
    loss = model(batch[0]).sum()
    best = model(batch[0]).max()  # expect: PP621
    show(loss, best)
# --- case: under one block without a graph each
for x, y in loader:
    with torch.no_grad():
        out = teacher_net(x)
        best = teacher_net(x).argmax(1)  # expect: PP621
    show(out, best, y)
# --- case: a keyword argument
for x, mask in loader:
    total = model(x, attention_mask=mask).sum()
    most = model(x, attention_mask=mask).max()  # expect: PP621
    show(total, most)
# --- case: the same in each round
from torch import nn

features = nn.Linear(10, 10)


def compare(style, images):
    for image in images:
        wanted = features(style)  # expect: PP621
        show(image, (features(image) - wanted).abs().mean())
# --- case: the same in each round, of a list
import torchvision

network = torchvision.models.resnet18(pretrained=True)


def match(query, gallery):
    found = []
    for picture in gallery:
        found.append((network(query) - picture).norm())  # expect: PP621
    return found
# --- case: the same in each round, without a graph
from torch import nn

encoder = nn.Linear(10, 10)


def rank(prompt, candidates):
    with torch.no_grad():
        for candidate in candidates:
            show(encoder(prompt) @ encoder(candidate))  # expect: PP621
# --- case: the same in each step, which trains something else
import torchvision

content = torch.rand(1, 3, 99, 99)
picture = content.clone()
network = torchvision.models.vgg19(pretrained=True).eval()
optimizer = torch.optim.Adam([picture], lr=1)
for step in range(10000):
    wanted = network(content)  # expect: PP621
    loss = criterion(network(picture), wanted)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
