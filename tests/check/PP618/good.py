import numpy as np
import torch
# --- case: 32 bits
class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity, width), dtype=np.float32)  # lacks: it is not seen to be the shape of pictures

    def push(self, row):
        self.states[self.at] = row
# --- case: bytes
class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity, width), dtype=np.uint8)

    def push(self, row):
        self.states[self.at] = row
# --- case: by position
class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity, width), np.float32)

    def push(self, row):
        self.states[self.at] = row
# --- case: a vector
class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros(capacity)

    def push(self, row):
        self.states[self.at] = row
# --- case: a vector with a tuple for its shape
class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity,))

    def push(self, row):
        self.states[self.at] = row
# --- case: nothing is written
class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity, width))

    def push(self, row):
        print(row)
# --- case: another class
class Table:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity, width))

    def push(self, row):
        self.states[self.at] = row
# --- case: like another array
class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros_like(other)

    def push(self, row):
        self.states[self.at] = row
# --- case: what the caller says
class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity, width), dtype=kind)

    def push(self, row):
        self.states[self.at] = row
# --- case: a tensor
class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = torch.zeros(capacity, width)

    def push(self, row):
        self.states[self.at] = row
# --- case: arguments that are not seen
class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity, width), **options)

    def push(self, row):
        self.states[self.at] = row
# --- case: half of that
class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity, width), dtype=np.float16)

    def push(self, row):
        self.states[self.at] = row
# --- case: a column
class ReplayMemory:
    def __init__(self, capacity):
        self.rewards = np.zeros((capacity, 1))

    def push(self, reward):
        self.rewards[self.at] = reward
# --- case: a vector of ones
def encode(labels, n):
    x = np.zeros((len(labels), n))
    for i, label in enumerate(labels):
        x[i, label] = 1
    return torch.from_numpy(x)
# --- case: pictures as numbers of 32 bits, which may be no bytes
class ReplayBuffer:
    def __init__(self, size):
        self.frames = np.empty((size, 84, 84), dtype=np.float32)  # expect: PP618 likely

    def add(self, i, frame):
        self.frames[i] = frame
# --- case: pictures as bytes
class ReplayBuffer:
    def __init__(self, size):
        self.frames = np.empty((size, 84, 84), dtype=np.uint8)

    def add(self, i, frame):
        self.frames[i] = frame
# --- case: states of a network without convolutions
import numpy as np
import torch.nn as nn

linear = nn.Linear(4, 32)


class ReplayBuffer:
    def __init__(self, size, input_shape):
        self.state_memory = np.zeros((size, *input_shape), dtype=np.float32)

    def put(self, i, state):
        self.state_memory[i] = state
# --- whole: no elements
import numpy as np
import torch


class Agent:
    def __init__(self, found):
        if not found:
            memory = np.zeros((0, 0))
        else:
            memory = np.array(found)
        memory[0] = 1
        self.memory = memory
# --- case: some ten thousand rows
ROWS = 20000


class Memory:
    def __init__(self, width):
        self.memory = np.zeros((ROWS, width * 2 + 2))  # expect: PP618 low

    def push(self, row):
        self.memory[self.at] = row
# --- case: two thousand rows where nobody says otherwise
class Agent:
    def __init__(self, width, rows=2000):
        self.rows = rows
        self.memory = np.zeros((self.rows, width * 2 + 2))  # expect: PP618 low

    def store(self, i, row):
        self.memory[i % self.rows, :] = row
# --- case: weights of a few steps, one after the other
def weights(n, gamma):
    gamma_buffer = np.ones(n + 1)
    for i in range(1, n + 1):
        gamma_buffer[i] = gamma_buffer[i - 1] * gamma
    return gamma_buffer
# --- whole: a memory that nobody makes, of the name of another one
import numpy as np
import torch


class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity, width))  # expect: PP618 low

    def push(self, row):
        self.states[self.at] = row

    def copy(self, other: "ReplayMemory"):
        self.states[:] = other.states
# --- file: memory.py
import numpy as np
import torch


class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity, width), dtype=np.float32)

    def push(self, row):
        self.states[self.at] = row
# --- file: train.py
from memory import ReplayMemory as Memory

if __name__ == "__main__":
    memory = Memory(1000000, 17)
