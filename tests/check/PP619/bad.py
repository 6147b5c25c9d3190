import gc
import time
import torch
# --- case: anomalies, for the whole program
torch.autograd.set_detect_anomaly(True)  # expect: PP619
for x, y in loader:
    criterion(model(x), y).backward()
    optimizer.step()
# --- case: by the name of the argument
torch.autograd.set_detect_anomaly(mode=True)  # expect: PP619
for x, y in loader:
    criterion(model(x), y).backward()
    optimizer.step()
# --- case: as a block
with torch.autograd.detect_anomaly():  # expect: PP619
    for x, y in loader:
        criterion(model(x), y).backward()
        optimizer.step()
# --- case: imported by name
from torch import autograd

autograd.set_detect_anomaly(True)  # expect: PP619
for x, y in loader:
    criterion(model(x), y).backward()
    optimizer.step()
# --- case: in a function
def main():
    torch.autograd.set_detect_anomaly(True)  # expect: PP619
    train()
# --- case: in the loop
for x, y in loader:
    with torch.autograd.detect_anomaly():  # expect: PP619
        criterion(model(x), y).backward()
# --- case: the cache
for x, y in loader:
    criterion(model(x), y).backward()
    optimizer.step()
    torch.cuda.empty_cache()  # expect: PP619
# --- case: before the step
for x, y in loader:
    torch.cuda.empty_cache()  # expect: PP619
    criterion(model(x), y).backward()
# --- case: garbage
for x, y in loader:
    criterion(model(x), y).backward()
    optimizer.step()
    gc.collect()  # expect: PP619
# --- case: in a function that trains
def train(model, data):
    for x in data:
        model(x).sum().backward()
        torch.cuda.empty_cache()  # expect: PP619
# --- case: in steps that are counted
for step in range(10000):
    model(batch()).sum().backward()
    torch.cuda.empty_cache()  # expect: PP619
# --- case: both
for x, y in loader:
    criterion(model(x), y).backward()
    gc.collect()  # expect: PP619
    torch.cuda.empty_cache()  # expect: PP619
