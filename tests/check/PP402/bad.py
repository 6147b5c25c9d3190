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
# --- whole: what grows in a loop, and what does not
import numpy as np
import tensorflow as tf
from library import helper


class Grown0:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            total = tf.concat([total, x], 0)  # expect: PP402
        return total


class Grown1:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            total = tf.concat([total, x], axis=0)  # expect: PP402
        return total


class Grown2:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            total = tf.concat((total, x), 0)  # expect: PP402
        return total


class Grown3:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            total = tf.concat(values=[total, x], axis=0)  # expect: PP402
        return total


class Grown4:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            total = tf.concat([x, total], 0)  # expect: PP402
        return total


class Grown5:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            total = tf.concat([x, y], 0)
        return total


class Grown10:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            total = np.append(x, total)
        return total


class Grown13:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            total = np.r_[total, x]
        return total


class Grown14:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            total = tf.stack([total, x])
        return total


class Grown15:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            total = (tf.concat([total, x], 0))  # expect: PP402
        return total


class Grown16:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            self.total = tf.concat([self.total, x], 0)  # expect: PP402
        return total


class Grown19:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            parts[i] = np.concatenate([parts[i], x])
        return total


class Grown25:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            total = x if odd else np.concatenate([total, x])
        return total


class Grown30:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            total = np.concatenate([total, x])
            if len(total) > 100:
                total = total[-100:]
        return total


class Grown31:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            total = np.concatenate([total[1:], x])
        return total


class Grown32:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            total = np.concatenate([total, x])[-10:]
        return total


class Grown35:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            total = np.concatenate([total, x])
            total = helper(total)
        return total


class Grown36:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            total = tf.concat([total, x], 0)
            total = tf.gather(total, y)
        return total


class Grown37:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            total = tf.concat([total, x], -1)  # expect: PP402 low
            total = tf.gather(total, y, axis=1)
        return total


class Grown39:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            total, last = np.concatenate([total, x]), x
        return total


class Grown40:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            total = helper(np.concatenate([total, x]))
        return total


class Grown41:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            total = np.concatenate([total, x]) * 2
        return total


class Grown42:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            total += np.concatenate([total, x])
        return total


class Grown43:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            total = total + [x]
        return total


class Grown44:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            return np.concatenate([total, x])
        return total


class Grown45:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            total = np.concatenate([total] + [x])
        return total


class Grown46:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            total = np.concatenate(total, x)
        return total


class Grown47:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            total = np.concatenate()
        return total


class Grown50:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            total = np.append(total[0], x)
        return total


class Grown51:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            old = np.concatenate([total, x])
        return total


class Grown52:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            total = np.concatenate([total, x])
            total = np.zeros(3)
        return total


class Grown53:
    def grow(self, data, y, first, odd, parts, total=None):
        for i, x in enumerate(data):
            total = np.zeros(3)
            total = np.concatenate([total, x])
        return total


def looped0_1(data, tqdm, n, layers, model, names, path, os, loader, total):
    dataset = tf.data.Dataset.from_tensor_slices(data)
    for x in data:
        total = tf.concat([total, x], 0)  # expect: PP402
    return total


def looped1_1(data, tqdm, n, layers, model, names, path, os, loader, total):
    dataset = tf.data.Dataset.from_tensor_slices(data)
    for x in tqdm(data):
        total = tf.concat([total, x], 0)  # expect: PP402
    return total


def looped2_1(data, tqdm, n, layers, model, names, path, os, loader, total):
    dataset = tf.data.Dataset.from_tensor_slices(data)
    for i in range(len(data)):
        x = data[i]
        total = tf.concat([total, x], 0)  # expect: PP402
    return total


def looped3_0(data, tqdm, n, layers, model, names, path, os, loader, total):
    dataset = tf.data.Dataset.from_tensor_slices(data)
    for i in range(3):
        x = data[i]
        total = np.concatenate([total, x])
    return total


def looped3_1(data, tqdm, n, layers, model, names, path, os, loader, total):
    dataset = tf.data.Dataset.from_tensor_slices(data)
    for i in range(3):
        x = data[i]
        total = tf.concat([total, x], 0)
    return total


def looped4_0(data, tqdm, n, layers, model, names, path, os, loader, total):
    dataset = tf.data.Dataset.from_tensor_slices(data)
    for i in range(2, n):
        x = data[i]
        total = np.concatenate([total, x])
    return total


def looped4_1(data, tqdm, n, layers, model, names, path, os, loader, total):
    dataset = tf.data.Dataset.from_tensor_slices(data)
    for i in range(2, n):
        x = data[i]
        total = tf.concat([total, x], 0)  # expect: PP402 low
    return total


