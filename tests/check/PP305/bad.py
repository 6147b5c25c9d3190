# --- case: slices of the same arrays in each epoch
import tensorflow as tf


def train(x, y, epochs):
    for epoch in range(epochs):
        ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(100).batch(32)  # expect: PP305
        for batch in ds:
            step(batch)
# --- case: as the iterable of the inner loop
import tensorflow as tf

x, y = read()
for epoch in range(NUM_EPOCHS):
    for a, b in tf.data.Dataset.from_tensor_slices((x, y)).batch(8):  # expect: PP305
        step(a, b)
# --- case: records that are parsed
import tensorflow.compat.v1 as tf


def parse(r):
    return tf.parse_single_example(r, {})


for e in range(max_epochs):
    ds = tf.data.TFRecordDataset("x").map(parse).batch(3)  # expect: PP305
    iterator = ds.make_one_shot_iterator()
# --- case: import from tensorflow.data
from tensorflow.data import Dataset

images = read()
for _ in range(n_epochs):
    train = Dataset.from_tensor_slices(images)  # expect: PP305
    run(train.batch(3))
# --- case: a function of the project that builds it
import tensorflow as tf


def load(files, size):
    ds = tf.data.TFRecordDataset(files)
    return ds.map(lambda r: tf.io.decode_raw(r, tf.uint8)).batch(size)


def main(files, epochs):
    for epoch in range(epochs):
        for batch in load(files, 32):  # expect: PP305
            step(batch)
# --- case: while
import tensorflow as tf

epoch, x = 0, read()
while epoch < 100:
    ds = tf.data.Dataset.from_tensors(x).repeat(3)  # expect: PP305
    epoch += 1
    run(ds)
# --- case: tqdm
import tensorflow as tf
from tqdm import tqdm, trange

for epoch in tqdm(range(epochs)):
    for batch in tf.data.TFRecordDataset("x").map(lambda r: tf.io.decode_png(r)):  # expect: PP305
        step(batch)
# --- case: a method
import tensorflow as tf


class Trainer:
    def __init__(self, files):
        self.files = files

    def dataset(self):
        return tf.data.TFRecordDataset(self.files).map(lambda r: tf.io.decode_png(r)).batch(3)

    def fit(self, epochs):
        for epoch in range(epochs):
            for batch in self.dataset():  # expect: PP305
                self.step(batch)
# --- case: cached in vain
import tensorflow as tf

for epoch in range(10):
    ds = tf.data.TextLineDataset("x").cache()  # expect: PP305
    for line in ds:
        step(line)
# --- case: from another file
from data import make


def main(model, files, num_epochs):
    for epoch in range(num_epochs):
        for x in make(files):  # expect: PP305
            model.train_on_batch(x)
# --- file: data.py
import tensorflow as tf


def make(files):
    return tf.data.Dataset.list_files(files).interleave(tf.data.TFRecordDataset)
# --- case: fit, once for each epoch
import tensorflow.compat.v2 as tf

x, y = read()
for epoch in range(epochs):
    model.fit(tf.data.Dataset.from_tensor_slices((x, y)).batch(3))  # expect: PP305
    model.save("x")
# --- case: with a generator
import tensorflow as tf


def rows():
    yield read()


for epoch in range(epochs):
    ds = tf.data.Dataset.from_generator(rows, tf.int32).map(lambda x: x * 2)  # expect: PP305
    for batch in ds:
        step(batch)
# --- case: epochs of the command line
import tensorflow as tf


def main(args, x):
    for epoch in range(args.epochs):
        ds = tf.data.Dataset.from_tensor_slices(x)  # expect: PP305
        ds = ds.shuffle(1000, seed=epoch)
        for batch in ds:
            step(batch)
# --- case: asked of the same object in each epoch
import tensorflow as tf


class Whole:
    def __init__(self, files):
        self.files = files

    def batches(self, n):
        return tf.data.Dataset.from_tensor_slices(self.files).map(decode).batch(n)


def train(files):
    whole = Whole(files)
    for epoch in range(epochs):
        for batch in whole.batches(32):  # expect: PP305
            step(batch)
