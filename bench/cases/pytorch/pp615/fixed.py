"""PP615: an epoch takes the square of the number of items.

Each item opens and parses the file of all captions, and takes one of them.
"""

import json

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

import ppcase

ITEMS, WORDS, VOCABULARY = 600, 24, 500


class Captions(Dataset):
    def __init__(self, path):
        self.captions = json.load(open(path))

    def __len__(self):
        return ITEMS

    def __getitem__(self, i):
        return torch.tensor(self.captions[i]), i % 2


rng = np.random.default_rng(615)
with open("captions.json", "w") as file:
    json.dump(rng.integers(VOCABULARY, size=(ITEMS, WORDS)).tolist(), file)


def train():
    torch.manual_seed(615)
    model = nn.Sequential(nn.Embedding(VOCABULARY, 16), nn.Flatten(), nn.Linear(16 * WORDS, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    criterion = nn.CrossEntropyLoss()
    seen = 0
    for x, y in DataLoader(Captions("captions.json"), batch_size=60, shuffle=True):
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
        seen += len(x)
    return seen, [p.detach().numpy() for p in model.parameters()]


for _ in ppcase.work():
    seen, weights = train()
ppcase.digest(seen, *weights)
