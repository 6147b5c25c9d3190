import numpy as np
import tensorflow as tf
# --- case: once
for c in range(n_classes):
    counts[c] = np.sum(labels == c)
print(counts)
# --- case: looked up
for labels in batches:
    show(colors[labels])
# --- case: a handful
for labels in batches:
    for c in range(3):
        image[labels == c] = colors[c]
# --- case: the masks pick of another array
for labels, values in batches:
    for c in range(n_classes):
        mask = labels == c
        means[c] = np.std(values[mask]) / np.sum(mask)
# --- whole: more work for each class
import cv2
import numpy as np
import tensorflow as tf

for labels in batches:
    for c in range(n_classes):
        target[..., c] = labels == c
        outlines[c] = cv2.findContours(target[..., c], 0, 1)
# --- whole: numbers, not arrays
import tensorflow as tf

for label in labels:
    for c in range(n_classes):
        if label == c:
            counts[c] += 1
# --- whole: a table of pandas
import numpy as np
import pandas as pd
import tensorflow as tf

for table in tables:
    for c in range(n_classes):
        table.loc[table["label"] == c, "name"] = names[c]
        counts[c] = (table["label"] == c).sum()
# --- case: what is compared changes
for labels in batches:
    for c in range(n_classes):
        labels = grow(labels)
        counts[c] = np.sum(labels == c)
# --- case: in place, where one class may become another
for labels in batches:
    for old, new in table.items():
        labels[labels == old] = new
# --- case: what is written depends on the rounds before
for labels in batches:
    for c in range(n_classes):
        total = total + 1
        image[labels == c] = total
# --- case: it ends at the first
for labels in batches:
    for c in range(n_classes):
        if np.sum(labels == c) > 0:
            break
# --- case: of a library
def evaluate(pairs, n_classes):
    hits = np.zeros(n_classes)
    for found, truth in pairs:
        for c in range(n_classes):  # expect: PP435 likely
            hits[c] += np.sum((found == c) & (truth == c))
    return hits
