import numpy as np
import torch
# --- case: numbers
x = torch.tensor([1, 2, 3])  # lacks: it is not known to be a list of NumPy arrays
# --- case: joined first
x = torch.tensor(np.array([np.zeros(3), np.ones(3)]))
# --- case: shared
x = torch.from_numpy(np.stack([np.zeros(3), np.ones(3)]))
# --- case: tensors
x = torch.stack([torch.zeros(3), torch.ones(3)])
# --- case: numbers that NumPy gives
x = torch.tensor([np.mean(row) for row in rows])
# --- case: one array
x = torch.tensor(np.zeros(3))
# --- case: a list of one
x = torch.FloatTensor([np.zeros(3)])
# --- case: names that say nothing
x = torch.tensor([row for row in rows])
# --- case: states without an environment
def load(states):
    all = []
    for state in states:
        all.append(state)
    return torch.tensor(all)
# --- case: actions and rewards
import gym


def learn(memory):
    states, actions, rewards = zip(*memory)
    return torch.tensor(actions), torch.tensor(rewards)
# --- case: a list that is filled with numbers
values = []
for row in rows:
    values.append(float(np.sum(row)))
x = torch.tensor(values)
# --- case: a shape
x = torch.Tensor(3, 4)
# --- case: lengths
x = torch.LongTensor([len(row) for row in rows])
# --- whole: columns of numbers that a memory of the project gives
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
def features(net, image):
    array = np.asarray(image, dtype=np.float32) / 255
    return net(torch.tensor(array).cuda())
# --- whole: rewards of an environment are numbers
import torch


def collect(env, policy):
    s, rewards = env.reset(), []
    for _ in range(1000):
        s, r, done, info = env.step(policy(s))
        rewards.append(r)
    return torch.tensor(rewards)
# --- case: a column of numbers, and of what is not known
import random

kept = []
for number in range(100):
    kept.append((number, read(number)))
numbers, things = zip(*random.sample(kept, 20))
print(torch.tensor(numbers), torch.tensor(things))
# --- case: one state of a few numbers
import gym


class Agent:
    def choose_action(self, observation):
        state = torch.tensor([observation], dtype=torch.float)
        return self.net(state).argmax()
# --- case: columns that are joined already
import gym


class Memory:
    def sample(self, n):
        state, action, reward = map(np.stack, zip(*random.sample(self.rows, n)))
        return state, action, reward


memory = Memory()
for step in range(10000):
    state, action, reward = memory.sample(32)
    x = torch.FloatTensor(state)
