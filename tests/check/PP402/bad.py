import tensorflow as tf
# --- case: concat of all that came before
def collect(batches):
    x = tf.zeros([0, 10])
    for batch in batches:
        x = tf.concat([x, batch], 0)  # expect: PP402
    return x
# --- case: axis by keyword, values by keyword
total = tf.zeros([0])
for step in range(1000):
    total = tf.concat(values=[total, [1.0]], axis=0)  # expect: PP402
# --- case: a tuple, the new one first
def f(data):
    out = tf.zeros([0, 3])
    for row in data:
        out = tf.concat((tf.expand_dims(row, 0), out), axis=0)  # expect: PP402
    return out
# --- case: an attribute
class Memory:
    def fill(self, stream):
        for item in stream:
            self.items = tf.concat([self.items, item], axis=0)  # expect: PP402
# --- case: it starts with None
def features(model, dataset):
    found = None
    for batch in dataset:
        part = model(batch)
        if found is None:
            found = part
        else:
            found = tf.concat([found, part], axis=0)  # expect: PP402
    return found
# --- case: in two loops
all_losses = tf.zeros([0])
for epoch in range(100):
    for batch in batches:
        loss = tf.reduce_mean(batch, axis=1)
        all_losses = tf.concat([all_losses, loss], 0)  # expect: PP402
# --- case: while
samples = tf.zeros([0, 2])
count = 0
while count < 10000:
    new = draw()
    samples = tf.concat([samples, new], 0)  # expect: PP402
    count += 1
# --- whole: compat.v2
import tensorflow.compat.v2 as tf


def decode(cell, state, seq_length):
    outputs = tf.zeros([1, 0], tf.int64)
    for i in range(seq_length):
        token, state = cell(state)
        outputs = tf.concat([outputs, token], 1)  # expect: PP402
    return outputs
# --- whole: from tensorflow import concat
from tensorflow import concat, zeros

x = zeros([0])
for record in records:
    x = concat([x, record], 0)  # expect: PP402
# --- whole: Keras' backend
from tensorflow.keras import backend as K


def gather(batches):
    result = K.zeros((0, 5))
    for batch in batches:
        result = K.concatenate([result, batch], axis=0)  # expect: PP402
    return result
# --- case: TensorFlow's numpy
import tensorflow.experimental.numpy as tnp

acc = tnp.zeros([0])
for row in rows:
    acc = tnp.append(acc, row)  # expect: PP402
# --- case: in a tf.function, over a data set
@tf.function
def predictions(dataset):
    out = tf.zeros([0])
    for x in tf.data.Dataset.range(1000):
        out = tf.concat([out, tf.cast([x], tf.float32)], axis=0)  # expect: PP402
    return out
# --- case: two of them, one call over lines
def f(batches):
    xs = tf.zeros([0])
    ys = tf.zeros([0])
    for x, y in batches:
        xs = tf.concat([xs, x], 0); ys = tf.concat([ys, y], 0)  # expect: PP402
        zs = tf.concat(
            [x, y], 0)
    return xs, ys
# --- case: the first round in a conditional expression
def predict(model, dataset):
    logits = None
    for batch in dataset:
        y = model(batch)
        logits = y if logits is None else tf.concat([logits, y], axis=0)  # expect: PP402
    return logits
# --- case: in parentheses, and one part for each layer
def features(model, dataset, layers):
    parts = [None for _ in layers]
    for batch in dataset:
        for i, y in enumerate(model(batch)):
            parts[i] = (
                y if parts[i] is None else tf.concat([parts[i], y], axis=0)  # expect: PP402
            )
    return parts
# --- case: as many as there are samples, and a data set that somebody hands over
class Sampler:
    def draw(self):
        drawn = tf.zeros([0, 3])
        for i in range(self.num_samples):
            drawn = tf.concat([drawn, self.one()], 0)  # expect: PP402
        return drawn


@tf.function
def scores(dataset: tf.data.Dataset, model):
    found = tf.zeros([0])
    for batch in dataset:
        found = tf.concat([found, model(batch)], 0)  # expect: PP402
    return found
# --- whole: features of a loader, with PyTorch
import torch

features = torch.FloatTensor()
for images, labels in loader:
    features = torch.cat((features, net(images).cpu()), 0)  # expect: PP402
# --- whole: over all that is counted, with PyTorch
import torch

rows = torch.zeros(0, 4)
for i in range(len(paths)):
    rows = torch.cat([rows, load(paths[i])])  # expect: PP402
