import tensorflow as tf
# --- case: prefetch is there
ds = tf.data.TFRecordDataset("x").batch(32).prefetch(tf.data.AUTOTUNE)  # lacks: another stage follows
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
