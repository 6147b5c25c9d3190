import tensorflow as tf
# --- case: prefetch is there
ds = tf.data.TFRecordDataset("x").batch(32).prefetch(tf.data.AUTOTUNE)
model.fit(ds)
# --- case: in a later statement
ds = tf.data.TFRecordDataset("x").batch(32)
ds = ds.prefetch(1)
model.fit(ds)
# --- case: in the caller
def load(files):
    return tf.data.TFRecordDataset(files).batch(4)


model.fit(load("x").prefetch(2))
# --- case: before with_options
ds = tf.data.TFRecordDataset("x").batch(32).prefetch(2).with_options(tf.data.Options())
model.fit(ds)
# --- case: evaluation and prediction
ds = tf.data.TFRecordDataset("x").batch(32)
model.evaluate(ds)
model.predict(ds)
# --- case: a look at the data
ds = tf.data.TFRecordDataset("x").batch(2)
for record in ds.take(2):
    print(record)
for record in ds:
    print(record)
# --- case: what becomes of it is not seen
def load(files):
    return tf.data.TFRecordDataset(files).batch(4)
# --- case: handed to code that is not seen
from other import train

train(tf.data.TFRecordDataset("x").batch(4))
# --- case: arrays in memory: little work
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)  # expect: PP302 low
model.fit(ds)
# --- case: from the cache
ds = tf.data.TFRecordDataset("x").cache().batch(32)  # expect: PP302 low
model.fit(ds)
# --- case: a prefetch that comes earlier
ds = tf.data.TFRecordDataset("x").prefetch(10).batch(32)  # expect: PP302 low
model.fit(ds)
# --- case: validation data only note, where making a batch takes time
val = tf.data.TFRecordDataset("x").batch(32)  # expect: PP302 low
model.fit(x, y, validation_data=val)
few = tf.data.Dataset.from_tensor_slices(arrays).batch(32)
model.fit(x, y, validation_data=few)
ready = tf.data.TFRecordDataset("x").map(parse, num_parallel_calls=8).batch(32)
model.fit(x, y, validation_data=ready)
# --- case: validation data that a generator may make, predicted before
class Trainer:
    def make(self, arrays):
        if arrays:
            self.valid = tf.data.Dataset.from_tensor_slices(arrays)
            self.few = tf.data.Dataset.from_tensor_slices(arrays)
        else:
            self.valid = tf.data.Dataset.from_generator(self.rows, tf.float32)
            self.few = tf.data.Dataset.from_tensor_slices([arrays])
        self.valid = self.valid.batch(self.size)  # expect: PP302 low
        self.few = self.few.batch(self.size)

    def predict(self):
        return self.model.predict(self.valid), self.model.predict(self.few)

    def train(self, x, y):
        self.model.fit(x, y, validation_data=self.valid)
        self.model.fit(x, y, validation_data=self.few)
# --- case: a function that gives shuffled batches to whoever trains on them only notes
def parse(record):
    image = tf.io.decode_jpeg(tf.io.parse_single_example(record, {})["image"])
    return tf.image.resize(image, [224, 224])


def load(files, batch_size, shuffle=True):
    dataset = tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=8)
    if shuffle:
        dataset = dataset.shuffle(1000)
    if batch_size is not None:
        dataset = dataset.batch(batch_size)  # expect: PP302 low
    return dataset


def make_dataset_fn(arrays):
    def fn(batch_size):
        dataset = tf.data.Dataset.from_tensor_slices(arrays).shuffle(100)
        dataset = dataset.batch(batch_size).map(lambda x: tf.image.resize(x, [9, 9]))  # expect: PP302 low
        return dataset
    return tf.autograph.experimental.do_not_convert(fn)
# --- case: a function that gives them prefetched, unshuffled, in batches of its own, one by one, or to evaluate
def parse(record):
    return tf.io.decode_jpeg(tf.io.parse_single_example(record, {})["image"])


def load(files, batch_size):
    dataset = tf.data.TFRecordDataset(files).map(parse).shuffle(1000)
    dataset = dataset.batch(batch_size)
    return dataset.prefetch(1)


def load_in_order(files, batch_size):
    return tf.data.TFRecordDataset(files).map(parse).batch(batch_size)


def load_images(files):
    return tf.data.TFRecordDataset(files).shuffle(9).map(parse)


def load_pairs(files):
    return tf.data.TFRecordDataset(files).map(parse).shuffle(9).batch(2)


def load_for_evaluation(files, batch_size):
    return tf.data.TFRecordDataset(files).map(parse).shuffle(9).batch(batch_size)


def load_parts(files, batch_size):
    data = tf.data.TFRecordDataset(files).map(parse).shuffle(9)
    test_data = data.take(9).batch(batch_size)
    data = data.skip(9).batch(batch_size)  # expect: PP302 low
    return data, test_data


