import torch
# --- case: the whole tensor
def advantages(rewards, masks):
    return rewards * masks
# --- case: a list
def advantages(rewards, masks, values, n):
    out = torch.zeros(len(rewards))
    last = 0
    for i in reversed(range(len(rewards))):  # lacks: it is not known to be a tensor
        out[i] = rewards[i] + 0.9 * last * masks[i]
    return out
# --- case: a module for each
def run(net, x):
    out = torch.zeros(9)
    for i in range(x.size(0)):
        out[i] = net(x[i]) + x[i]
    return out
# --- case: code that is not seen
def advantages(rewards, masks, values, n):
    out = torch.zeros(len(rewards))
    last = 0
    for i in range(rewards.size(0)):
        out[i] = rewards[i] + f(masks[i])
    return out
# --- case: nothing is written
def advantages(rewards, masks, values, n):
    out = torch.zeros(len(rewards))
    last = 0
    for i in range(rewards.size(0)):
        print(rewards[i], masks[i])
    return out
# --- case: numbers at once
device = torch.device("cuda")
x = torch.arange(1000).to(device)
numbers = x.tolist()
for i in range(1000):
    names.append(words[numbers[i]])
# --- case: an index that stays
device = torch.device("cuda")
x = torch.arange(1000).to(device)
for i in range(1000):
    names.append(int(x[0]))
# --- case: a handful
device = torch.device("cuda")
x = torch.arange(1000).to(device)
for i in range(3):
    print(int(x[i]))
# --- case: another loop within
def advantages(rewards, masks, values, n):
    out = torch.zeros(len(rewards))
    last = 0
    for i in range(rewards.size(0)):
        for j in range(3):
            out[i] = rewards[i] * masks[i]
    return out
# --- whole: NumPy's array
import numpy as np
import torch

x = np.arange(9999)
for i in range(9999):
    print(int(x[i]))
