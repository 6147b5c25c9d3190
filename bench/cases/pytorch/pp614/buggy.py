"""PP614: every step starts two processes.

The loader of the validation data is made after each step of training, and its workers with it. Made
once, with persistent workers, it has them from the first step on.
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import ppcase

WIDTH = 16


def train_and_validate():
    torch.manual_seed(614)
    model = nn.Linear(WIDTH, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    criterion = nn.MSELoss()
    train = TensorDataset(torch.randn(640, WIDTH), torch.randn(640, 1))
    valid = TensorDataset(torch.randn(64, WIDTH), torch.randn(64, 1))
    loader = DataLoader(train, batch_size=32)
    losses = []
    for x, y in loader:
        optimizer.zero_grad()
        criterion(model(x), y).backward()
        optimizer.step()
        valid_loader = DataLoader(valid, batch_size=32, num_workers=2, persistent_workers=True)
        with torch.no_grad():
            losses += [criterion(model(a), b).item() for a, b in valid_loader]
    return losses, [p.detach().numpy() for p in model.parameters()]


if __name__ == "__main__":
    for _ in ppcase.work():
        losses, weights = train_and_validate()
    ppcase.digest(len(losses), losses, *weights)
