import math
import torch
import torch.nn.functional as F
from torch import nn
# --- case: GELU by tanh
def gelu(x):
    return 0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))))  # expect: PP626


print(gelu)
# --- case: GELU by the error function
def gelu(x):
    return x * 0.5 * (1.0 + torch.erf(x / math.sqrt(2.0)))  # expect: PP626


print(gelu)
# --- case: a module of it
class GELU(nn.Module):
    def forward(self, x):
        return 0.5 * x * (1 + torch.tanh(0.7978845608 * (x + 0.044715 * x ** 3)))  # expect: PP626


print(GELU)
# --- case: a distribution function first
def gelu(x):
    return x * (0.5 * (1.0 + torch.erf(x * 0.7071067811865476)))  # expect: PP626


print(gelu)
# --- case: swish
class Swish(nn.Module):
    def forward(self, x):
        return x * torch.sigmoid(x)  # expect: PP626


print(Swish)
# --- case: swish by a method
def swish(x):
    return x * x.sigmoid()  # expect: PP626


print(swish)
# --- case: swish, the gate first
def swish(x):
    return F.sigmoid(x) * x  # expect: PP626


print(swish)
# --- case: mish
class Mish(nn.Module):
    def forward(self, x):
        return x * torch.tanh(F.softplus(x))  # expect: PP626


print(Mish)
# --- case: mish by methods
def mish(x):
    return x * (torch.tanh(F.softplus(x)))  # expect: PP626


print(mish)
# --- case: in a block
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)

    def forward(self, x):
        y = self.conv(x)
        return y * torch.sigmoid(y)  # expect: PP626


print(Block)
# --- case: GELU over two lines
def gelu(x):
    inner = math.sqrt(2 / math.pi)
    return 0.5 * x * (1 + torch.tanh(  # expect: PP626
        inner * (x + 0.044715 * x * x * x)))


print(gelu)
# --- case: two of them
def both(x, y):
    a = x * torch.sigmoid(x)  # expect: PP626
    b = 0.5 * y * (1.0 + torch.erf(y / math.sqrt(2.0)))  # expect: PP626
    return a + b


print(both)
