"""PP608: cuDNN takes a convolution's algorithm by rule of thumb.

All images are cropped to one size. With benchmark = True cuDNN tries its algorithms on the first batch and
keeps the fastest.
"""

import torch
from torch import nn
from torchvision import transforms

import ppcase

STEPS, SIDE = 200, 160

torch.manual_seed(608)
torch.backends.cudnn.benchmark = True
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
if device.type == "cpu":
    STEPS, SIDE = 2, 32
crop = transforms.CenterCrop((SIDE, SIDE))
model = nn.Sequential(nn.Conv2d(3, 96, 5, padding=2), nn.ReLU(), nn.Conv2d(96, 96, 5, padding=2), nn.ReLU(),
                      nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(96, 10)).to(device)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
criterion = nn.CrossEntropyLoss()
images, labels = torch.rand(16, 3, SIDE + 8, SIDE + 8, device=device), torch.arange(16, device=device) % 10
with ppcase.work():
    for _ in range(STEPS):
        loss = criterion(model(crop(images)), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    last = float(loss)
ppcase.digest(STEPS, last)
