"""PP610: attention over long sequences takes memory with the square of their length.

Scores, softmax and weights are matrices of length by length for each head, and all are kept for
backward(). The fused operation computes the same without storing them.
"""

import torch
import torch.nn.functional as F

import ppcase

BATCH, HEADS, LENGTH, WIDTH = 2, 8, 1024, 64

torch.manual_seed(610)
q, k, v = (torch.randn(BATCH, HEADS, LENGTH, WIDTH, requires_grad=True) for _ in range(3))


def attend(q, k, v):
    return F.scaled_dot_product_attention(q, k, v)


with ppcase.work():
    for _ in range(2):
        out = attend(q, k, v)
        out.square().mean().backward()
ppcase.digest(*(t.detach().numpy() for t in (out, q.grad, k.grad, v.grad)))
