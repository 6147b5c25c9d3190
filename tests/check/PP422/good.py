# --- case: whole arrays
import numpy as np
import tensorflow as tf

mask = np.zeros(image.shape[:2])
mask = image * 2
# --- case: a function of the project decides
import numpy as np
import tensorflow as tf

mask = np.zeros(image.shape[:2])
for i in range(image.shape[0]):
    for j in range(image.shape[1]):
        mask[i, j] = classify(image[i, j])
# --- case: the order matters
import numpy as np
import tensorflow as tf

mask = np.zeros(image.shape[:2])
for i in range(image.shape[0]):
    for j in range(image.shape[1]):
        mask[i, j] = min(mask[i - 1, j], mask[i, j - 1]) + image[i, j]
# --- case: a plot of a small table
import numpy as np
import tensorflow as tf

mask = np.zeros(image.shape[:2])
for i in range(table.shape[0]):
    for j in range(table.shape[1]):
        plt.text(j, i, table[i, j])
# --- case: a few
import numpy as np
import tensorflow as tf

mask = np.zeros(image.shape[:2])
for i in range(3):
    for j in range(3):
        mask[i, j] = image[i, j]
# --- case: random numbers
import numpy as np
import tensorflow as tf

mask = np.zeros(image.shape[:2])
for i in range(image.shape[0]):
    for j in range(image.shape[1]):
        mask[i, j] = np.random.rand()
# --- case: a sum
import numpy as np
import tensorflow as tf

mask = np.zeros(image.shape[:2])
for i in range(image.shape[0]):
    for j in range(image.shape[1]):
        total += image[i, j]
# --- case: one place
import numpy as np
import tensorflow as tf

mask = np.zeros(image.shape[:2])
for i in range(image.shape[0]):
    for j in range(image.shape[1]):
        mask[i] = image[i, j]
# --- case: states of a game
import numpy as np
import tensorflow as tf

mask = np.zeros(image.shape[:2])
for i in range(states):
    for j in range(actions):
        mask[i, j] = values[i, j]
# --- case: more is done in the outer loop
import numpy as np
import tensorflow as tf

mask = np.zeros(image.shape[:2])
for i in range(image.shape[0]):
    print(i)
    for j in range(image.shape[1]):
        mask[i, j] = image[i, j]
# --- case: it stops early
import numpy as np
import tensorflow as tf

mask = np.zeros(image.shape[:2])
for i in range(image.shape[0]):
    for j in range(image.shape[1]):
        mask[i, j] = image[i, j]
        if image[i, j] == 0:
            break
# --- case: a library, low: likely
import numpy as np
import tensorflow as tf


def invert(image, mask):
    return mask - image
# --- case: over a list
import numpy as np
import tensorflow as tf

for row in rows:
    for value in row:
        mask[row, value] = 1
# --- case: a count that the loop reads
import numpy as np
import tensorflow as tf

found = 0
for r in range(image.shape[0]):
    for c in range(image.shape[1]):
        if image[r, c] > found:
            found += 1
