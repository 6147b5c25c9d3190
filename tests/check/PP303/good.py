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


def use0(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds)


def use1(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.prefetch(1))


def use2(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds, epochs=3)


def use3(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(x=ds)


def use4(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(a, validation_data=ds)


def use5(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.evaluate(ds)


def use6(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.predict(ds)


def use7(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit_generator(ds)


def use8(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    estimator.train(lambda: ds)


def use9(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    estimator.train(input_fn)


def use10(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    for x in ds:
        model.train_on_batch(x)


def use11(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    for x in ds.take(3):
        model.train_on_batch(x)


def use12(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    for i, x in enumerate(ds):
        model.train_on_batch(x)


def use13(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    for x in tqdm.tqdm(ds):
        model.train_on_batch(x)


def use14(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    for x, y in zip(ds, ds):
        model.train_on_batch(x)


def use15(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    for x in iter(ds):
        model.train_on_batch(x)


def use16(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    for x in ds.as_numpy_iterator():
        model.train_on_batch(x)


def use17(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    it = iter(ds)
    x = next(it)


def use18(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    it = ds.make_one_shot_iterator()
    x = it.get_next()


def use19(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    it = tf.compat.v1.data.make_one_shot_iterator(ds)
    x = it.get_next()


def use20(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    it = ds.make_initializable_iterator()
    x = it.get_next()


def use21(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    return ds


def use22(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    return ds, 3


def use23(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    yield ds


def use24(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    train(ds)


def use25(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    wrap(ds).fit()


def use26(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    given(ds)


def use27(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    given(ds, more=ds)


def use28(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    given(a, key=ds)


def use29(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(passes(ds))


def use30(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds if flag else a)


def use31(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit((ds))


def use32(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit([ds][0])


def use33(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    sets = [ds, ds]
    model.fit(sets[0])


def use34(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    sets = {"a": ds}
    model.fit(sets["a"])


def use35(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    self.ds = ds
    model.fit(self.ds)


def use36(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    ds = ds.cache()  # expect: PP303 low
    model.fit(ds)


def use37(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    ds = ds.repeat().prefetch(AUTO)
    model.fit(ds)


def use38(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    ds = ds.shuffle(10)
    for x in ds:
        print(x)


def use39(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    ds = ds.apply(tf.data.experimental.prefetch_to_device("/gpu:0"))
    model.fit(ds)


def use40(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    ds = ds.apply(tf.data.experimental.copy_to_device("/gpu:0"))
    model.fit(ds)


def use42(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    ds = ds.apply(lambda d: d.prefetch(1))
    model.fit(ds)


def use43(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    ds = ds.with_options(options)
    model.fit(ds)


def use44(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    ds = strategy.experimental_distribute_dataset(ds)
    model.fit(ds)


def use45(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    if flag:
        ds = ds.prefetch(1)
    model.fit(ds)


def use46(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    ds = ds.prefetch(1) if flag else ds
    model.fit(ds)


def use47(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    (copy := ds.batch(3))
    model.fit(copy)


def use48(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    ds, more = both(a)
    model.fit(ds, validation_data=more)


def use49(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    ds, more = tuple_of(a)
    model.fit(ds)


def use50(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    d = Data(a)
    model.fit(d.ds)


def use51(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    d = Data(a)
    model.fit(d.get())


def use52(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    d = Data(a)
    model.fit(d.late)


def use53(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    d = Data.of(a)
    model.fit(d.ds)


def use54(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    d = Data(a, made(a))
    d.run()


def use55(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    for _ in range(3):
        for x in ds:
            print(x)


def use56(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    while True:
        model.fit(ds)


def use57(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    with strategy.scope():
        model.fit(ds)


def use58(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    try:
        model.fit(ds)
    except ValueError:
        model.fit(ds)


def use59(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    print(ds)


def use60(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    len(ds)


def use61(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    ds.cardinality()


def use62(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    sum(1 for _ in ds)


def use63(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    list(ds)


def use64(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    [x for x in ds]


def use65(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    next(iter(ds))


def use66(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    a, b = next(iter(ds))


def use67(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    tf.data.experimental.get_single_element(ds)


def use68(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    ds.reduce(0, lambda a, b: a + b)


def use69(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    tf.data.experimental.save(ds, "a")


def use70(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    ds.save("a")


def use71(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.shuffle(10).batch(3).repeat(3))


def use72(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(tf.data.Dataset.zip((ds, ds)))


def use73(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.concatenate(ds))


def use74(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(tf.data.Dataset.sample_from_datasets([ds, ds]))


def use75(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.cache().shuffle(10))


def use76(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.shuffle(10).cache())  # expect: PP303 low


def use77(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.batch(3).shuffle(10))


def use78(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.repeat().shuffle(10))


def use79(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.shuffle(10).repeat())


def use80(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.cache("f").map(decode, AUTO))  # expect: PP303 low


def use81(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.map(decode, AUTO).cache())  # expect: PP303 low


def use82(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.shuffle(1))


def use83(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.shuffle(1000000))


def use84(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.unbatch().batch(3))


def use85(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.window(3).flat_map(lambda w: w))


def use86(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.filter(lambda x: True))


def use87(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.padded_batch(3))


def of_made0(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    model.fit(ds)


def of_made1(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    model.fit(ds.prefetch(1))


def of_made2(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    model.fit(ds, epochs=3)


def of_made3(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    model.fit(x=ds)


def of_made4(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    model.fit(a, validation_data=ds)


def of_made5(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    model.evaluate(ds)


def of_made6(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    model.predict(ds)


def of_made7(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    model.fit_generator(ds)


def of_made8(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    estimator.train(lambda: ds)


def of_made9(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    estimator.train(input_fn)


def of_made10(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    for x in ds:
        model.train_on_batch(x)


def of_made11(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    for x in ds.take(3):
        model.train_on_batch(x)


def of_made12(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    for i, x in enumerate(ds):
        model.train_on_batch(x)


def of_made13(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    for x in tqdm.tqdm(ds):
        model.train_on_batch(x)


def of_made14(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    for x, y in zip(ds, ds):
        model.train_on_batch(x)


def of_made15(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    for x in iter(ds):
        model.train_on_batch(x)


def of_made16(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    for x in ds.as_numpy_iterator():
        model.train_on_batch(x)


def of_made17(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    it = iter(ds)
    x = next(it)


def of_made18(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    it = ds.make_one_shot_iterator()
    x = it.get_next()


def of_made19(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    it = tf.compat.v1.data.make_one_shot_iterator(ds)
    x = it.get_next()


def of_made20(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    it = ds.make_initializable_iterator()
    x = it.get_next()


def of_made21(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    return ds


def of_made22(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    return ds, 3


def of_made23(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    yield ds


def of_made24(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    train(ds)


def of_made25(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    wrap(ds).fit()


def of_made26(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    given(ds)


def of_made27(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    given(ds, more=ds)


def of_made28(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    given(a, key=ds)


def of_made29(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    model.fit(passes(ds))


def of_made30(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    model.fit(ds if flag else a)


def of_made31(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    model.fit((ds))


def of_made32(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    model.fit([ds][0])


def of_made33(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    sets = [ds, ds]
    model.fit(sets[0])


def of_made34(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    sets = {"a": ds}
    model.fit(sets["a"])


def of_made35(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    self.ds = ds
    model.fit(self.ds)


def of_made36(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    ds = ds.cache()  # expect: PP303 low
    model.fit(ds)


def of_made37(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    ds = ds.repeat().prefetch(AUTO)
    model.fit(ds)


def of_made38(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    ds = ds.shuffle(10)
    for x in ds:
        print(x)


def of_made39(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    ds = ds.apply(tf.data.experimental.prefetch_to_device("/gpu:0"))
    model.fit(ds)


def of_made40(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    ds = ds.apply(tf.data.experimental.copy_to_device("/gpu:0"))
    model.fit(ds)


def of_made42(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    ds = ds.apply(lambda d: d.prefetch(1))
    model.fit(ds)


def of_made43(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    ds = ds.with_options(options)
    model.fit(ds)


def of_made44(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    ds = strategy.experimental_distribute_dataset(ds)
    model.fit(ds)


def of_made45(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    if flag:
        ds = ds.prefetch(1)
    model.fit(ds)


def of_made46(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    ds = ds.prefetch(1) if flag else ds
    model.fit(ds)


def of_made47(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    (copy := ds.batch(3))
    model.fit(copy)


def of_made48(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    ds, more = both(a)
    model.fit(ds, validation_data=more)


def of_made49(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    ds, more = tuple_of(a)
    model.fit(ds)


def of_made50(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    d = Data(a)
    model.fit(d.ds)


def of_made51(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    d = Data(a)
    model.fit(d.get())


def of_made52(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    d = Data(a)
    model.fit(d.late)


def of_made53(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    d = Data.of(a)
    model.fit(d.ds)


def of_made54(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    d = Data(a, made(a))
    d.run()


def of_made55(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    for _ in range(3):
        for x in ds:
            print(x)


def of_made56(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    while True:
        model.fit(ds)


def of_made57(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    with strategy.scope():
        model.fit(ds)


def of_made58(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    try:
        model.fit(ds)
    except ValueError:
        model.fit(ds)


def of_made59(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    print(ds)

