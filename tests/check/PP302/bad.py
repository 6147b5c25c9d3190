import tensorflow as tf
# --- case: fit
def parse(r):
    return tf.io.parse_single_example(r, {})


model = tf.keras.Sequential()
ds = tf.data.TFRecordDataset("x").map(parse).batch(32)  # expect: PP302 low
model.fit(ds, epochs=3)

# --- case: a loop with a tape
ds = tf.data.TFRecordDataset("x")
ds = ds.shuffle(1000)
ds = ds.batch(32)  # expect: PP302 low
for batch in ds:
    with tf.GradientTape() as tape:
        pass

# --- case: a loop that calls a step, by enumerate
def run(files, train_step):
    data = tf.data.TFRecordDataset(files).batch(8)  # expect: PP302 low
    for i, batch in enumerate(data):
        train_step(batch)

# --- case: returned by a function, consumed by its caller
def load(files):
    ds = tf.data.TFRecordDataset(files)
    return ds.batch(4)  # expect: PP302 low


def main(model):
    model.fit(load("x"))

# --- whole: from another file
from data import load


def main(model):
    train = load("train")
    model.fit(train, epochs=2)
# --- file: data.py
import tensorflow as tf


def load(name):
    return tf.data.TFRecordDataset(name).padded_batch(8)  # expect: PP302 low

# --- whole: an input_fn of an estimator
import tensorflow.compat.v1 as tf


def train_input_fn():
    return tf.data.TFRecordDataset("x").repeat().batch(32)  # expect: PP302 low

# --- whole: a one-shot iterator
import tensorflow.compat.v1 as tf

ds = tf.data.TextLineDataset("x").batch(10)  # expect: PP302 low
batch = ds.make_one_shot_iterator().get_next()
train = tf.train.AdamOptimizer().minimize(loss(batch))

# --- case: an attribute
class Trainer:
    def __init__(self, files):
        self.train_ds = tf.data.TFRecordDataset(files).batch(32)  # expect: PP302 low

    def train(self, step):
        for batch in self.train_ds:
            self.train_on(batch)

# --- whole: images from a folder
import keras
import tensorflow as tf

ds = keras.utils.image_dataset_from_directory("x")
ds = ds.map(lambda x, y: (tf.image.resize(x, [9, 9]), y))  # expect: PP302 low
model.fit(ds)

# --- case: a generator
def gen():
    yield 1


ds = tf.data.Dataset.from_generator(gen, tf.int32).batch(3)  # expect: PP302 low
model.fit(x=ds)

# --- case: one of two branches
def make(files, training):
    ds = tf.data.TFRecordDataset(files)
    if training:
        ds = ds.shuffle(10).repeat()
    ds = ds.batch(32)  # expect: PP302 low
    return ds


model.fit(make("x", True))

# --- whole: Python makes the elements, whoever reads them
import tensorflow.compat.v1 as tf

ds = tf.data.Dataset.from_tensor_slices(names)
ds = ds.map(lambda n: tf.py_func(parse, [n], tf.float32)).batch(5)  # expect: PP302 low
notes = ds.make_one_shot_iterator().get_next()

# --- case: the chain stands in parentheses
ds = (
    tf.data.TFRecordDataset("x")
    .map(lambda r: tf.io.decode_png(r))
    .batch(5)  # expect: PP302 low
)
model.fit(ds)

# --- whole: an iterator by tf.data's function
import tensorflow.compat.v1 as tf

dataset = tf.data.Dataset.from_tensor_slices(packed).repeat().map(tf.io.decode_png)  # expect: PP302 low
points = tf.data.make_one_shot_iterator(dataset).get_next()
update = centres.assign(0.9 * centres + 0.1 * tf.reduce_mean(points))

# --- whole: one that is initialised, and an optimizer
import tensorflow.compat.v1 as tf

dataset = tf.data.TFRecordDataset(files).batch(32)  # expect: PP302 low
iterator = tf.data.make_initializable_iterator(dataset)
train = tf.train.AdamOptimizer().minimize(loss(iterator.get_next()))

# --- whole: the same in a function
import tensorflow.compat.v1 as tf


def batches():
    dataset = tf.data.TextLineDataset("x").batch(8)  # expect: PP302 low
    return tf.data.make_one_shot_iterator(dataset).get_next()


optimizer.apply_gradients(gradients(batches()))

# --- case: what prefetch gives is dropped
def train(model, files):
    dataset = tf.data.TFRecordDataset(files)
    dataset = dataset.batch(32)  # expect: PP302 low
    dataset.prefetch(tf.data.AUTOTUNE)
    model.fit(dataset)

# --- case: an attribute that is bound stage by stage, evaluated before it trains
class Trainer:
    def __init__(self, files):
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        self.data = None
        self.load(files)

    def load(self, files):
        self.data = tf.data.TFRecordDataset(files)
        self.data = self.data.shuffle(1000)
        self.data = self.data.batch(32)  # expect: PP302 low

    def train(self):
        self.model.evaluate(self.data)
        self.model.fit(self.data)

