import numpy as np
import torch
# --- case: a list literal
def convert(rows, paths, table):
    x = torch.tensor([np.zeros(3), np.ones(3)])  # expect: PP616
# --- case: a comprehension
def convert(rows, paths, table):
    x = torch.tensor([np.array(row) for row in rows])  # expect: PP616
# --- case: a class of tensors
def convert(rows, paths, table):
    x = torch.FloatTensor([np.asarray(row) for row in rows])  # expect: PP616
# --- case: as_tensor
def convert(rows, paths, table):
    x = torch.as_tensor([np.load(path) for path in paths])  # expect: PP616
# --- case: a list that is filled
def convert(rows, paths, table):
    rows = []
    for path in paths:
        rows.append(np.load(path))
    x = torch.tensor(rows)  # expect: PP616
# --- case: two lists that are filled
def convert(rows, paths, table):
    xs, ys = [], []
    for path in paths:
        xs.append(np.load(path))
        ys.append(1)
    x = torch.tensor(xs), torch.tensor(ys)  # expect: PP616
# --- case: an array by way of a name
def convert(rows, paths, table):
    rows = []
    for row in table:
        a = np.array(row)
        rows.append(a)
    x = torch.Tensor(rows)  # expect: PP616
# --- case: states of an environment
import gym


def sample(memory):
    s_lst = []
    for transition in memory:
        s, a = transition
        s_lst.append(s)
    states = []
    for state, action in memory:
        states.append(state)
    return torch.tensor(states)  # expect: PP616
# --- case: columns of a replay memory
import gym


def learn(memory):
    states, actions, rewards = zip(*random.sample(memory, 32))
    a = torch.LongTensor(actions)
    return torch.FloatTensor(states)  # expect: PP616
# --- case: a named tuple of columns
import gym


def learn(batch):
    return torch.tensor(batch.next_state)  # expect: PP616
# --- case: the state of each
import gym


def learn(batch):
    return torch.tensor([t.state for t in batch])  # expect: PP616
# --- case: with a type and a device
def convert(rows, paths, table):
    x = torch.tensor([np.array(row) for row in rows], dtype=torch.float, device=device)  # expect: PP616
# --- case: in a method
class Loader:
    def batch(self, rows):
        found = [np.asarray(row) for row in rows]
        return torch.tensor(found)  # expect: PP616
# --- case: once, at the top
x = torch.tensor([np.array(row) for row in rows])  # expect: PP616 low
y = [torch.tensor([np.array(row) for row in rows]) for rows in tables]  # expect: PP616
# --- case: scaled arrays
def features(net, images):
    arrays = []
    for image in images:
        arrays.append(np.asarray(image, dtype=np.float32) / 255)
    return net(torch.tensor(arrays).cuda())  # expect: PP616
# --- whole: columns that a memory of the project gives
import random

import torch
from gym import make


class Memory:
    def __init__(self):
        self.items = []

    def sample(self, n):
        batch = random.sample(self.items, n)
        states, actions, rewards = zip(*batch)
        return states, actions, rewards


class Agent:
    def __init__(self):
        self.memory = Memory()
        self.env = make("CartPole-v1")

    def learn(self):
        a, b, c = self.memory.sample(64)
        first = torch.FloatTensor(a).cuda()  # expect: PP616
        second = torch.tensor([s for s in a])  # expect: PP616
        return first, second, torch.LongTensor(b)
# --- whole: states of an environment, by short names
import torch


def collect(env, policy):
    s, states = env.reset(), []
    for _ in range(1000):
        s2, r, done, info = env.step(policy(s))
        states.append(s)
        s = s2
    return torch.tensor(states, dtype=torch.float)  # expect: PP616


for i in range(100):
    collect(env, policy)
# --- whole: a map over transitions
import gym
import torch


def learn(memory):
    part = memory.sample(64)
    return torch.FloatTensor(list(map(lambda e: e.next_state, part)))  # expect: PP616


for i in range(100):
    learn(memory)
# --- case: a column of what was appended, through a sample and zip
import random
from collections import deque


def train(drawn):
    pictures, points = zip(*drawn)
    return torch.tensor(pictures), torch.tensor(points)  # expect: PP616


kept = deque(maxlen=1000)
while True:
    picture = np.asarray(camera())
    kept.append((picture, 3))
    train(random.sample(kept, 20))
# --- case: a method, and a list that is its object's
class Memory:
    def __init__(self):
        self.kept = []

    def put(self, picture, points):
        self.kept.append((np.array(picture), points))

    def draw(self, count):
        rows = self.kept
        pictures, points = zip(*rows)
        return torch.tensor(pictures)  # expect: PP616
# --- case: one state of an environment, which is a picture
import gym
import torch.nn as nn

conv = nn.Conv2d(4, 32, 8)


class Agent:
    def choose_action(self, observation):
        state = torch.tensor([observation], dtype=torch.float)  # expect: PP616
        return self.net(state).argmax()
