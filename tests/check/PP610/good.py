import math
import torch
import torch.nn.functional as F
from torch import nn
# --- case: fused
def attend(q, k, v, mask, drop):
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
# --- case: beside a fused one
def attend(q, k, v, mask, drop):
    if fast:
        return F.scaled_dot_product_attention(q, k, v)
    w = F.softmax(q @ k.transpose(-2, -1), dim=-1)  # lacks: the file names a fused attention
    return w @ v
# --- case: no turned matrix
def attend(q, k, v, mask, drop):
    w = F.softmax(q @ k, dim=-1)
    return w @ v
# --- case: no softmax
def attend(q, k, v, mask, drop):
    w = q @ k.transpose(-2, -1)
    return w @ v
# --- case: a classifier
def attend(q, k, v, mask, drop):
    return F.softmax(q @ k.transpose(-2, -1), dim=-1)
# --- case: a mixture
def attend(q, k, v, mask, drop):
    w = F.softmax(q, dim=-1)
    return w @ v
# --- case: weights that are not wanted
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attn = nn.MultiheadAttention(8, 2)

    def forward(self, x):
        return self.attn(x, x, x, need_weights=False)[0]
# --- case: weights that are used
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attn = nn.MultiheadAttention(8, 2)

    def forward(self, x):
        x, weights = self.attn(x, x, x)
        return x, weights
# --- case: both are handed on
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attn = nn.MultiheadAttention(8, 2)

    def forward(self, x):
        return self.attn(x, x, x)
# --- case: another module
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attn = Other()

    def forward(self, x):
        return self.attn(x, x, x)[0]
# --- whole: NumPy
import numpy as np
import torch


def f(q, k, v):
    w = softmax(q @ k.transpose(0, 1))
    return w @ v
# --- case: arguments that are not seen
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attn = nn.MultiheadAttention(8, 2)

    def forward(self, x):
        return self.attn(x, x, x, **self.options)[0]
