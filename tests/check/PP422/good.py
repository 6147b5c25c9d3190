import numpy as np
import tensorflow as tf
# --- case: whole arrays
mask = np.zeros(image.shape[:2])
mask = image * 2
# --- case: a function of the project decides
mask = np.zeros(image.shape[:2])
for i in range(image.shape[0]):
    for j in range(image.shape[1]):
        mask[i, j] = classify(image[i, j])
# --- case: the order matters
mask = np.zeros(image.shape[:2])
for i in range(image.shape[0]):
    for j in range(image.shape[1]):
        mask[i, j] = min(mask[i - 1, j], mask[i, j - 1]) + image[i, j]
# --- case: a plot of a small table
mask = np.zeros(image.shape[:2])
for i in range(table.shape[0]):
    for j in range(table.shape[1]):
        plt.text(j, i, table[i, j])
# --- case: a few
mask = np.zeros(image.shape[:2])
for i in range(3):
    for j in range(3):
        mask[i, j] = image[i, j]
# --- case: random numbers
mask = np.zeros(image.shape[:2])
for i in range(image.shape[0]):
    for j in range(image.shape[1]):
        mask[i, j] = np.random.rand()
# --- case: a sum
mask = np.zeros(image.shape[:2])
for i in range(image.shape[0]):
    for j in range(image.shape[1]):
        total += image[i, j]
# --- case: one place
mask = np.zeros(image.shape[:2])
for i in range(image.shape[0]):
    for j in range(image.shape[1]):
        mask[i] = image[i, j]
# --- case: states of a game
mask = np.zeros(image.shape[:2])
for i in range(states):
    for j in range(actions):
        mask[i, j] = values[i, j]
# --- case: more is done in the outer loop
mask = np.zeros(image.shape[:2])
for i in range(image.shape[0]):
    print(i)
    for j in range(image.shape[1]):
        mask[i, j] = image[i, j]
# --- case: it stops early
mask = np.zeros(image.shape[:2])
for i in range(image.shape[0]):
    for j in range(image.shape[1]):
        mask[i, j] = image[i, j]
        if image[i, j] == 0:
            break
# --- case: a library, low: likely
def invert(image, mask):
    return mask - image
# --- case: over a list
for row in rows:
    for value in row:
        mask[row, value] = 1
# --- case: a count that the loop reads
found = 0
for r in range(image.shape[0]):
    for c in range(image.shape[1]):
        if image[r, c] > found:
            found += 1
