# --- case: numbers
import numpy as np
import torch

x = torch.tensor([1, 2, 3])
# --- case: joined first
import numpy as np
import torch

x = torch.tensor(np.array([np.zeros(3), np.ones(3)]))
# --- case: shared
import numpy as np
import torch

x = torch.from_numpy(np.stack([np.zeros(3), np.ones(3)]))
# --- case: tensors
import numpy as np
import torch

x = torch.stack([torch.zeros(3), torch.ones(3)])
# --- case: numbers that NumPy gives
import numpy as np
import torch

x = torch.tensor([np.mean(row) for row in rows])
# --- case: one array
import numpy as np
import torch

x = torch.tensor(np.zeros(3))
# --- case: a list of one
import numpy as np
import torch

x = torch.FloatTensor([np.zeros(3)])
# --- case: names that say nothing
import numpy as np
import torch

x = torch.tensor([row for row in rows])
# --- case: states without an environment
import numpy as np
import torch

def load(states):
    all = []
    for state in states:
        all.append(state)
    return torch.tensor(all)
# --- case: actions and rewards
import numpy as np
import torch

import gym


def learn(memory):
    states, actions, rewards = zip(*memory)
    return torch.tensor(actions), torch.tensor(rewards)
# --- case: a list that is filled with numbers
import numpy as np
import torch

values = []
for row in rows:
    values.append(float(np.sum(row)))
x = torch.tensor(values)
# --- case: a shape
import numpy as np
import torch

x = torch.Tensor(3, 4)
# --- case: lengths
import numpy as np
import torch

x = torch.LongTensor([len(row) for row in rows])
# --- case: columns of numbers that a memory of the project gives
import random

import torch
from gym import make


class Memory:
    def sample(self, n):
        states, actions, rewards = zip(*random.sample(self.items, n))
        return states, actions, rewards


memory = Memory()
for step in range(1000):
    states, actions, rewards = memory.sample(64)
    update(torch.tensor(actions), torch.tensor([r for r in rewards]))
# --- case: one array, scaled
import numpy as np
import torch


def features(net, image):
    array = np.asarray(image, dtype=np.float32) / 255
    return net(torch.tensor(array).cuda())
# --- case: rewards of an environment are numbers
import torch


def collect(env, policy):
    s, rewards = env.reset(), []
    for _ in range(1000):
        s, r, done, info = env.step(policy(s))
        rewards.append(r)
    return torch.tensor(rewards)
