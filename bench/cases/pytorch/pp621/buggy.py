"""PP621: the network runs twice on each batch.

Once for the loss, once for what it predicts: the second run gives the same numbers.
"""

import torch
from torch import nn

import ppcase

BATCHES, ITEMS, WIDTH, CLASSES = 40, 128, 512, 10

torch.manual_seed(1)
loader = [(torch.randn(ITEMS, WIDTH), torch.randint(CLASSES, (ITEMS,))) for _ in range(BATCHES)]


def evaluate():
    torch.manual_seed(621)
    model = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, CLASSES))
    criterion = nn.CrossEntropyLoss()
    total, right = torch.zeros(()), torch.zeros((), dtype=torch.long)
    with torch.no_grad():
        for x, y in loader:
            total += criterion(model(x), y)
            right += (model(x).argmax(1) == y).sum()
    return total.item(), right.item()


for _ in ppcase.work():
    total, right = evaluate()
ppcase.digest(len(loader), total, right)
