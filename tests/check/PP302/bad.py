import tensorflow as tf
# --- case: fit
def parse(r):
    return tf.io.parse_single_example(r, {})


model = tf.keras.Sequential()
ds = tf.data.TFRecordDataset("x").map(parse).batch(32)  # expect: PP302
model.fit(ds, epochs=3)
# --- case: a loop with a tape
ds = tf.data.TFRecordDataset("x")
ds = ds.shuffle(1000)
ds = ds.batch(32)  # expect: PP302
for batch in ds:
    with tf.GradientTape() as tape:
        pass
# --- case: a loop that calls a step, by enumerate
def run(files, train_step):
    data = tf.data.TFRecordDataset(files).batch(8)  # expect: PP302
    for i, batch in enumerate(data):
        train_step(batch)
# --- case: returned by a function, consumed by its caller
def load(files):
    ds = tf.data.TFRecordDataset(files)
    return ds.batch(4)  # expect: PP302


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
    return tf.data.TFRecordDataset(name).padded_batch(8)  # expect: PP302
# --- whole: an input_fn of an estimator
import tensorflow.compat.v1 as tf


def train_input_fn():
    return tf.data.TFRecordDataset("x").repeat().batch(32)  # expect: PP302
# --- whole: a one-shot iterator
import tensorflow.compat.v1 as tf

ds = tf.data.TextLineDataset("x").batch(10)  # expect: PP302
batch = ds.make_one_shot_iterator().get_next()
train = tf.train.AdamOptimizer().minimize(loss(batch))
# --- case: an attribute
class Trainer:
    def __init__(self, files):
        self.train_ds = tf.data.TFRecordDataset(files).batch(32)  # expect: PP302

    def train(self, step):
        for batch in self.train_ds:
            self.train_on(batch)
# --- whole: images from a folder
import keras
import tensorflow as tf

ds = keras.utils.image_dataset_from_directory("x")
ds = ds.map(lambda x, y: (tf.image.resize(x, [9, 9]), y))  # expect: PP302
model.fit(ds)
# --- case: a generator
def gen():
    yield 1


ds = tf.data.Dataset.from_generator(gen, tf.int32).batch(3)  # expect: PP302
model.fit(x=ds)
# --- case: one of two branches
def make(files, training):
    ds = tf.data.TFRecordDataset(files)
    if training:
        ds = ds.shuffle(10).repeat()
    ds = ds.batch(32)  # expect: PP302
    return ds


model.fit(make("x", True))
# --- whole: Python makes the elements, whoever reads them
import tensorflow.compat.v1 as tf

ds = tf.data.Dataset.from_tensor_slices(names)
ds = ds.map(lambda n: tf.py_func(parse, [n], tf.float32)).batch(5)  # expect: PP302
notes = ds.make_one_shot_iterator().get_next()
# --- case: the chain stands in parentheses
ds = (
    tf.data.TFRecordDataset("x")
    .map(lambda r: tf.io.decode_png(r))
    .batch(5)  # expect: PP302
)
model.fit(ds)
# --- whole: an iterator by tf.data's function
import tensorflow.compat.v1 as tf

dataset = tf.data.Dataset.from_tensor_slices(packed).repeat().map(tf.io.decode_png)  # expect: PP302
points = tf.data.make_one_shot_iterator(dataset).get_next()
update = centres.assign(0.9 * centres + 0.1 * tf.reduce_mean(points))
# --- whole: one that is initialised, and an optimizer
import tensorflow.compat.v1 as tf

dataset = tf.data.TFRecordDataset(files).batch(32)  # expect: PP302
iterator = tf.data.make_initializable_iterator(dataset)
train = tf.train.AdamOptimizer().minimize(loss(iterator.get_next()))
# --- whole: the same in a function
import tensorflow.compat.v1 as tf


def batches():
    dataset = tf.data.TextLineDataset("x").batch(8)  # expect: PP302
    return tf.data.make_one_shot_iterator(dataset).get_next()


optimizer.apply_gradients(gradients(batches()))
# --- case: what prefetch gives is dropped
def train(model, files):
    dataset = tf.data.TFRecordDataset(files)
    dataset = dataset.batch(32)  # expect: PP302
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
        self.data = self.data.batch(32)  # expect: PP302

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
    train = train.batch(batch_size=32)  # expect: PP302
    return m, train


def main():
    m, train = make()
    for epoch in range(50):
        for image, label in train:
            with tf.GradientTape() as tape:
                loss = loss_of(model(image), label)
            optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))


main()
