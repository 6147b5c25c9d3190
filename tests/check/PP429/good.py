# --- case: float32
import keras
import numpy as np


def batches():
    while True:
        x = np.zeros((32, 64, 64, 3), dtype=np.float32)
        for i in range(32):
            x[i] = load(i)
        yield x, y
# --- case: by position
import keras
import numpy as np


def batches():
    while True:
        x = np.zeros((32, 64, 64, 3), np.float32)
        for i in range(32):
            x[i] = load(i)
        yield x, y
# --- case: bytes
import keras
import numpy as np


def batches():
    while True:
        x = np.zeros((32, 64, 64, 3), dtype="uint8")
        for i in range(32):
            x[i] = load(i)
        yield x, y
# --- case: converted
import keras
import numpy as np


def batches():
    while True:
        x = np.zeros((32, 64, 64, 3))
        for i in range(32):
            x[i] = load(i)
        yield x.astype(np.float32), y
# --- case: labels
import keras
import numpy as np


def batches():
    while True:
        x = np.zeros((32, 10))
        for i in range(32):
            x[i] = load(i)
        yield x, y
# --- case: a vector
import keras
import numpy as np


def batches():
    while True:
        x = np.zeros(32)
        for i in range(32):
            x[i] = load(i)
        yield x, y
# --- case: no generator
import keras
import numpy as np


def load_all():
    x = np.zeros((32, 64, 64, 3))
    for i in range(32):
        x[i] = load(i)
    return x
# --- case: nothing is filled in
import keras
import numpy as np


def batches():
    while True:
        x = np.zeros((32, 64, 64, 3))
        pass
        yield x, y
# --- case: not given away
import keras
import numpy as np


def batches():
    while True:
        x = np.zeros((32, 64, 64, 3))
        for i in range(32):
            x[i] = load(i)
        yield y
# --- case: a shape that is not seen
import keras
import numpy as np


def batches():
    while True:
        x = np.zeros(shape)
        for i in range(32):
            x[i] = load(i)
        yield x, y
# --- case: arrays that are stacked
import keras
import numpy as np


def batches():
    while True:
        x = np.stack(images)
        pass
        yield x, y
# --- case: random
import keras
import numpy as np


def batches():
    while True:
        x = np.random.rand(32, 64, 64, 3)
        for i in range(32):
            x[i] = load(i)
        yield x, y
# --- case: scaled and converted
import keras
import numpy as np


def batches():
    while True:
        x = np.zeros((32, 64, 64, 3))
        for i in range(32):
            x[i] = load(i)
        yield (x / 255).astype("float32"), y