# --- case: functions give data sets in tuples, and zip them
def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, [224, 224])


def get(root):
    images = tf.data.Dataset.from_tensor_slices(paths).map(load)
    labels = tf.data.Dataset.from_tensor_slices(numbers)
    return tf.data.Dataset.zip((images, labels)), 1000


def make():
    train, n = get("train")
    test, m = get("test")
    train = train.batch(batch_size=32)  # expect: PP302 low
    return m, train


def main():
    m, train = make()
    for epoch in range(50):
        for image, label in train:
            with tf.GradientTape() as tape:
                loss = loss_of(model(image), label)
            optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))


main()

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

# --- whole: tests only note
x = 1
# --- file: tests/test_fit.py
import tensorflow as tf


def test_fit(model):
    model.fit(tf.data.TFRecordDataset("x").batch(3))  # expect: PP302 low

# --- whole: cached pipelines only note
import tensorflow.compat.v1 as tf

dataset = tf.data.TFRecordDataset(files).cache().batch(32)  # expect: PP302 low
train = optimizer.minimize(loss(tf.data.make_one_shot_iterator(dataset).get_next()))

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
        self.ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).batch(32)  # expect: PP302 low
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
    train = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).batch(32)  # expect: PP302 low
    test = tf.data.TFRecordDataset(files).batch(32)  # expect: PP302 low
    return train, test


def tuple_of(files):
    return (made(files), made(files))


def given(ds, more=None, *, key=None):
    model.fit(ds, validation_data=more)
    model.fit(key)


def passes(ds):
    return ds


def input_fn(files):
    return tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).batch(32)  # expect: PP302 low


def use0(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)  # expect: PP302 low
    model.fit(ds)


def use1(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.prefetch(1))


def use2(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)  # expect: PP302 low
    model.fit(ds, epochs=3)


def use3(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)  # expect: PP302 low
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
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)  # expect: PP302 low
    model.fit_generator(ds)


def use8(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    estimator.train(lambda: ds)


def use9(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    estimator.train(input_fn)


def use10(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)  # expect: PP302 low
    for x in ds:
        model.train_on_batch(x)


def use11(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    for x in ds.take(3):  # expect: PP302 low
        model.train_on_batch(x)


def use12(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)  # expect: PP302 low
    for i, x in enumerate(ds):
        model.train_on_batch(x)


def use13(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)  # expect: PP302 low
    for x in tqdm.tqdm(ds):
        model.train_on_batch(x)


def use14(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)  # expect: PP302 low
    for x, y in zip(ds, ds):
        model.train_on_batch(x)


def use15(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)  # expect: PP302 low
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
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)  # expect: PP302 low
    it = ds.make_one_shot_iterator()
    x = it.get_next()


def use19(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)  # expect: PP302 low
    it = tf.compat.v1.data.make_one_shot_iterator(ds)
    x = it.get_next()


def use20(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)  # expect: PP302 low
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
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)  # expect: PP302 low
    given(ds)


def use27(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)  # expect: PP302 low
    given(ds, more=ds)


def use28(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)  # expect: PP302 low
    given(a, key=ds)


def use29(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)  # expect: PP302 low
    model.fit(passes(ds))


def use30(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)  # expect: PP302 low
    model.fit(ds if flag else a)


def use31(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)  # expect: PP302 low
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
    ds = ds.cache()
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
    ds = ds.apply(tf.data.experimental.copy_to_device("/gpu:0"))  # expect: PP302 low
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
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)  # expect: PP302 low
    while True:
        model.fit(ds)


def use57(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)  # expect: PP302 low
    with strategy.scope():
        model.fit(ds)


def use58(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)  # expect: PP302 low
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
    model.fit(ds.shuffle(10).batch(3).repeat(3))  # expect: PP302 low


def use72(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(tf.data.Dataset.zip((ds, ds)))


def use73(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.concatenate(ds))  # expect: PP302 low


def use74(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(tf.data.Dataset.sample_from_datasets([ds, ds]))


def use75(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.cache().shuffle(10))  # expect: PP302 low


def use76(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.shuffle(10).cache())


def use77(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.batch(3).shuffle(10))  # expect: PP302 low


def use78(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.repeat().shuffle(10))  # expect: PP302 low


def use79(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.shuffle(10).repeat())  # expect: PP302 low


def use80(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.cache("f").map(decode, AUTO))  # expect: PP302 low


def use81(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.map(decode, AUTO).cache())


def use82(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.shuffle(1))  # expect: PP302 low


def use83(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.shuffle(1000000))  # expect: PP302 low


def use84(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.unbatch().batch(3))  # expect: PP302 low


def use85(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.window(3).flat_map(lambda w: w))  # expect: PP302 low


def use86(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.filter(lambda x: True))  # expect: PP302 low


def use87(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)
    model.fit(ds.padded_batch(3))  # expect: PP302 low


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
    for x in ds.take(3):  # expect: PP302 low
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
    ds = ds.cache()
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
    ds = ds.apply(tf.data.experimental.copy_to_device("/gpu:0"))  # expect: PP302 low
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

