import tensorflow as tf
# --- case: cache before the random map
ds = tf.data.TFRecordDataset("x").map(parse).cache().map(lambda x: tf.image.random_crop(x, [3]))  # lacks: no endless repeat(), random map() or shuffle() is seen before it
ds = ds.shuffle(100).batch(3)
# --- case: shuffle, then batch
ds = tf.data.TFRecordDataset("x").shuffle(1000).batch(32)
# --- case: a validation set is frozen on purpose
def crop(x):
    return tf.image.random_crop(x, [3, 3, 3])


val_ds = tf.data.TFRecordDataset("x").map(crop).cache()
# --- case: the function of the data set says what it is for
def make_test_set(files):
    ds = tf.data.TFRecordDataset(files).map(lambda x: x + tf.random.uniform([]))
    return ds.cache()
# --- case: sequences are the elements
ids = tf.data.Dataset.from_tensor_slices(text)
sequences = ids.batch(seq_length + 1, drop_remainder=True)
ds = sequences.map(split).shuffle(10000).batch(64)
# --- case: sequences, without a second batch in sight
def windows(text, seq_length):
    return tf.data.Dataset.from_tensor_slices(text).batch(seq_length).shuffle(100)


def clips(frames, num_frames):
    return tf.data.Dataset.from_tensor_slices(frames).batch(num_frames).shuffle(100)
# --- case: batches are taken apart again
ds = tf.data.TFRecordDataset("x").batch(100).map(parse_all).unbatch().shuffle(1000).batch(8)
# --- case: elements were shuffled, and batches too
ds = tf.data.TFRecordDataset("x").shuffle(1000).batch(32).shuffle(10)
# --- case: batch(1)
ds = tf.data.TFRecordDataset("x").batch(1).shuffle(1000)
# --- case: buckets
ds = tf.data.TFRecordDataset("x").bucket_by_sequence_length(f, [10, 20], [8, 8, 8]).shuffle(100)
# --- case: repeat a few times, then cache
ds = tf.data.TFRecordDataset("x").repeat(2).cache()
few = tf.data.TFRecordDataset("x").repeat().take(100).cache()
# --- case: branches that exclude each other
def make(config, training):
    ds = tf.data.TFRecordDataset("x")
    if training and not config.cache:
        ds = ds.repeat()
    if config.cache:
        ds = ds.cache()
    return ds
# --- case: epochs run into one another: only a note
ds = tf.data.TFRecordDataset("x").repeat(epochs).shuffle(1000).batch(3)  # expect: PP303 low
# --- case: without epochs, there is nothing to keep apart
ds = tf.data.TFRecordDataset("x").repeat().shuffle(1000).batch(3)
# --- case: the order is kept by the cache: only a note
ds = tf.data.TFRecordDataset("x").shuffle(1000).cache().batch(3)  # expect: PP303 low
# --- case: parsing after the cache may save memory: only a note
def parse(r):
    return tf.io.parse_single_example(r, {})


ds = tf.data.TFRecordDataset("x").cache().shuffle(100)
ds = ds.map(parse)  # expect: PP303 low
# --- case: parsing, and random: each epoch differs
def parse(r):
    return tf.image.random_flip_up_down(tf.io.decode_jpeg(r))


ds = tf.data.TFRecordDataset("x").cache().map(parse).batch(8)
# --- case: casts after the cache
ds = tf.data.TFRecordDataset("x").cache().map(lambda x: tf.cast(x, tf.float32)).batch(8)
# --- whole: shuffle of other things
import random
import numpy as np
import pandas as pd
import tensorflow as tf

files = sorted(files)
random.shuffle(files)
np.random.shuffle(x)
frame = pd.read_csv("x").sample(frac=1)
deck.batch(3).shuffle(4)
# --- whole: in a test
x = 1
# --- file: tests/test_data.py
import tensorflow as tf


def test_order():
    ds = tf.data.Dataset.range(100).batch(10).shuffle(10)  # expect: PP303 low
# --- case: some batches at random
ds = tf.data.TFRecordDataset("x").batch(32)
some = ds.shuffle(100).take(3)  # expect: PP303 low
# --- case: another order in each iteration, of which there is one: only a note
def streams(client_data, size):
    global_dataset = client_data.create_tf_dataset_from_all_clients()
    global_dataset = global_dataset.repeat(None)
    global_dataset = global_dataset.shuffle(  # expect: PP303 low
        buffer_size=10000, reshuffle_each_iteration=True)
    return global_dataset.window(size)


def ordered(client_data, size):
    global_dataset = client_data.create_tf_dataset_from_all_clients()
    global_dataset = global_dataset.shuffle(buffer_size=10000, reshuffle_each_iteration=True)
    return global_dataset.repeat(None).window(size)


ds = tf.data.TFRecordDataset("x")
a = ds.repeat().shuffle(1000)
b = ds.repeat().shuffle(1000, reshuffle_each_iteration=False)
c = ds.repeat().shuffle(1000, None, True)  # expect: PP303 low
# --- case: the names of images are shuffled
def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, [224, 224])


names = tf.data.Dataset.from_tensor_slices(paths).shuffle(1000)
for image in names.map(load, num_parallel_calls=8).batch(32).prefetch(1):
    train_step(image)
# --- case: images out of records have no names to shuffle
def decode(record):
    parsed = tf.io.parse_single_example(record, features)
    return tf.io.decode_jpeg(parsed["image"], channels=3)


images = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=8)
for image in images.shuffle(1000).batch(32).prefetch(1):
    train_step(image)
