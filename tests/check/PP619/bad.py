# --- case: anomalies, for the whole program
import gc
import time

import torch

torch.autograd.set_detect_anomaly(True)  # expect: PP619
for x, y in loader:
    criterion(model(x), y).backward()
    optimizer.step()
# --- case: by the name of the argument
import gc
import time

import torch

torch.autograd.set_detect_anomaly(mode=True)  # expect: PP619
for x, y in loader:
    criterion(model(x), y).backward()
    optimizer.step()
# --- case: as a block
import gc
import time

import torch

with torch.autograd.detect_anomaly():  # expect: PP619
    for x, y in loader:
        criterion(model(x), y).backward()
        optimizer.step()
# --- case: imported by name
import gc
import time

import torch

from torch import autograd

autograd.set_detect_anomaly(True)  # expect: PP619
for x, y in loader:
    criterion(model(x), y).backward()
    optimizer.step()
# --- case: in a function
import gc
import time

import torch

def main():
    torch.autograd.set_detect_anomaly(True)  # expect: PP619
    train()
# --- case: in the loop
import gc
import time

import torch

for x, y in loader:
    with torch.autograd.detect_anomaly():  # expect: PP619
        criterion(model(x), y).backward()
# --- case: the cache
import gc
import time

import torch

for x, y in loader:
    criterion(model(x), y).backward()
    optimizer.step()
    torch.cuda.empty_cache()  # expect: PP619
# --- case: before the step
import gc
import time

import torch

for x, y in loader:
    torch.cuda.empty_cache()  # expect: PP619
    criterion(model(x), y).backward()
# --- case: garbage
import gc
import time

import torch

for x, y in loader:
    criterion(model(x), y).backward()
    optimizer.step()
    gc.collect()  # expect: PP619
# --- case: waiting for nothing
import gc
import time

import torch

for x, y in loader:
    criterion(model(x), y).backward()
    optimizer.step()
    torch.cuda.synchronize()  # expect: PP619
# --- case: in a function that trains
import gc
import time

import torch

def train(model, data):
    for x in data:
        model(x).sum().backward()
        torch.cuda.empty_cache()  # expect: PP619
# --- case: in steps that are counted
import gc
import time

import torch

for step in range(10000):
    model(batch()).sum().backward()
    torch.cuda.empty_cache()  # expect: PP619
# --- case: both
import gc
import time

import torch

for x, y in loader:
    criterion(model(x), y).backward()
    gc.collect()  # expect: PP619
    torch.cuda.empty_cache()  # expect: PP619
