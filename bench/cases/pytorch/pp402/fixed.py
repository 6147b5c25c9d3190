"""PP402: collecting features takes longer with every batch.

A tensor cannot grow: each torch.cat makes a new one and copies all that came before.
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import ppcase

IMAGES, WIDTH, FEATURES = 20000, 32, 256

torch.manual_seed(402)
net = nn.Sequential(nn.Linear(WIDTH, FEATURES), nn.ReLU()).eval()
loader = DataLoader(TensorDataset(torch.randn(IMAGES, WIDTH)), batch_size=64)


@torch.no_grad()
def extract(loader):
    features = []
    for (images,) in loader:
        features.append(net(images))
    return torch.cat(features)


for _ in ppcase.work():
    features = extract(loader)
ppcase.digest(features.shape, features.numpy())
