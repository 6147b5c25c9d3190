import numpy as np
import tensorflow as tf
# --- case: pixels
mask = np.zeros(image.shape[:2])
for i in range(image.shape[0]):  # expect: PP422
    for j in range(image.shape[1]):
        mask[i, j] = image[i, j] * 2
# --- case: a condition
mask = np.zeros(image.shape[:2])
for i in range(image.shape[0]):  # expect: PP422
    for j in range(image.shape[1]):
        if image[i, j] > 0.5:
            mask[i, j] = 1
# --- case: either
mask = np.zeros(image.shape[:2])
for i in range(image.shape[0]):  # expect: PP422
    for j in range(image.shape[1]):
        if image[i, j] > 0.5:
            mask[i, j] = 1
        else:
            mask[i, j] = 0
# --- case: two subscripts
mask = np.zeros(image.shape[:2])
for i in range(image.shape[0]):  # expect: PP422
    for j in range(image.shape[1]):
        mask[i][j] = image[i][j] / 255
# --- case: channels
mask = np.zeros(image.shape[:2])
for i in range(image.shape[0]):  # expect: PP422
    for j in range(image.shape[1]):
        mask[i, j, 0] = image[i, j, 2]
# --- case: a name in between
mask = np.zeros(image.shape[:2])
for i in range(image.shape[0]):  # expect: PP422
    for j in range(image.shape[1]):
        value = image[i, j]
        mask[i, j] = value * value
# --- case: numpy on one number
mask = np.zeros(image.shape[:2])
for i in range(image.shape[0]):  # expect: PP422
    for j in range(image.shape[1]):
        mask[i, j] = np.sqrt(image[i, j])
# --- case: by height and width
mask = np.zeros(image.shape[:2])
for i in range(height):  # expect: PP422
    for j in range(width):
        mask[i, j] = 255 - image[i, j]
# --- case: from a margin on
mask = np.zeros(image.shape[:2])
for i in range(1, image.shape[0]):  # expect: PP422
    for j in range(1, image.shape[1]):
        mask[i, j] = image[i - 1, j] - image[i, j]
# --- case: in place
mask = np.zeros(image.shape[:2])
for i in range(image.shape[0]):  # expect: PP422
    for j in range(image.shape[1]):
        image[i, j] = image[i, j] * 2
# --- case: in a function of a program
def invert(image):
    mask = np.zeros(image.shape)
    for i in range(image.shape[0]):  # expect: PP422
        for j in range(image.shape[1]):
            mask[i, j] = 255 - image[i, j]
    return mask


invert(image)
# --- case: builtins
mask = np.zeros(image.shape[:2])
for i in range(image.shape[0]):  # expect: PP422
    for j in range(image.shape[1]):
        mask[i, j] = min(int(image[i, j]), 255)
# --- whole: math
import math

import numpy as np
import tensorflow as tf

mask = np.zeros(image.shape[:2])
for i in range(image.shape[0]):  # expect: PP422
    for j in range(image.shape[1]):
        mask[i, j] = math.exp(image[i, j])
# --- case: equal elements are counted
def agreement(a, b):
    same = 0
    for i in range(a.shape[0]):  # expect: PP422
        for j in range(a.shape[1]):
            if a[i][j] == b[i][j]:
                same += 1
    return same / a.size


print(agreement(np.load("a.npy"), np.load("b.npy")))
# --- case: asked of one channel, written to all
image = np.load("a.npy")
for r in range(image.shape[0]):  # expect: PP422
    for c in range(image.shape[1]):
        if image[r, c, 0] > 128:
            image[r, c] = 255
# --- whole: a mask for each item of a data set of PyTorch
import cv2
import numpy as np
import torch
from torch.utils.data import Dataset


class Scenes(Dataset):
    def __init__(self, names):
        self.names = names

    def __len__(self):
        return len(self.names)

    def __getitem__(self, i):
        image = cv2.imread(self.names[i])
        mask = np.zeros(image.shape[:2])
        for r in range(image.shape[0]):  # expect: PP422
            for c in range(image.shape[1]):
                mask[r][c] = 1 if image[r][c][0] > 10 else 0
        return torch.from_numpy(mask)
