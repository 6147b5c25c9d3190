import math
import torch
import torch.nn.functional as F
from torch import nn
# --- case: the functions of PyTorch
def act(x):
    return F.gelu(x) + F.silu(x) + F.mish(x)
# --- case: a gate of something else
def gate(x, y):
    return x * torch.sigmoid(y)
# --- case: a gate by a layer
class Excite(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8)

    def forward(self, x):
        return x * torch.sigmoid(self.fc(x))
# --- case: a sigmoid of a scaled input
def quick_gelu(x):
    return x * torch.sigmoid(1.702 * x)
# --- case: a backward pass of its own
class SwishFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)  # lacks: it is compiled, has its own backward pass, or is at the top
# --- case: compiled
@torch.jit.script
def swish(x):
    return x * torch.sigmoid(x)
# --- case: another error function
def normal(x, mean, std):
    return 0.5 * (1 + torch.erf((x - mean) / std))
# --- case: a sum
def add(x):
    return x + torch.sigmoid(x)
# --- case: tanh of another softplus
def other(x, y):
    return x * torch.tanh(F.softplus(y))
# --- case: the number alone
SCALE = 0.044715


def coefficient():
    return 0.044715
# --- whole: GELU of TensorFlow
import numpy as np
import tensorflow as tf


def gelu(x):
    return 0.5 * x * (1.0 + tf.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * tf.pow(x, 3))))  # expect: PP626 likely
# --- whole: swish of TensorFlow
import tensorflow as tf


def swish(x):
    return x * tf.nn.sigmoid(x)  # expect: PP626 likely
# --- whole: a probability, not multiplied by what it is of
import math

import torch


def probability(x):
    return 0.5 * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * x ** 3)))


print(probability)
# --- whole: an activation that nobody uses
import torch


def swish(x):
    return x * torch.sigmoid(x)  # expect: PP626 low


def double(x):
    return 2 * x
# --- file: show.py
from main import double

print(double(3))
# --- whole: TensorFlow in a file that speaks of PyTorch too
import tensorflow as tf
import torch


def swish(x):
    return x * tf.sigmoid(x)  # expect: PP626 likely


print(torch.__version__, swish)
# --- whole: for a release without the op
import torch
from torch import nn


# Releases of PyTorch 1.5 have no SiLU.
class SiLU(nn.Module):
    def forward(self, x):
        return x * torch.sigmoid(x)


net = nn.Sequential(nn.Linear(3, 3), SiLU())
# --- whole: the form that can be exported, beside one with its own backward pass
import torch
from torch import nn


class SwishFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)


class Swish(nn.Module):
    def forward(self, x):
        return x * torch.sigmoid(x)


net = nn.Sequential(nn.Linear(3, 3), Swish())
# --- case: the op in another branch
class Swish(nn.Module):
    def __init__(self, builtin=False):
        super().__init__()
        self.swish = nn.SiLU() if builtin else (lambda x: x * torch.sigmoid(x))  # lacks: the op is called besides, in another branch