def load_arrays(arrays, batch_size):
    return tf.data.Dataset.from_tensor_slices(arrays).shuffle(9).batch(batch_size)
# --- case: prefetched by who calls a method of that name, of an object that is not known
class Reader:
    def batches_of(self, batch_size):
        dataset = tf.data.TFRecordDataset(self.files).map(tf.io.decode_jpeg)
        return dataset.shuffle(9).batch(batch_size)
# --- file: train.py
import tensorflow as tf


def train(reader, model):
    model.fit(reader.batches_of(32).prefetch(1))
# --- case: no data set
from sklearn.linear_model import Ridge


class Sampler:
    def batch(self, n):
        return n


model = Ridge()
model.fit(Sampler().batch(3))
# --- whole: tests only note
x = 1
# --- file: tests/test_fit.py
import tensorflow as tf


def test_fit(model):
    model.fit(tf.data.TFRecordDataset("x").batch(3))  # expect: PP302 low
# --- whole: a count of words is no training
import collections

import tensorflow as tf


def count(words):
    counts = collections.Counter()
    for w in words:
        counts.update(w.numpy())
    return counts


words = tf.data.TextLineDataset("x").map(lambda s: tf.strings.split(s))
count(words)
# --- case: cached by a function of the project
from readers import stateless_cache_dataset, decode


def rows(files):
    dataset = tf.data.TFRecordDataset(files).map(decode, 8).batch(64)
    dataset = dataset.apply(stateless_cache_dataset()).repeat()
    return tf.compat.v1.data.make_one_shot_iterator(dataset)
# --- whole: an iterator for evaluation
import tensorflow.compat.v1 as tf


class EvalDriver:
    def inputs(self, files):
        dataset = tf.data.TFRecordDataset(files).map(lambda r: tf.io.decode_png(r)).batch(8)
        return dataset.make_one_shot_iterator().get_next()
# --- whole: an iterator by tf.data's function, for a look
import tensorflow.compat.v1 as tf

dataset = tf.data.TFRecordDataset(files).map(parse).batch(32)
total = tf.reduce_sum(tf.data.make_one_shot_iterator(dataset).get_next())
with tf.Session() as session:
    print(session.run(total))
# --- whole: prefetched
import tensorflow.compat.v1 as tf

dataset = tf.data.TFRecordDataset(files).batch(32).prefetch(2)
train = optimizer.minimize(loss(tf.data.make_one_shot_iterator(dataset).get_next()))
# --- whole: cached pipelines only note
import tensorflow.compat.v1 as tf

dataset = tf.data.TFRecordDataset(files).cache().batch(32)  # expect: PP302 low
train = optimizer.minimize(loss(tf.data.make_one_shot_iterator(dataset).get_next()))
# --- case: an attribute that is bound stage by stage
class Trainer:
    def load(self, files):
        self.data = tf.data.TFRecordDataset(files)
        self.data = self.data.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        self.data = self.data.batch(32)
        self.data = self.data.prefetch(tf.data.AUTOTUNE)

    def train(self):
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        self.model.fit(self.data)
# --- case: repeat behind the prefetch
def train(model, files):
    dataset = tf.data.TFRecordDataset(files).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    dataset = dataset.batch(32).prefetch(tf.data.AUTOTUNE).repeat(10)
    model.fit(dataset)
# --- case: a parallel stage works ahead by itself
ds = tf.data.TFRecordDataset("x").map(parse, num_parallel_calls=8).batch(32)  # expect: PP302 low
model.fit(ds)
ds = tf.data.Dataset.list_files("*.x")
ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=4).batch(5)  # expect: PP302 low
model.fit(ds)
# --- whole: nothing shows that what reads the iterator trains
import tensorflow.compat.v1 as tf

ds = tf.data.TextLineDataset("x").batch(10)  # expect: PP302 low
batch = ds.make_one_shot_iterator().get_next()
# --- whole: an input_fn that only predictions are made of
import tensorflow.compat.v1 as tf


def answer(estimator, question):
    def input_fn():
        return tf.data.Dataset.from_generator(question, tf.int32).batch(1)

    return estimator.predict(input_fn=input_fn)
# --- case: the other data set of the tuple trains
def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, [224, 224])


def make():
    images = tf.data.Dataset.from_tensor_slices(paths).map(load)
    train = images.batch(32).prefetch(1)
    test = images.batch(32)
    return test, train


def main():
    test, train = make()
    for epoch in range(50):
        for image, label in train:
            with tf.GradientTape() as tape:
                loss = loss_of(model(image), label)
            optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))


main()
# --- case: a loop that validates
def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, [224, 224])


images = tf.data.Dataset.from_tensor_slices(paths).map(load).batch(32)
for image in images:
    valid_step(image)
