import torch
from torch import nn
from torchvision import transforms
# --- case: asks for the device
t = transforms.Resize((64, 64))
net = nn.Conv2d(3, 8, 3)
cuda = torch.cuda.is_available()  # expect: PP608 low
for x in loader:
    net(x)
# --- case: moves its module
t = transforms.Resize((64, 64))
net = nn.Conv2d(3, 8, 3)
net = net.cuda()  # expect: PP608 low
for x in loader:
    net(x)
# --- case: as a device
t = transforms.Resize((64, 64))
net = nn.Conv2d(3, 8, 3)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")  # expect: PP608 low
net.to(device)
for x in loader:
    net(x)
# --- case: cropped
t = transforms.RandomCrop((64, 64))
net = nn.Conv2d(3, 8, 3)
net = net.cuda()  # expect: PP608 low
for x in loader:
    net(x)
# --- case: cropped in the middle
t = transforms.CenterCrop((64, 64))
net = nn.Conv2d(3, 8, 3)
net = net.cuda()  # expect: PP608 low
for x in loader:
    net(x)
# --- case: a network of torchvision
t = transforms.Resize((64, 64))
import torchvision

net = torchvision.models.resnet18()
net = net.cuda()  # expect: PP608 low
for x in loader:
    net(x)
# --- case: a class of the project
t = transforms.Resize((64, 64))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Conv2d(3, 8, 3)

    def forward(self, x):
        return self.c(x)


net = Net().cuda()  # expect: PP608 low
for x in loader:
    net(x)
# --- case: a class of another file
t = transforms.Resize((64, 64))
from nets import Net

net = Net().cuda()  # expect: PP608 low
for x in loader:
    net(x)
# --- file: nets.py
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Conv2d(3, 8, 3)

    def forward(self, x):
        return self.c(x)
# --- case: a size of the options
t = transforms.Compose([])
img_size = 64
net = nn.Conv2d(3, 8, 3)
net = net.cuda()  # expect: PP608 low
for x in loader:
    net(x)
# --- case: training
t = transforms.Resize((64, 64))
net = nn.Conv2d(3, 8, 3)
net = net.cuda()  # expect: PP608 low
for x in loader:
    net(x).mean().backward()
# --- case: in a function
t = transforms.Resize((64, 64))
net = nn.Conv2d(3, 8, 3)


def main():
    use = torch.cuda.is_available()  # expect: PP608 low
    for x in loader:
        net(x)
# --- case: transposed
t = transforms.Resize((64, 64))
net = nn.ConvTranspose2d(8, 3, 3)
net = net.cuda()  # expect: PP608 low
for x in loader:
    net(x)
