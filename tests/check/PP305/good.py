# --- case: built before the loop
import tensorflow as tf

ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(100).batch(32)
for epoch in range(epochs):
    for batch in ds:
        step(batch)
# --- case: the file depends on the epoch
import tensorflow as tf

for epoch in range(epochs):
    ds = tf.data.TFRecordDataset("part-%d" % epoch).map(lambda r: tf.io.decode_png(r))
    run(ds)
# --- case: the arrays are permuted in between
import numpy as np
import tensorflow as tf

for epoch in range(epochs):
    np.random.shuffle(x)
    ds = tf.data.Dataset.from_tensor_slices(x).batch(3)
    run(ds)
# --- case: the arrays are made anew
import tensorflow as tf

for epoch in range(epochs):
    x = collect()
    ds = tf.data.Dataset.from_tensor_slices(x).batch(3)
    run(ds)
# --- case: a replay buffer that grows
import tensorflow as tf

for epoch in range(epochs):
    buffer.append(play())
    ds = tf.data.Dataset.from_tensor_slices(buffer).batch(3)
    run(ds)
# --- case: not over epochs: over folds, files
import tensorflow as tf

for fold in range(5):
    ds = tf.data.Dataset.from_tensor_slices(x).batch(3)
for name in files:
    ds = tf.data.TFRecordDataset("x").map(parse)
# --- case: now and then
import tensorflow as tf

for epoch in range(epochs):
    if epoch % 10 == 0:
        for batch in tf.data.TFRecordDataset("val").map(lambda r: tf.io.decode_png(r)):
            check(batch)
# --- case: drawn at random by the function
import random
import tensorflow as tf


def load(files):
    return tf.data.TFRecordDataset(random.sample(files, 3)).map(lambda r: tf.io.decode_png(r))


for epoch in range(epochs):
    run_epoch(load(files))
# --- case: the method reads what changes
import tensorflow as tf


class Trainer:
    def __init__(self):
        self.size = 8

    def grow(self):
        self.size *= 2

    def dataset(self):
        return tf.data.TFRecordDataset("x").map(lambda r: tf.io.decode_png(r)).batch(self.size)

    def fit(self, epochs):
        for epoch in range(epochs):
            for batch in self.dataset():
                self.step(batch)
            self.grow()
# --- case: files that others write meanwhile
import glob
import tensorflow as tf


def load():
    return tf.data.TFRecordDataset(glob.glob("*.rec")).map(lambda r: tf.io.decode_png(r))


for epoch in range(epochs):
    run_epoch(load())
# --- case: views of a data set are cheap
import tensorflow as tf

ds = tf.data.TFRecordDataset("x").map(lambda r: tf.io.decode_png(r))
for epoch in range(epochs):
    for batch in ds.take(100):
        step(batch)
# --- case: a graph for each epoch
import tensorflow.compat.v1 as tf

for epoch in range(epochs):
    with tf.Graph().as_default():
        ds = tf.data.TFRecordDataset("x").map(lambda r: tf.decode_raw(r, tf.uint8))
        run(ds)
# --- case: little work: only a note
import tensorflow as tf

for epoch in range(epochs):
    for record in tf.data.TFRecordDataset("x"):  # expect: PP305 low
        step(record)
# --- case: a list of data sets
import tensorflow as tf

parts = []
for epoch in range(epochs):
    parts += [tf.data.Dataset.from_tensor_slices(x)]
# --- case: an inner loop changes the arrays
import tensorflow as tf


def run(x, epochs):
    for epoch in range(epochs):
        for i in range(10):
            x[i] = x[i] * 2
        fit(tf.data.Dataset.from_tensor_slices(x))
# --- case: no data set
import data
import pandas as pd

for epoch in range(epochs):
    frame = pd.DataFrame.from_records(rows)
    things = data.Dataset.from_tensor_slices(rows)
# --- case: asked of another object in each epoch
import tensorflow as tf


class Part:
    def __init__(self, files):
        self.files = files

    def batches(self, n):
        return tf.data.Dataset.from_tensor_slices(self.files).map(decode).batch(n)


def train(files):
    for epoch in range(epochs):
        part = Part(files[epoch::epochs])
        for batch in part.batches(32):
            step(batch)