# --- case: batches
def advantages(rewards, masks, values, n):
    out = torch.zeros(len(rewards))
    last = 0
    for i in range(rewards.size(0) // 32):
        out[i] = rewards[i] + masks[i]
    return out
# --- case: in some rounds only
device = torch.device("cuda")
x = torch.arange(1000).to(device)
for i in range(1000):
    if i % 100 == 0:
        print(int(x[i]))
# --- case: each of a list of numbers
for x in loader:
    words = model(x.cuda()).argmax(1).tolist()
    left = [word for word in words if word != end]
# --- case: each image of a batch
for x in loader:
    images = model(x.cuda())
    for image in images:
        save(image)
# --- case: names that are compared
for x in loader:
    out = model(x.cuda())
    for name in names:
        if name == "best":
            show(out)
# --- case: the keys of a dictionary
for x in loader:
    found = model(x.cuda())
    for key in found:
        if key != "mask":
            show(found[key])
# --- whole: rows of an array of NumPy, of a function in a file with PyTorch
import numpy as np
import torch


def smooth(rows):
    out = np.zeros(rows.shape)
    for i in range(1, rows.shape[0]):
        out[i] += out[i - 1] * 0.9 + rows[i]
    return torch.from_numpy(out)


for x in loader:
    show(smooth(x))
# --- whole: the parameter becomes a tensor after the loop
import numpy as np
import torch


def smooth(rows):
    for i in range(1, rows.shape[0]):
        rows[i] += rows[i - 1]
    rows = torch.from_numpy(rows)
    return rows.unsqueeze(0)


for x in loader:
    show(smooth(x))
# --- whole: an array of NumPy, a row of a frame
import numpy as np
import torch

device = torch.device("cuda")
a = np.zeros(1000)
for i in range(1000):
    write(a[i].item())


def rows(frame):
    for i in range(1000):
        write(frame.iloc[i].item())


for frame in frames:
    rows(frame)
# --- case: one fetch in a library's function is likely only
def show(x, names):
    for i in range(names):
        write(x[i].item())  # expect: PP609 low, likely
# --- case: a callee that gets the same row in each round, or another tensor
device = torch.device("cuda")


def one(x, i):
    return x[i].item()


def other(x, i):
    return x[i].item()


def every(x, rows, k):
    for i in range(rows.shape[0]):
        write(one(rows, k), other(rows[i], i))
# --- case: some rounds only
device = torch.device("cuda")


def one(x, i):
    return x[i].item()


def every(x, rows, k):
    for i in range(rows.shape[0]):
        if i % 100 == 0:
            write(one(rows, i))
# --- case: the loop asks for what a list has
def show(net, images):
    for image in images:
        found = net(image.cuda()).tolist()
        k = 0
        while found[k] >= 0.6:
            k += 1
# --- case: the tensor is another in each round
def grow(net, x):
    out = net(x.cuda())
    while out[0] > 0.5:
        out = net(out)
    return out
# --- case: the same element in each round
def wait(net, x, jobs):
    out = net(x.cuda())
    for job in jobs:
        if out[0] > 0.5:
            job()
# --- case: places in a list
def names(order, n):
    out = [None] * n
    for i in range(order.size(0)):
        out[order[i]] = "name"
    return out
# --- case: a while loop that may run once
def first_end(x, net):
    ends = net(x.cuda()).argmax(1)
    i = 0
    while ends[i] != 2:  # expect: PP609 likely
        i += 1
    return i
# --- case: places of one tensor, by its length
def spread(scores, n):
    order = torch.argsort(scores)
    rank = torch.zeros(n)
    for i in range(order.shape[0]):  # expect: PP609 likely
        rank[order[i]] = i
    return rank
# --- case: what a dictionary has
def embed(net, x, kinds):
    parts = net(x.cuda())
    for kind in kinds:
        if parts[kind] is not None:
            print(kind)
# --- case: of what is on the host
def write(model, loader):
    for x in loader:
        scores, labels = model(x.cuda())
        scores = scores.max(1).cpu()
        for i in range(len(loader)):
            print(i, float(scores[i]))  # expect: PP609 low
# --- case: boxes are drawn
def show(model, loader):
    for x in loader:
        boxes = model(x.cuda())
        for box in boxes:  # expect: PP609 low
            cv2.rectangle(x, (int(box[0]), int(box[1])), (int(box[2]), int(box[3])))
# --- case: a handful of places, of the best
def results(outputs, names, k):
    found = []
    scores, places = torch.topk(outputs, k=min(k, len(names)))
    for i in range(scores.size(0)):
        found.append({"label": names[places[i].item()], "score": scores[i].item()})  # expect: PP609 low
    return found


for x in loader:
    results(net(x.cuda()), names, 5)
# --- case: lengths, which are on the host
from torch.nn.utils.rnn import pad_packed_sequence

net = torch.nn.LSTM(3, 3).cuda()


def last(packed, at):
    rows, lengths = pad_packed_sequence(net(packed)[0])
    for i in range(rows.size(0)):
        while lengths[at] <= i:  # expect: PP609 low
            at -= 1
    return at
# --- case: once, when an object is made
class Sampler:
    def __init__(self, weights):
        weights = torch.softmax(weights.cuda(), 0)
        self.active = [i for i, w in enumerate(weights) if w > 0]  # expect: PP609 low
# --- case: a tuple of what a module gives
class Losses(torch.nn.Module):
    def forward(self, y, truth):
        return (y - truth).abs().mean(), (y - truth).pow(2).mean()


def evaluate(model, loader):
    criterion = Losses().cuda()
    sums = [0, 0]
    for x, truth in loader:
        losses = criterion(model(x), truth)
        for i in range(len(losses)):
            sums[i] += losses[i].item() * len(x)
        print([l.item() for l in losses if l > 0])
    return sums
# --- case: as long as a tensor, whose elements it does not take
def cut(waves, net, lengths):
    y = net(waves.cuda())
    waves = [w for w in waves]
    for i in range(len(y)):
        waves[i] = waves[i][: lengths[i]]
    return waves
# --- case: arrays that are as long as a tensor
def parts(points, net, parts):
    n, length, _ = points.size()
    said = net(points.cuda()).cpu().data.numpy()
    given = np.zeros((n, length))
    for i in range(n):
        given[i, :] = said[i, :].argmax(1) + parts[i]
    return given
# --- case: in one of hundreds of steps
net = torch.nn.Linear(2, 2).cuda()
for step, x in enumerate(loader):
    y = net(x)
    y.mean().backward()
    if step % 100 == 0:
        print([v.item() for v in y])  # expect: PP609 low
# --- case: for an option that is off
def words(net, loader, show=False):
    out = []
    for x in loader:
        y = net(x.cuda()).argmax(1)
        if show:
            for i in range(len(y)):
                out.append(names[y[i].item()])  # expect: PP609 low
    return out


words(net, loader)
# --- case: a mask is filled, and no element is read
def masks_of(x, sizes):
    batch_size = x.size(0)
    masks = x.new_ones((batch_size, 64, 64))
    for i in range(batch_size):
        h, w = sizes[i]
        masks[i, :h, :w] = 0
    return masks
