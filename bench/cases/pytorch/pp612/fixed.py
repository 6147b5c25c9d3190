"""PP612: most of an inference is spent between its operations.

Every run starts all operations of the model, whatever the size of the batch. One image at a time pays
for that 2,000 times.
"""

import torch
from torch import nn

import ppcase

IMAGES, WIDTH, CLASSES = 2000, 96, 10

torch.manual_seed(612)
hidden = [part for _ in range(12) for part in (nn.Linear(WIDTH, WIDTH), nn.ReLU())]
model = nn.Sequential(*hidden, nn.Linear(WIDTH, CLASSES)).eval()
images = torch.randn(IMAGES, WIDTH)


@torch.no_grad()
def classify(images):
    scores = []
    for batch in images.split(64):
        scores.append(model(batch))
    return torch.cat(scores)


for _ in ppcase.work():
    scores = classify(images)
ppcase.digest(scores.numpy())
