import torch
from torch import nn

from batches import batches

device = torch.device("cuda")


def evaluate(model, data):
    out = torch.zeros(0)
    for x in data:
        out = torch.cat([out, model(x)])
    return out


def model(x):
    return x * 2


class Net(nn.Module):
    def rnn(self, x, h):
        return x.add(h)

    def forward(self, x):
        h = torch.zeros(2, x.size(0), 128).to(device), torch.zeros(2, x.size(0), 128).to(device)
        return self.rnn(x, h)


def shuffle(order):
    for i in range(len(order)):
        j = (i * 7919) % len(order)
        order[i], order[j] = order[j], order[i]
    return order


def train(epochs):
    total = 0.0
    for epoch in range(epochs):
        for x in batches(60):
            loss = model(x).sum()
            total += loss.item()
        Net().forward(torch.zeros(2))
        shuffle(list(range(60000)))
    return total


if __name__ == "__main__":
    print(train(50))
    print(len(evaluate(model, batches(900))))
