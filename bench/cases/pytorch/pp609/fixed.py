"""PP609: advantages take longer than the steps that use them.

Each element is a tensor of one number, and each sum and product of such is an operation of its own. As
plain numbers of Python they take some hundredths of that.
"""

import torch

import ppcase

STEPS, GAMMA = 20000, 0.99

torch.manual_seed(609)
rewards = torch.randn(STEPS, dtype=torch.float64)
masks = (torch.rand(STEPS) > 0.01).double()


def discounted(rewards, masks):
    rewards, masks = rewards.tolist(), masks.tolist()
    returns = [0.0] * len(rewards)
    last = 0.0
    for i in reversed(range(len(rewards))):
        last = rewards[i] + GAMMA * last * masks[i]
        returns[i] = last
    return torch.tensor(returns, dtype=torch.float64)


for _ in ppcase.work():
    returns = discounted(rewards, masks)
ppcase.digest(STEPS, returns.numpy())