# --- case: prefetch in the middle, and at the end
def sounds(paths):
    waves = tf.data.Dataset.from_tensor_slices(paths).map(read_wave, num_parallel_calls=8)
    waves = waves.prefetch(4)
    return waves.shuffle(20000).batch(64).prefetch(2)


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(sounds(["a", "b"]), epochs=3)
# --- whole: data sets of all kinds, and who takes them
import tensorflow as tf
import tqdm
from library import train, augment, wrap

model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
model.compile("adam", "mse")
AUTO = tf.data.AUTOTUNE


def decode(r):
    return tf.io.decode_png(r)


class Data:
    def __init__(self, files, other=None):
        self.ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).batch(32)
        self.other = other
        self.pair = (tf.data.TFRecordDataset(files).batch(3), 3)

    def get(self):
        return self.ds

    @property
    def late(self):
        return self.ds

    @classmethod
    def of(cls, files):
        return cls(files)

    def run(self):
        model.fit(self.ds)
        for x in self.other:
            print(x)


def made(files):
    return tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)


def both(files):
    train = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).batch(32)
    test = tf.data.TFRecordDataset(files).batch(32)
    return train, test


def tuple_of(files):
    return (made(files), made(files))


def given(ds, more=None, *, key=None):
    model.fit(ds, validation_data=more)
    model.fit(key)


def passes(ds):
    return ds


def input_fn(files):
    return tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).batch(32)
# --- each
def useNTH(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    EACH


def of_madeNTH(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    EACH
# --- of
model.fit(ds)
model.fit(ds.prefetch(1))
model.fit(ds, epochs=3)
model.fit(x=ds)
model.fit(a, validation_data=ds)
model.evaluate(ds)
model.predict(ds)
model.fit_generator(ds)
estimator.train(lambda: ds)
estimator.train(input_fn)
for x in ds:
    model.train_on_batch(x)
for x in ds.take(3):
    model.train_on_batch(x)
for i, x in enumerate(ds):
    model.train_on_batch(x)
for x in tqdm.tqdm(ds):
    model.train_on_batch(x)
for x, y in zip(ds, ds):
    model.train_on_batch(x)
for x in iter(ds):
    model.train_on_batch(x)
for x in ds.as_numpy_iterator():
    model.train_on_batch(x)
it = iter(ds)
# and
x = next(it)
it = ds.make_one_shot_iterator()
# and
x = it.get_next()
it = tf.compat.v1.data.make_one_shot_iterator(ds)
# and
x = it.get_next()
it = ds.make_initializable_iterator()
# and
x = it.get_next()
return ds
return ds, 3
yield ds
train(ds)
wrap(ds).fit()
given(ds)
given(ds, more=ds)
given(a, key=ds)
model.fit(passes(ds))
model.fit(ds if flag else a)
model.fit((ds))
model.fit([ds][0])
sets = [ds, ds]
# and
model.fit(sets[0])
sets = {"a": ds}
# and
model.fit(sets["a"])
self.ds = ds
# and
model.fit(self.ds)
ds = ds.cache()  # expect: PP303 low
# and
model.fit(ds)
ds = ds.repeat().prefetch(AUTO)
# and
model.fit(ds)
ds = ds.shuffle(10)
# and
for x in ds:
    print(x)
ds = ds.apply(tf.data.experimental.prefetch_to_device("/gpu:0"))
# and
model.fit(ds)
ds = ds.apply(tf.data.experimental.copy_to_device("/gpu:0"))
# and
model.fit(ds)
ds = ds.apply(lambda d: d.prefetch(1))
# and
model.fit(ds)
ds = ds.with_options(options)
# and
model.fit(ds)
ds = strategy.experimental_distribute_dataset(ds)
# and
model.fit(ds)
if flag:
    ds = ds.prefetch(1)
# and
model.fit(ds)
ds = ds.prefetch(1) if flag else ds
# and
model.fit(ds)
(copy := ds.batch(3))
# and
model.fit(copy)
ds, more = both(a)
# and
model.fit(ds, validation_data=more)
ds, more = tuple_of(a)
# and
model.fit(ds)
d = Data(a)
# and
model.fit(d.ds)
d = Data(a)
# and
model.fit(d.get())
d = Data(a)
# and
model.fit(d.late)
d = Data.of(a)
# and
model.fit(d.ds)
d = Data(a, made(a))
# and
d.run()
for _ in range(3):
    for x in ds:
        print(x)
while True:
    model.fit(ds)
with strategy.scope():
    model.fit(ds)
try:
    model.fit(ds)
except ValueError:
    model.fit(ds)
print(ds)
len(ds)
ds.cardinality()
sum(1 for _ in ds)
list(ds)
[x for x in ds]
next(iter(ds))
a, b = next(iter(ds))
tf.data.experimental.get_single_element(ds)
ds.reduce(0, lambda a, b: a + b)
tf.data.experimental.save(ds, "a")
ds.save("a")
model.fit(ds.shuffle(10).batch(3).repeat(3))
model.fit(tf.data.Dataset.zip((ds, ds)))
model.fit(ds.concatenate(ds))
model.fit(tf.data.Dataset.sample_from_datasets([ds, ds]))
model.fit(ds.cache().shuffle(10))
model.fit(ds.shuffle(10).cache())  # expect: PP303 low
model.fit(ds.batch(3).shuffle(10))
model.fit(ds.repeat().shuffle(10))
model.fit(ds.shuffle(10).repeat())
model.fit(ds.cache("f").map(decode, AUTO))  # expect: PP303 low
model.fit(ds.map(decode, AUTO).cache())  # expect: PP303 low
model.fit(ds.shuffle(1))
model.fit(ds.shuffle(1000000))
model.fit(ds.unbatch().batch(3))
model.fit(ds.window(3).flat_map(lambda w: w))
model.fit(ds.filter(lambda x: True))
model.fit(ds.padded_batch(3))
