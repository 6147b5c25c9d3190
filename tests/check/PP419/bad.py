import numpy as np
import tensorflow as tf
# --- case: one score for each image
scores = np.zeros((0,))
for image in images:
    scores = np.append(scores, score(image))  # expect: PP419
# --- case: over steps
losses = np.array([])
for step in range(100000):
    losses = np.append(losses, step)  # expect: PP419
# --- case: by length
found = np.array([])
for i in range(len(rows)):
    found = np.append(found, rows[i])  # expect: PP419
# --- case: while
found = np.array([])
step = 0
while step < steps:
    found = np.append(found, step)  # expect: PP419
    step += 1
# --- case: an inner loop
scores = np.zeros((0,))
for image in images:
    for box in boxes(image):
        scores = np.append(scores, box[4])  # expect: PP419
# --- case: in a function of a program
def evaluate(images):
    scores = np.zeros((0,))
    for image in images:
        scores = np.append(scores, score(image))  # expect: PP419
    return scores


print(evaluate(images))
# --- case: in a method of a program
class Judge:
    def evaluate(self, images):
        scores = np.zeros((0,))
        for image in images:
            scores = np.append(scores, score(image))  # expect: PP419
        return scores


print(Judge().evaluate(images))
# --- case: an attribute
class Judge:
    def __init__(self, images):
        self.scores = np.zeros((0,))
        for image in images:
            self.scores = np.append(self.scores, score(image))  # expect: PP419


judge = Judge(images)
# --- case: in branches
true = np.zeros((0,))
false = np.zeros((0,))
for image in images:
    if right(image):
        true = np.append(true, 1)  # expect: PP419
    else:
        false = np.append(false, 1)  # expect: PP419
# --- case: rows, along an axis
rows = np.zeros((0, 3))
for image in images:
    rows = np.append(rows, row(image), axis=0)  # expect: PP419
# --- whole: Keras alone
import numpy as np
import keras

scores = np.zeros((0,))
for image in images:
    scores = np.append(scores, model.predict(image))  # expect: PP419
# --- whole: another name of numpy
import numpy
import tensorflow as tf

scores = numpy.zeros(0)
for image in images:
    scores = numpy.append(scores, score(image))  # expect: PP419
