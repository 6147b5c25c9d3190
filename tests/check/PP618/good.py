# --- case: 32 bits
import numpy as np
import torch

class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity, width), dtype=np.float32)

    def push(self, row):
        self.states[self.at] = row
# --- case: bytes
import numpy as np
import torch

class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity, width), dtype=np.uint8)

    def push(self, row):
        self.states[self.at] = row
# --- case: by position
import numpy as np
import torch

class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity, width), np.float32)

    def push(self, row):
        self.states[self.at] = row
# --- case: a vector
import numpy as np
import torch

class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros(capacity)

    def push(self, row):
        self.states[self.at] = row
# --- case: a vector with a tuple for its shape
import numpy as np
import torch

class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity,))

    def push(self, row):
        self.states[self.at] = row
# --- case: nothing is written
import numpy as np
import torch

class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity, width))

    def push(self, row):
        print(row)
# --- case: another class
import numpy as np
import torch

class Table:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity, width))

    def push(self, row):
        self.states[self.at] = row
# --- case: like another array
import numpy as np
import torch

class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros_like(other)

    def push(self, row):
        self.states[self.at] = row
# --- case: what the caller says
import numpy as np
import torch

class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity, width), dtype=kind)

    def push(self, row):
        self.states[self.at] = row
# --- case: a tensor
import numpy as np
import torch

class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = torch.zeros(capacity, width)

    def push(self, row):
        self.states[self.at] = row
# --- case: arguments that are not seen
import numpy as np
import torch

class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity, width), **options)

    def push(self, row):
        self.states[self.at] = row
# --- case: half of that
import numpy as np
import torch

class ReplayMemory:
    def __init__(self, capacity, width):
        self.states = np.zeros((capacity, width), dtype=np.float16)

    def push(self, row):
        self.states[self.at] = row
# --- case: a column
import numpy as np
import torch


class ReplayMemory:
    def __init__(self, capacity):
        self.rewards = np.zeros((capacity, 1))

    def push(self, reward):
        self.rewards[self.at] = reward
