# --- case: it is set
import torch
from torch import nn
from torchvision import transforms

t = transforms.Resize((64, 64))
torch.backends.cudnn.benchmark = True
net = nn.Conv2d(3, 8, 3)
net = net.cuda()
for x in loader:
    net(x)
# --- case: set elsewhere
import torch
from torch import nn
from torchvision import transforms

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
import torch
from torch import nn
from torchvision import transforms

t = transforms.Resize((64, 64))
torch.backends.cudnn.deterministic = True
net = nn.Conv2d(3, 8, 3)
net = net.cuda()
for x in loader:
    net(x)
# --- case: sizes are not known
import torch
from torch import nn
from torchvision import transforms

t = transforms.ToTensor()
net = nn.Conv2d(3, 8, 3)
net = net.cuda()
for x in loader:
    net(x)
# --- case: no convolution
import torch
from torch import nn
from torchvision import transforms

t = transforms.Resize((64, 64))
net = nn.Linear(3, 3)
net = net.cuda()
for x in loader:
    net(x)
# --- case: on the processor
import torch
from torch import nn
from torchvision import transforms

t = transforms.Resize((64, 64))
net = nn.Conv2d(3, 8, 3)
for x in loader:
    net(x)
# --- case: no loop
import torch
from torch import nn
from torchvision import transforms

t = transforms.Resize((64, 64))
net = nn.Conv2d(3, 8, 3)
net = net.cuda()
net(x)
# --- case: a class alone
import torch
from torch import nn
from torchvision import transforms

t = transforms.Resize((64, 64))
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Conv2d(3, 8, 3)
# --- case: not run here
import torch
from torch import nn
from torchvision import transforms

t = transforms.Resize((64, 64))
net = nn.Conv2d(3, 8, 3)
net = net.cuda()
torch.save(net, path)
# --- case: by an option
import torch
from torch import nn
from torchvision import transforms

t = transforms.Resize((64, 64))
torch.backends.cudnn.benchmark = args.fast
net = nn.Conv2d(3, 8, 3)
net = net.cuda()
for x in loader:
    net(x)
# --- case: TensorFlow
import tensorflow as tf

tf.image.Resize((1, 2))
net = tf.keras.layers.Conv2D(3, 3)
for x in data:
    net(x)
# --- case: switched off on purpose
import torch
from torch import nn
from torchvision import transforms

t = transforms.Resize((64, 64))
from torch.backends import cudnn

cudnn.benchmark = False
net = nn.Conv2d(3, 8, 3)
net = net.cuda()
for x in loader:
    net(x)
