import math
import torch
import torch.nn.functional as F
from torch import nn
# --- case: with @
def attend(q, k, v, mask, drop):
    a = q @ k.transpose(-2, -1)
    a = F.softmax(a, dim=-1)
    return a @ v  # expect: PP610
# --- case: scaled and masked
def attend(q, k, v, mask, drop):
    a = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
    a = a.masked_fill(mask == 0, -1e9)
    a = F.softmax(a, dim=-1)
    a = drop(a)
    y = a @ v  # expect: PP610
    return y
# --- case: matmul
def attend(q, k, v, mask, drop):
    a = torch.matmul(q, k.transpose(-2, -1))
    w = a.softmax(dim=-1)
    return torch.matmul(w, v)  # expect: PP610
# --- case: bmm
def attend(q, k, v, mask, drop):
    w = torch.softmax(torch.bmm(q, k.transpose(1, 2)), dim=-1)
    return torch.bmm(w, v)  # expect: PP610
# --- case: permuted
def attend(q, k, v, mask, drop):
    w = torch.softmax(torch.matmul(q, k.permute(0, 1, 3, 2)), dim=-1)
    return torch.matmul(w, v)  # expect: PP610
# --- case: in one expression
def attend(q, k, v, mask, drop):
    return F.softmax(q @ k.transpose(-2, -1), dim=-1) @ v  # expect: PP610
# --- case: methods
def attend(q, k, v, mask, drop):
    w = q.matmul(k.transpose(-2, -1)).softmax(-1)
    return w.matmul(v)  # expect: PP610
# --- case: a layer for the softmax
class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.soft = nn.Softmax(dim=-1)

    def forward(self, q, k, v):
        w = self.soft(torch.matmul(q, k.transpose(-1, -2)))
        return torch.matmul(w, v)  # expect: PP610
# --- case: weights that nobody uses
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attn = nn.MultiheadAttention(8, 2)

    def forward(self, x):
        return self.attn(x, x, x)[0]  # expect: PP610
# --- case: unpacked into nothing
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attn = nn.MultiheadAttention(8, 2)

    def forward(self, x):
        x, _ = self.attn(x, x, x)  # expect: PP610
        return x
# --- case: dropped, with a mask
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attn = nn.MultiheadAttention(8, 2)

    def forward(self, x):
        y = self.attn(x, x, x, attn_mask=self.mask)[0]  # expect: PP610
        return y
# --- case: two of them
def attend(q, k, v, mask, drop):
    w = F.softmax(q @ k.transpose(-2, -1), dim=-1)
    u = w @ v  # expect: PP610
    return u
# --- case: also where they are returned
def attend(q, k, v, mask, drop):
    w = F.softmax(q @ k.transpose(-2, -1), dim=-1)
    u = w @ v  # expect: PP610 low
    return u, w


def other(q, k, v):
    return F.softmax(q @ k.transpose(-2, -1), dim=-1) @ v  # expect: PP610
