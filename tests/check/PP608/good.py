import torch
from torch import nn
from torchvision import transforms
# --- case: it is set
t = transforms.Resize((64, 64))
torch.backends.cudnn.benchmark = True
net = nn.Conv2d(3, 8, 3)
net = net.cuda()
for x in loader:
    net(x)
# --- case: set elsewhere
t = transforms.Resize((64, 64))
import setup

net = nn.Conv2d(3, 8, 3)
net = net.cuda()
for x in loader:
    net(x)
# --- file: setup.py
import torch

torch.backends.cudnn.benchmark = True
# --- case: the same digits are wanted
t = transforms.Resize((64, 64))
torch.backends.cudnn.deterministic = True
net = nn.Conv2d(3, 8, 3)
net = net.cuda()
for x in loader:
    net(x)
# --- case: sizes are not known
t = transforms.ToTensor()
net = nn.Conv2d(3, 8, 3)
net = net.cuda()
for x in loader:
    net(x)
# --- case: no convolution
t = transforms.Resize((64, 64))
net = nn.Linear(3, 3)
net = net.cuda()
for x in loader:
    net(x)
# --- case: on the processor
t = transforms.Resize((64, 64))
net = nn.Conv2d(3, 8, 3)
for x in loader:
    net(x)
# --- case: no loop
t = transforms.Resize((64, 64))
net = nn.Conv2d(3, 8, 3)
net = net.cuda()
net(x)
# --- case: a class alone
t = transforms.Resize((64, 64))
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Conv2d(3, 8, 3)
# --- case: not run here
t = transforms.Resize((64, 64))
net = nn.Conv2d(3, 8, 3)
net = net.cuda()
torch.save(net, path)
# --- case: by an option
t = transforms.Resize((64, 64))
torch.backends.cudnn.benchmark = args.fast
net = nn.Conv2d(3, 8, 3)
net = net.cuda()
for x in loader:
    net(x)
# --- whole: TensorFlow
import tensorflow as tf

tf.image.Resize((1, 2))
net = tf.keras.layers.Conv2D(3, 3)
for x in data:
    net(x)
# --- case: switched off on purpose
t = transforms.Resize((64, 64))
from torch.backends import cudnn

cudnn.benchmark = False
net = nn.Conv2d(3, 8, 3)
net = net.cuda()
for x in loader:
    net(x)
