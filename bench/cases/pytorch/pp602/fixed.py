"""PP602: training waits while the next batch of images is read.

Without workers the loader opens, decodes and scales each image when the loop asks for the batch.
With workers that happens in other processes, while the model computes.
"""

import numpy as np
import torch
from PIL import Image
from torch import nn
from torch.utils.data import DataLoader, Dataset

import ppcase

IMAGES, SIDE = 128, 640


class Photos(Dataset):
    def __init__(self, paths):
        self.paths = paths

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, i):
        image = Image.open(self.paths[i]).convert("RGB").resize((64, 64), Image.BICUBIC)
        return torch.from_numpy(np.array(image)).permute(2, 0, 1) / 255.0, i % 10


def make_photos():
    rng = np.random.default_rng(602)
    paths = [f"{i}.jpg" for i in range(IMAGES)]
    for path in paths:
        coarse = rng.integers(256, size=(48, 48, 3), dtype=np.uint8)
        Image.fromarray(coarse).resize((SIDE, SIDE)).save(path, quality=90)
    return paths


def main():
    torch.manual_seed(602)
    train = Photos(make_photos())
    loader = DataLoader(train, batch_size=16, shuffle=True, num_workers=2)
    model = nn.Sequential(nn.Conv2d(3, 16, 3, stride=2), nn.ReLU(), nn.Conv2d(16, 32, 3, stride=2),
                          nn.ReLU(), nn.AdaptiveAvgPool2d(4), nn.Flatten(), nn.Linear(512, 10))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    criterion = nn.CrossEntropyLoss()
    seen = 0
    with ppcase.work():
        for x, y in loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
            seen += len(x)
    ppcase.digest(seen, *(p.detach().numpy() for p in model.parameters()))


if __name__ == "__main__":
    main()
