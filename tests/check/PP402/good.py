import tensorflow as tf
# --- case: a list, joined once
def collect(batches):
    parts = []
    for batch in batches:
        parts.append(batch)
    return tf.concat(parts, 0)
# --- case: a TensorArray
@tf.function
def collect(n):
    parts = tf.TensorArray(tf.float32, size=n)
    for i in tf.range(n):
        parts = parts.write(i, tf.cast(i, tf.float32))
    return parts.stack()
# --- case: a handful of rounds
def pyramid(x, levels):
    out = x
    for i in range(3):
        out = tf.concat([out, x], -1)  # lacks: a handful of rounds
    for level in levels:
        out = tf.concat([out, level], -1)
    return out
# --- case: dense blocks: over layers
def block(x, num_layers):
    for i in range(num_layers):
        y = tf.keras.layers.Conv2D(8, 3)(x)
        x = tf.concat([x, y], axis=-1)
    return x
# --- case: not the same thing
for batch in batches:
    joined = tf.concat([batch, mask], 0)
    print(joined)
# --- case: it starts anew in each round
for batch in batches:
    x = tf.expand_dims(batch, 0)
    x = tf.concat([x, x], 0)
    print(x)
# --- case: a window of fixed size
def roll(window, stream):
    for item in stream:
        window = tf.concat([window[1:], item], 0)
    return window
# --- case: it is cut to size
def roll(window, stream):
    for item in stream:
        window = tf.concat([window, item], 0)
        window = window[-24:]
    return window
# --- case: the whole is needed in each round
def generate(model, tokens, max_steps):
    for step in range(max_steps):
        logits = model(tokens)
        token = tf.argmax(logits[:, -1:], -1)
        tokens = tf.concat([tokens, token], 1)  # expect: PP402 low
    return tokens
# --- whole: nobody knows how many rounds, and they build a graph
import tensorflow.compat.v1 as tf


def build(things, x):
    for thing in things:
        x = tf.concat([x, thing], 0)  # expect: PP402 low
    return x
# --- whole: no TensorFlow at all
import numpy as np

losses = np.array([])
for step in range(1000):
    losses = np.append(losses, step)
# --- case: it leaves the loop
x = tf.zeros([1])
for batch in batches:
    if done(batch):
        x = tf.concat([x, batch], 0)
        break
# --- case: on each element of a list of its own
for i, batch in enumerate(batches):
    parts[i] = tf.concat([parts[i], batch], 0)
# --- case: in the inner loop of a few, it starts with the first
def f(batches, heads):
    for batch in batches:
        for k in range(4):
            if k == 0:
                row = batch
            else:
                row = tf.concat([row, batch], 0)
        print(row)
# --- case: another concat
class Text:
    def concat(self, a, b):
        return a


text = Text()
x = 0
for row in rows:
    x = text.concat([x, row], 0)
# --- whole: tests only note
x = 1
# --- file: test_concat.py
import tensorflow as tf


def test_it():
    x = tf.zeros([0])
    for step in range(100):
        x = tf.concat([x, [1.0]], 0)  # expect: PP402 low
# --- case: a window that is cut in the other branch
def windows(dataset):
    seen = tf.zeros([0, 3])
    for batch in dataset:
        seen = tf.concat([seen, batch], 0) if len(seen) < 10 else tf.concat([seen[1:], batch], 0)
        use(seen)
# --- case: parts that start anew in each round
def features(model, dataset, layers):
    for batch in dataset:
        parts = [None for _ in layers]
        for i, y in enumerate(model(batch)):
            parts[i] = y if parts[i] is None else tf.concat([parts[i], y], axis=0)
        use(parts)
# --- case: as many rows as there are picked go on
def keep_best(model, dataset):
    rows = tf.zeros([0, 3])
    for batch in dataset:
        rows = tf.concat([rows, batch], axis=0)
        rows = tf.gather(rows, best(rows), axis=0)
    return rows
# --- case: beams, of which the best go on, grow token by token
def search(model, beams, max_length):
    for _ in range(max_length):
        best, token = pick(model(beams))
        beams = tf.gather(beams, best, axis=1, batch_dims=1)
        beams = tf.concat([beams, token], axis=-1)  # expect: PP402 low
    return beams
# --- case: through the keys of a mapping, the points that are asked for, the parts of one example: notes
def table(datasets, models, points):
    seen = points
    for tag in datasets:
        seen = tf.concat([seen, models[tag].predict(points)], 1)  # expect: PP402 low
    return seen


class Rule:
    def acquire(self, start):
        batch = start
        for i in range(self._num_query_points - 1):
            batch = tf.concat([batch, self.optimize()], axis=0)  # expect: PP402 low
        return batch


@tf.function
def load(image_path, label_path):
    labels = tf.zeros((0, 5))
    for e in tf.data.TextLineDataset(label_path).map(tf.strings.to_number):
        labels = tf.concat([labels, e[tf.newaxis, :]], 0)  # expect: PP402 low
    return tf.io.read_file(image_path), labels
# --- whole: a handful of parts, with PyTorch
import torch

rows = torch.zeros(0, 4)
for level in (1, 2, 3):
    rows = torch.cat([rows, load(level)])
# --- whole: joined once, with PyTorch
import torch

rows = []
for images in loader:
    rows.append(net(images))
rows = torch.cat(rows)
# --- case: PyTorch, a number for each item
import torch

labels = torch.tensor([]).long()
for x, y in loader:
    labels = torch.cat((labels, y))  # expect: PP402 low
# --- case: parts that are given up one by one, to save memory
import gc
import torch


def join(inputs):
    whole = inputs[0].clone()
    for k in range(len(inputs) - 1):
        whole = torch.cat((whole, inputs[k + 1].cpu()), dim=1)  # expect: PP402 low, likely
        inputs[k + 1] = 0
        gc.collect()
    return whole
