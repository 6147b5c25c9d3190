import numpy as np
import tensorflow as tf
# --- case: a list
scores = []
for image in images:
    scores.append(score(image))
# --- case: a handful
scores = np.zeros((0,))
for image in range(5):
    scores = np.append(scores, score(image))  # lacks: a handful of rounds
# --- case: whole batches: low
found = np.zeros((0,))
for batch in batches:
    found = np.concatenate([found, predict(batch)])  # expect: PP419 low
# --- case: stacked batches: low
found = np.zeros((0, 3))
for batch in batches:
    found = np.vstack((found, predict(batch)))  # expect: PP419 low
# --- case: a function that nobody calls here: low
def evaluate(images):
    scores = np.zeros((0,))
    for image in images:
        scores = np.append(scores, score(image))  # expect: PP419 low
    return scores
# --- case: a window
window = np.zeros(9)
for image in images:
    window = np.append(window[1:], score(image))
# --- case: into something else
scores = np.zeros((0,))
for image in images:
    longer = np.append(scores, score(image))
# --- case: it starts anew
scores = np.zeros((0,))
for image in images:
    scores = np.zeros((0,))
    scores = np.append(scores, score(image))
# --- case: once
scores = np.append(scores, 1)
# --- whole: no framework
import numpy as np

scores = np.zeros(0)
for image in images:
    scores = np.append(scores, score(image))
# --- case: all of it is read in each round: low
scores = np.zeros((0,))
for image in images:
    scores = np.append(scores, score(image))  # expect: PP419 low
    print(np.mean(scores))
# --- case: over layers
sizes = np.zeros(0)
for layer in layers:
    sizes = np.append(sizes, layer.size)
# --- case: a list has append, too
scores = np.zeros((0,))
for image in images:
    scores = append(scores, score(image))
