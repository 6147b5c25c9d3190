import gc
import time
import torch
# --- case: as somebody asks for
torch.autograd.set_detect_anomaly(args.debug)  # lacks: it is not always on
for x, y in loader:
    criterion(model(x), y).backward()
    optimizer.step()
# --- case: behind an if
if args.debug:
    torch.autograd.set_detect_anomaly(True)
for x, y in loader:
    criterion(model(x), y).backward()
    optimizer.step()
# --- case: off
torch.autograd.set_detect_anomaly(False)
for x, y in loader:
    criterion(model(x), y).backward()
    optimizer.step()
# --- case: off, as a block
with torch.autograd.detect_anomaly(False):
    train()
# --- case: once in an epoch
for epoch in range(10):
    train_epoch()
    torch.cuda.empty_cache()
# --- case: now and then
for i, (x, y) in enumerate(loader):
    criterion(model(x), y).backward()
    if i % 100 == 0:
        torch.cuda.empty_cache()
# --- case: measured
for x, y in loader:
    start = time.time()
    criterion(model(x), y).backward()
    torch.cuda.synchronize()
    print(time.time() - start)
# --- case: measured, by a function of another name
from time import monotonic as now

for x, y in loader:
    start = now()
    criterion(model(x), y).backward()
    torch.cuda.synchronize()
    print(now() - start)
# --- case: after the loop
for x, y in loader:
    criterion(model(x), y).backward()
    optimizer.step()
torch.cuda.empty_cache()
# --- case: after memory ran out
for x, y in loader:
    try:
        criterion(model(x), y).backward()
    except RuntimeError:
        torch.cuda.empty_cache()
# --- case: in a loop that does not train
for path in paths:
    convert(path)
    gc.collect()
# --- case: a stream
for x, y in loader:
    criterion(model(x), y).backward()
    stream.synchronize()
# --- case: between models
for name in ("a", "b"):
    train(name)
    torch.cuda.empty_cache()
# --- whole: once in an episode
import gc

import torch

for episode in range(1000):
    for step in range(200):
        model(state).sum().backward()
    gc.collect()
# --- case: waiting for nothing
for x, y in loader:
    criterion(model(x), y).backward()
    optimizer.step()
    torch.cuda.synchronize()  # expect: PP619 low
