import numpy as np
import torch
# --- case: zeros
class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity, width))  # expect: PP618

    def push(self, row):
        self.states[self.at] = row
# --- case: empty
class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.empty((capacity, width))  # expect: PP618

    def push(self, row):
        self.states[self.at] = row
# --- case: ones
class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.ones((capacity, width))  # expect: PP618

    def push(self, row):
        self.states[self.at] = row
# --- case: float, which is 64 bits
class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity, width), dtype=float)  # expect: PP618

    def push(self, row):
        self.states[self.at] = row
# --- case: said to be 64 bits
class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity, width), dtype=np.float64)  # expect: PP618

    def push(self, row):
        self.states[self.at] = row
# --- case: by position
class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity, width), np.float64)  # expect: PP618

    def push(self, row):
        self.states[self.at] = row
# --- case: a list for the shape
class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros([capacity, width])  # expect: PP618

    def push(self, row):
        self.states[self.at] = row
# --- case: by the name of the attribute
class DQN:
    def __init__(self, capacity, width):
        self.memory = np.zeros((capacity, width * 2 + 2))  # expect: PP618

    def push(self, row):
        self.memory[self.at, :] = row
# --- case: a buffer
class RolloutBuffer:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity, width))  # expect: PP618

    def push(self, row):
        self.states[self.at] = row
# --- case: images
class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.empty((capacity, 4, 84, 84))  # expect: PP618

    def push(self, row):
        self.states[self.at] = row
# --- case: a sum of tuples
class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity,) + width)  # expect: PP618

    def push(self, row):
        self.states[self.at] = row
# --- case: a variable
replay = np.zeros((1000000, 8))  # expect: PP618
for i, row in enumerate(rows):
    replay[i % 1000000] = row
# --- case: two of them
class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity, width))  # expect: PP618
        self.actions = np.zeros((capacity, 2))

    def push(self, row):
        self.states[self.at] = row
        self.actions[self.at] = row
# --- whole: a memory of an agent of Keras
import numpy as np
import tensorflow as tf


class Memory:
    def __init__(self, size, shape):
        self.state_memory = np.zeros((size, *shape))  # expect: PP618
        self.at = 0

    def store(self, state):
        self.state_memory[self.at] = state
        self.at += 1
# --- case: states of a network with convolutions
import numpy as np
import torch.nn as nn

conv = nn.Conv2d(4, 32, 8)


class ReplayBuffer:
    def __init__(self, size, input_shape):
        self.state_memory = np.zeros((size, *input_shape), dtype=np.float32)  # expect: PP618
        self.reward_memory = np.zeros(size, dtype=np.float32)

    def put(self, i, state, reward):
        self.state_memory[i] = state
        self.reward_memory[i] = reward
# --- case: a million rows
ROWS = 1000000


class Memory:
    def __init__(self, width):
        self.memory = np.zeros((ROWS, width * 2 + 2))  # expect: PP618

    def push(self, row):
        self.memory[self.at] = row
# --- case: a few thousand pictures
class Memory:
    def __init__(self):
        self.memory = np.zeros((2000, 84, 84, 4))  # expect: PP618

    def push(self, row):
        self.memory[self.at] = row
# --- case: a few thousand inputs of any shape
class Memory:
    def __init__(self, shape):
        self.memory = np.zeros((2000, *shape))  # expect: PP618

    def push(self, row):
        self.memory[self.at] = row
# --- whole: a memory that is found by its name
import numpy as np
import torch


class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity, width))  # expect: PP618

    def push(self, row):
        self.states[self.at] = row
# --- file: train.py
import main

if __name__ == "__main__":
    memory = getattr(main, "ReplayMemory")(1000000, 17)
# --- whole: a memory that a decorator registers
import numpy as np
import torch
import registry


@registry.add
class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity, width))  # expect: PP618

    def push(self, row):
        self.states[self.at] = row
# --- file: train.py
import main
import registry

if __name__ == "__main__":
    memory = registry.first()(1000000, 17)
# --- whole: in a package of which no program is seen
import numpy as np
import torch


class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity, width))  # expect: PP618

    def push(self, row):
        self.states[self.at] = row
# --- file: other.py
def double(x):
    return 2 * x