def looped5_0(data, tqdm, n, layers, model, names, path, os, loader, total):
    dataset = tf.data.Dataset.from_tensor_slices(data)
    for i in range(n):
        x = data[i]
        total = np.concatenate([total, x])
    return total


def looped5_1(data, tqdm, n, layers, model, names, path, os, loader, total):
    dataset = tf.data.Dataset.from_tensor_slices(data)
    for i in range(n):
        x = data[i]
        total = tf.concat([total, x], 0)  # expect: PP402 low
    return total


def looped6_1(data, tqdm, n, layers, model, names, path, os, loader, total):
    dataset = tf.data.Dataset.from_tensor_slices(data)
    while len(total) < 100:
        x = next(data)
        total = tf.concat([total, x], 0)  # expect: PP402
    return total


def looped7_1(data, tqdm, n, layers, model, names, path, os, loader, total):
    dataset = tf.data.Dataset.from_tensor_slices(data)
    while True:
        x = next(data)
        total = tf.concat([total, x], 0)  # expect: PP402
    return total


def looped8_0(data, tqdm, n, layers, model, names, path, os, loader, total):
    dataset = tf.data.Dataset.from_tensor_slices(data)
    for x in layers:
        total = np.concatenate([total, x])
    return total


def looped8_1(data, tqdm, n, layers, model, names, path, os, loader, total):
    dataset = tf.data.Dataset.from_tensor_slices(data)
    for x in layers:
        total = tf.concat([total, x], 0)
    return total


def looped9_0(data, tqdm, n, layers, model, names, path, os, loader, total):
    dataset = tf.data.Dataset.from_tensor_slices(data)
    for block in model.blocks:
        x = block
        total = np.concatenate([total, x])
    return total


def looped9_1(data, tqdm, n, layers, model, names, path, os, loader, total):
    dataset = tf.data.Dataset.from_tensor_slices(data)
    for block in model.blocks:
        x = block
        total = tf.concat([total, x], 0)
    return total


def looped10_0(data, tqdm, n, layers, model, names, path, os, loader, total):
    dataset = tf.data.Dataset.from_tensor_slices(data)
    for name in names:
        x = data[name]
        total = np.concatenate([total, x])
    return total


def looped10_1(data, tqdm, n, layers, model, names, path, os, loader, total):
    dataset = tf.data.Dataset.from_tensor_slices(data)
    for name in names:
        x = data[name]
        total = tf.concat([total, x], 0)
    return total


def looped11_1(data, tqdm, n, layers, model, names, path, os, loader, total):
    dataset = tf.data.Dataset.from_tensor_slices(data)
    for x in dataset:
        total = tf.concat([total, x], 0)  # expect: PP402
    return total


def looped13_1(data, tqdm, n, layers, model, names, path, os, loader, total):
    dataset = tf.data.Dataset.from_tensor_slices(data)
    for x in tf.data.TFRecordDataset(path):
        total = tf.concat([total, x], 0)  # expect: PP402
    return total


def looped14_1(data, tqdm, n, layers, model, names, path, os, loader, total):
    dataset = tf.data.Dataset.from_tensor_slices(data)
    for x in tf.data.TFRecordDataset(names):
        total = tf.concat([total, x], 0)  # expect: PP402
    return total


def looped15_1(data, tqdm, n, layers, model, names, path, os, loader, total):
    dataset = tf.data.Dataset.from_tensor_slices(data)
    for epoch in range(100):
        x = data[epoch]
        total = tf.concat([total, x], 0)  # expect: PP402
    return total


def looped16_1(data, tqdm, n, layers, model, names, path, os, loader, total):
    dataset = tf.data.Dataset.from_tensor_slices(data)
    for row in data:
        for x in row:
            pass
        total = tf.concat([total, x], 0)  # expect: PP402
    return total


def looped17_0(data, tqdm, n, layers, model, names, path, os, loader, total):
    dataset = tf.data.Dataset.from_tensor_slices(data)
    for x in data.split(","):
        total = np.concatenate([total, x])
    return total


def looped17_1(data, tqdm, n, layers, model, names, path, os, loader, total):
    dataset = tf.data.Dataset.from_tensor_slices(data)
    for x in data.split(","):
        total = tf.concat([total, x], 0)
    return total


def looped18_1(data, tqdm, n, layers, model, names, path, os, loader, total):
    dataset = tf.data.Dataset.from_tensor_slices(data)
    for x in os.listdir(path):
        total = tf.concat([total, x], 0)  # expect: PP402
    return total


def looped19_1(data, tqdm, n, layers, model, names, path, os, loader, total):
    dataset = tf.data.Dataset.from_tensor_slices(data)
    for batch in loader:
        x = batch
        total = tf.concat([total, x], 0)  # expect: PP402
    return total
