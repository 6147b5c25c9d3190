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
# --- each
def useNTH(self, files, a, b, flag, estimator, strategy, options):
    ds = tf.data.TFRecordDataset(files).map(decode, num_parallel_calls=AUTO).shuffle(100).batch(32)  # HERE
    EACH


def of_madeNTH(self, files, a, b, flag, estimator, strategy, options):
    ds = made(files)
    EACH
# --- of
model.fit(ds)  # here: PP302 low
model.fit(ds.prefetch(1))
model.fit(ds, epochs=3)  # here: PP302 low
model.fit(x=ds)  # here: PP302 low
model.fit(a, validation_data=ds)
model.evaluate(ds)
model.predict(ds)
model.fit_generator(ds)  # here: PP302 low
estimator.train(lambda: ds)
estimator.train(input_fn)
for x in ds:  # here: PP302 low
    model.train_on_batch(x)
for x in ds.take(3):  # expect: PP302 low
    model.train_on_batch(x)
for i, x in enumerate(ds):  # here: PP302 low
    model.train_on_batch(x)
for x in tqdm.tqdm(ds):  # here: PP302 low
    model.train_on_batch(x)
for x, y in zip(ds, ds):  # here: PP302 low
    model.train_on_batch(x)
for x in iter(ds):  # here: PP302 low
    model.train_on_batch(x)
for x in ds.as_numpy_iterator():
    model.train_on_batch(x)
it = iter(ds)
# and
x = next(it)
it = ds.make_one_shot_iterator()  # here: PP302 low
# and
x = it.get_next()
it = tf.compat.v1.data.make_one_shot_iterator(ds)  # here: PP302 low
# and
x = it.get_next()
it = ds.make_initializable_iterator()  # here: PP302 low
# and
x = it.get_next()
return ds
return ds, 3
yield ds
train(ds)
wrap(ds).fit()
given(ds)  # here: PP302 low
given(ds, more=ds)  # here: PP302 low
given(a, key=ds)  # here: PP302 low
model.fit(passes(ds))  # here: PP302 low
model.fit(ds if flag else a)  # here: PP302 low
model.fit((ds))  # here: PP302 low
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
ds = ds.cache()
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
ds = ds.apply(tf.data.experimental.copy_to_device("/gpu:0"))  # expect: PP302 low
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
while True:  # here: PP302 low
    model.fit(ds)
with strategy.scope():  # here: PP302 low
    model.fit(ds)
try:  # here: PP302 low
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
model.fit(ds.shuffle(10).batch(3).repeat(3))  # expect: PP302 low
model.fit(tf.data.Dataset.zip((ds, ds)))
model.fit(ds.concatenate(ds))  # expect: PP302 low
model.fit(tf.data.Dataset.sample_from_datasets([ds, ds]))
model.fit(ds.cache().shuffle(10))  # expect: PP302 low
model.fit(ds.shuffle(10).cache())
model.fit(ds.batch(3).shuffle(10))  # expect: PP302 low
model.fit(ds.repeat().shuffle(10))  # expect: PP302 low
model.fit(ds.shuffle(10).repeat())  # expect: PP302 low
model.fit(ds.cache("f").map(decode, AUTO))  # expect: PP302 low
model.fit(ds.map(decode, AUTO).cache())
model.fit(ds.shuffle(1))  # expect: PP302 low
model.fit(ds.shuffle(1000000))  # expect: PP302 low
model.fit(ds.unbatch().batch(3))  # expect: PP302 low
model.fit(ds.window(3).flat_map(lambda w: w))  # expect: PP302 low
model.fit(ds.filter(lambda x: True))  # expect: PP302 low
model.fit(ds.padded_batch(3))  # expect: PP302 low
