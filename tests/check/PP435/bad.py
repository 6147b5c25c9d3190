import numpy as np
import tensorflow as tf
# --- whole: one-hot masks of a generator
import cv2
import numpy as np
import tensorflow as tf


def labels_of(image, n_classes):
    labels = np.zeros((224, 224, n_classes))
    for c in range(n_classes):  # expect: PP435
        labels[:, :, c] = (image == c).astype(int)
    return labels


for path in paths:
    print(labels_of(cv2.imread(path, 0), n_classes))
# --- whole: one-hot masks in a data set
import numpy as np
from torch.utils.data import Dataset


class Masks(Dataset):
    def __getitem__(self, i):
        mask = np.load(self.paths[i])
        target = np.zeros((self.n_classes, *mask.shape))
        for c in range(self.n_classes):  # expect: PP435
            target[c] = np.where(mask == c, 1, 0)
        return target
# --- case: colors of classes
def colored(labels, colors):
    image = np.zeros((*labels.shape, 3), dtype=np.uint8)
    for c, color in enumerate(colors):  # expect: PP435
        image[labels == c] = color
    return image


for batch in batches:
    show(colored(batch, colors))
# --- whole: numbers of a table
import numpy as np
import torch


class Remap:
    def __call__(self, mask):
        result = mask.copy()
        for old, new in self.table.items():  # expect: PP435
            result[mask == old] = new
        return result
# --- case: colors that are added
def colored(seg, n_classes, colors):
    image = np.zeros((*seg.shape, 3))
    for c in range(n_classes):  # expect: PP435
        image[:, :, 0] += ((seg == c) * colors[c][0]).astype("uint8")
        image[:, :, 1] += ((seg == c) * colors[c][1]).astype("uint8")
    return image


while True:
    show(colored(next(segments), 20, colors))
# --- case: hits of classes
for image, truth in pairs:
    found = model.predict(image[None])[0].argmax(-1)
    for c in range(n_classes):  # expect: PP435
        hits[c] += np.sum((found == c) * (truth == c))
        wrong[c] += np.sum((found == c) * (truth != c))
# --- whole: intersection and union, by names
import torch


class Meter:
    def update(self, pred, target):
        for c in range(self.n_classes):  # expect: PP435
            in_pred = pred == c
            in_target = target == c
            self.both[c] += (in_pred[in_target]).long().sum().item()
            self.either[c] += in_pred.long().sum().item() + in_target.long().sum().item()
# --- whole: one-hot masks of PyTorch
import torch

for labels in loader:
    target = torch.zeros(labels.size(0), n_classes, 64, 64)
    for c in range(n_classes):  # expect: PP435
        target[:, c] = (labels == c).float()
# --- case: an index with a slice
colors = np.load("colors.npy")
for labels in batches:
    for c in range(n_classes):  # expect: PP435
        image[labels == c, :] = colors[c]
# --- case: a mask with a name
colors = np.load("colors.npy")
for labels in batches:
    for c in range(n_classes):  # expect: PP435
        mask = labels == c
        image[mask] = colors[c]
# --- case: counted without the background
for labels in batches:
    for c in range(1, n_classes):  # expect: PP435
        counts[c] += np.count_nonzero(labels == c)
# --- case: through two calls
def encode(mask, n):
    out = np.zeros((n, *mask.shape))
    for c in range(n):  # expect: PP435
        out[c, ...] = mask == c
    return out


def load(path):
    return encode(np.load(path), 21)


for path in paths:
    print(load(path))
