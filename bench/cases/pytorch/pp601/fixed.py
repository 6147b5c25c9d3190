"""PP601: an evaluation needs far more memory than the model's outputs.

The weights want gradients, so each forward pass keeps what every layer gave until its result is
freed, and eval() does not change that. Under no_grad() a layer's input is freed when it was used.
"""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

import ppcase

LAYERS, WIDTH, CLASSES = 20, 256, 10

torch.manual_seed(601)
images = torch.randn(8192, WIDTH)
labels = torch.randint(CLASSES, (8192,))
hidden = [part for _ in range(LAYERS) for part in (nn.Linear(WIDTH, WIDTH), nn.ReLU())]
model = nn.Sequential(*hidden, nn.Linear(WIDTH, CLASSES))


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    correct = 0
    for x, y in loader:
        correct += (model(x).argmax(1) == y).sum().item()
    return correct


loader = DataLoader(TensorDataset(images, labels), batch_size=4096)
with ppcase.work():
    correct = evaluate(model, loader)
ppcase.digest(correct, len(images))
