import tensorflow as tf
# --- case: num_parallel_calls is given, by name and by position
d = tf.data.TFRecordDataset("x")
d = d.map(lambda r: tf.io.decode_png(r), num_parallel_calls=tf.data.AUTOTUNE)  # lacks: the number of parallel calls is given
d = d.map(lambda r: tf.image.resize(r, [9, 9]), 8)
d = d.interleave(lambda x: tf.data.Dataset.from_tensors(x), 4, 1, tf.data.AUTOTUNE)
# --- case: one call at a time was written on purpose
d = tf.data.TFRecordDataset("x").map(lambda r: tf.io.decode_png(r), num_parallel_calls=1)
# --- case: arguments that are not seen
def build(files, fn, **options):
    return tf.data.TFRecordDataset(files).map(fn, **options)
# --- whole: no data set: a pool, a series, a list
import multiprocessing
import pandas
import tensorflow as tf

dataset = tf.data.TFRecordDataset("x")
pool = multiprocessing.Pool(4)
sizes = pool.map(len, [dataset, dataset])
frame = pandas.Series([1, 2]).map(abs)
names = list(map(str, [1, 2]))
# --- case: the mapper packs a tuple
d = tf.data.TFRecordDataset("x").map(lambda x, y: (x, y))  # expect: PP301 low
d = d.map(lambda x: {"image": x["a"], "label": x["b"]})  # expect: PP301 low
# --- case: the mapper sets a shape
def shaped(image, label):
    image.set_shape([28, 28])
    return image, label


d = tf.data.TFRecordDataset("x").map(shaped)  # expect: PP301 low
# --- case: the mapper casts: little to gain
d = tf.data.TFRecordDataset("x")
d = d.map(lambda x: tf.cast(x, tf.float32))  # expect: PP301 low
# --- case: a handful of elements
d = tf.data.Dataset.range(5).map(lambda x: x * x + 1)  # expect: PP301 low
e = tf.data.Dataset.from_tensor_slices([1, 2, 3])
e = e.map(lambda x: tf.math.sqrt(tf.cast(x, tf.float32)) * 2.0)  # expect: PP301 low
f = tf.data.TFRecordDataset("x").take(3)
f = f.map(lambda r: tf.io.decode_png(r))  # expect: PP301 low
# --- whole: tests may be simple
x = 1
# --- file: tests/test_input.py
import tensorflow as tf


def test_map():
    d = tf.data.TFRecordDataset("x").map(lambda r: tf.io.decode_png(r))  # expect: PP301 low
# --- whole: examples and vendored code
x = 1
# --- file: examples/train.py
import tensorflow as tf

d = tf.data.TFRecordDataset("x").map(lambda r: tf.io.decode_png(r))  # expect: PP301 low
# --- file: third_party/lib.py
import tensorflow as tf

d = tf.data.TFRecordDataset("x").map(lambda r: tf.io.decode_png(r))  # expect: PP301 low
# --- case: a comment with a reason
d = tf.data.TFRecordDataset("x")
d = d.map(lambda r: tf.io.decode_png(r))  # ppmine: ignore[PP301] one core in this container
# ppmine: ignore
e = d.map(lambda r: tf.io.decode_png(r))
# --- whole: a data set of Hugging Face has a map of its own
from datasets import load_dataset
import tensorflow as tf

dataset = load_dataset("imdb")
dataset = dataset.map(lambda r: r["text"].lower())
# --- case: RDDs and dictionaries in a file that uses TensorFlow
class Table:
    def map(self, f):
        return [f(x) for x in self.rows]


dataset = Table()
rows = dataset.map(lambda x: tf.square(x))
# --- case: a side effect, whose order would change
class Counter:
    def count(self, x):
        self.n = self.n + 1
        return tf.io.decode_png(x)

    def build(self):
        return tf.data.TFRecordDataset("x").map(self.count)  # expect: PP301 low
# --- whole: no TensorFlow at all
def load(ds, parse):
    return ds.map(parse).batch(3)
# --- case: in a string and in a comment
# tf.data.TFRecordDataset("x").map(parse)
text = """
tf.data.TFRecordDataset("x").map(parse)
"""
# --- case: one sum, one hash, a transpose: little to gain
def channel_first(row):
    row["x"] = tf.transpose(row["x"], perm=[2, 0, 1])
    return row


lines = tf.data.TextLineDataset("x")
a = lines.map(lambda s: tf.strings.to_hash_bucket_fast(s, 1024))  # expect: PP301 low
b = tf.data.TFRecordDataset("x").map(channel_first)  # expect: PP301 low
c = a.map(lambda x: tf.reduce_sum(x, axis=1, keepdims=True))  # expect: PP301 low
d = a.map(tf.shape)  # expect: PP301 low
# --- case: the mapper fills an object of a class, field after field
class Packed:
    def __init__(self, original, pair):
        self.original = original
        self.pair = pair


def pack(original, pair):
    for key, value in original.items():
        if value.shape.rank is None:
            raise ValueError("no shape for {}".format(repr(key)))
    return Packed(original=original, pair=pair)


one = tf.data.TFRecordDataset("x")
both = tf.data.Dataset.zip((one, one)).map(pack)  # expect: PP301 low
# --- case: a model on the device is no work of the pipeline
class Influence:
    def __init__(self, model):
        self.model = model

    def gradients(self, batch, labels):
        with tf.GradientTape() as tape:
            loss = tf.nn.softmax_cross_entropy_with_logits(labels, self.model(batch))
        return tape.gradient(loss, self.model.trainable_weights)

    def of(self, files):
        dataset = tf.data.TFRecordDataset(files).batch(8)
        return dataset.map(lambda x, y: self.gradients(x, y))  # expect: PP301 low
# --- case: calls that read on from one connection must not overlap
from broker import core_ops


class Stream:
    def __init__(self, resource):
        self._resource = resource

    def read(self):
        dataset = tf.data.Dataset.range(0, 1 << 40, 1024)
        return dataset.map(  # expect: PP301 low
            lambda start: core_ops.readable_read(self._resource, start))
# --- case: Python under the interpreter's lock
def encode(text):
    return [len(word) for word in text.numpy().decode().split()]


lines = tf.data.TextLineDataset("x")
lines = lines.map(lambda s: tf.py_function(encode, [s], tf.int64))  # expect: PP301 low
# --- case: one element in each epoch
def permutation(_):
    return tf.random.shuffle(tf.range(1 << 20))


order = tf.data.Dataset.range(1).repeat(9).map(permutation)  # expect: PP301 low
# --- case: arithmetic on pictures, and on whole batches, is little beside reading them
def scaled(image, label):
    return image / 255.0, label


ds = tf.data.TFRecordDataset("x")
ds = ds.map(scaled)  # expect: PP301 low
ds = ds.batch(64).map(lambda xx, yy: ((xx - 127.0) / 127.0, yy))  # expect: PP301 low
# --- case: raw bytes, characters
a = tf.data.FixedLengthRecordDataset("x", 784).map(lambda r: tf.io.decode_raw(r, tf.uint8))  # expect: PP301 low
b = tf.data.TextLineDataset("x").map(lambda s: tf.strings.unicode_decode(s, "UTF-8"))  # expect: PP301 low
# --- case: a name that says work, a body that does little
def preprocess_eval_input(x):
    return dict(x, label=tf.zeros_like(x["item"]), valid=tf.ones_like(x["item"]))


def parse_pairs(x):
    return x["a"], tf.reshape(x["b"], [-1])


a = tf.data.TFRecordDataset("x").map(preprocess_eval_input)  # expect: PP301 low
b = tf.data.TFRecordDataset("x").map(parse_pairs)  # expect: PP301 low
# --- case: a word in an argument is not the function's name
from shapes import set_shape

d = tf.data.Dataset.from_generator(gen, tf.float32)
d = d.map(lambda *x: set_shape(parser.schema, x))  # expect: PP301 low
# --- case: requests, calibration
class Model:
    def serving_input_fn(self, requests):
        d = tf.data.Dataset.from_tensor_slices(requests)
        return d.map(lambda r: tf.io.decode_jpeg(r))  # expect: PP301 low


def representative_dataset(files):
    return tf.data.TFRecordDataset(files).map(lambda r: tf.io.decode_jpeg(r))  # expect: PP301 low

# --- case: a data set that is prepared once
import tensorflow_datasets as tfds


class Builder(tfds.core.GeneratorBasedBuilder):
    def _generate(self, files):
        return tf.data.TFRecordDataset(files).map(lambda r: tf.io.decode_jpeg(r))  # expect: PP301 low
# --- case: the function reads on from iterators
def draw(its, n):
    return tf.data.Dataset.range(n).map(lambda i: its[0].get_next())  # expect: PP301 low
# --- case: test data; threads by their old name
import tensorflow_datasets as tfds

testA = tfds.load("x")["test"]
testA = testA.map(lambda r: tf.io.decode_jpeg(r))  # expect: PP301 low
reader = tf.contrib.data.TFRecordDataset("x").map(lambda r: tf.io.decode_jpeg(r), num_threads=4)


def load_test_data(files):
    return tf.data.TFRecordDataset(files).map(lambda r: tf.io.decode_jpeg(r))  # expect: PP301 low
# --- case: records and lines are only taken apart
def parse(record):
    features = tf.io.parse_single_example(record, {"x": tf.io.FixedLenFeature([], tf.string)})
    return tf.io.decode_raw(features["x"], tf.uint8)


records = tf.data.TFRecordDataset("x").map(parse)  # expect: PP301 low
tensors = tf.data.TFRecordDataset("x").map(lambda r: tf.io.parse_tensor(r, "float32"))  # expect: PP301 low
lines = tf.data.TextLineDataset("x").map(lambda s: tf.io.decode_csv(s, [[0.0]] * 4))  # expect: PP301 low
# --- case: the nearest pixels, crops and flips are copied
def jitter(image):
    image = tf.image.resize(image, [286, 286], method=tf.image.ResizeMethod.NEAREST_NEIGHBOR)
    image = tf.image.random_crop(image, [256, 256, 3])
    return tf.image.random_flip_left_right(image)


def load(images):
    return tf.data.Dataset.from_tensor_slices(images).map(jitter)  # expect: PP301 low
# --- case: it calls itself for the parts of a structure
def unpack(spec, x):
    if isinstance(spec, dict):
        values = [unpack(spec[k], tf.identity(v)) for k, v in x.items()]
        return [unpack(s, tf.identity(v)) for s, v in zip(spec, values)]
    if isinstance(spec, list):
        values = [unpack(s, tf.identity(v)) for s, v in zip(spec, x)]
        return [unpack(s, tf.identity(v)) for s, v in zip(spec, values)]
    return unpack(spec, tf.identity(x)) + 1


ds = tf.data.TFRecordDataset("x").map(lambda x: unpack({}, x))  # expect: PP301 low
# --- case: what it gives is cached
def load(files, training):
    ds = tf.data.TFRecordDataset(files).map(lambda r: tf.io.decode_jpeg(r))  # expect: PP301 low
    ds = ds.cache()
    if training:
        ds = ds.shuffle(1000).repeat()
    return ds.batch(32).prefetch(1)


def load_test(files):
    return tf.data.TFRecordDataset(files).map(lambda r: tf.io.decode_png(r)).cache()  # expect: PP301 low
# --- case: one file after the other on purpose; Python in the function; a benchmark
files = tf.data.Dataset.list_files("*.tfrecord")
records = files.interleave(tf.data.TFRecordDataset, cycle_length=1)


def load(path):
    return tf.image.resize(tf.numpy_function(read, [path], tf.float32), [64, 64])


images = files.map(load)  # expect: PP301 low


def benchmark(paths):
    return tf.data.Dataset.from_tensor_slices(paths).map(lambda p: tf.io.decode_png(p))  # expect: PP301 low
# --- case: the name says that records are decoded, which is taking them apart
from formats import decode_tf_record

ds = tf.data.TFRecordDataset("x").map(lambda r: decode_tf_record(r, 512))  # expect: PP301 low
# --- case: one pattern in a line is found soon
lines = tf.data.TextLineDataset("x").map(  # expect: PP301 low
    lambda line: tf.strings.regex_replace(line, "[^a-z]+", " "))
# --- case: a map_fn over what is in one element
def numbers(boxes):
    return tf.map_fn(lambda label: tf.where(tf.equal(names, label))[0][0], boxes["label"])


known = tf.data.TFRecordDataset("x").map(lambda r: unpack(r)).map(numbers)  # expect: PP301 low
# --- case: the function writes records of what it reads
def convert(names, out):
    pictures = tf.data.Dataset.from_tensor_slices(names).map(  # expect: PP301 low
        lambda name: tf.io.decode_jpeg(tf.io.read_file(name)))
    with tf.io.TFRecordWriter(out) as writer:
        for picture in pictures:
            writer.write(to_example(picture.numpy()).SerializeToString())
# --- case: data sets that are there already
def mixed(shards):
    return tf.data.Dataset.from_tensors(shards).map(halves).repeat().interleave(lambda d: d)  # expect: PP301 low
# --- case: a function by its name makes the data set
def evaluated(task, keys):
    ds = task.dataset_fn().map(lambda x: {k: x[k] for k in keys})  # expect: PP301 low
    return pad(ds)
# --- case: many small ops
def transition(e):
    i = tf.random.uniform([], 0, tf.shape(e["r"])[0] - 5, tf.int32)
    r = tf.gather(e["r"], tf.range(i, i + 5))
    g = tf.math.cumprod(tf.gather(e["d"], tf.range(i, i + 5)) * 0.99)
    n = tf.reduce_sum(r * g) / tf.maximum(tf.reduce_sum(g), 1.0)
    return tf.gather(e["s"], i), n, tf.gather(e["s"], i + 5), tf.reduce_prod(g)


episodes = replay().map(lambda x: x)
steps = tf.data.Dataset.from_generator(episodes, tf.float32).map(transition)  # expect: PP301 low
# --- case: a row of a table, labels by their names
rows = tf.data.TFRecordDataset("x").map(lambda r: tf.nn.embedding_lookup(eye, r["label"]))  # expect: PP301 low
found = tf.data.TextLineDataset("x").map(label_decoder)  # expect: PP301 low
# --- case: what is called may have no name
for x in tf.data.Dataset.range(5).map(lambda x: x * x + 1):  # expect: PP301 low
    print([f for f in x](3).map(x).batch(4), (lambda y: y)(x).shuffle(2))
# --- case: slices of lists that are written out
ds = tf.data.Dataset.from_tensor_slices((["a.png", "b.png"], [0, 1])).map(  # expect: PP301 low
    lambda p, y: (tf.io.decode_png(tf.io.read_file(p)), y))
# --- case: slices of a list, a dictionary and parts in brackets that are written out
def read(p):
    return tf.io.decode_png(tf.io.read_file(p))


a = tf.data.Dataset.from_tensor_slices(["a.png", "b.png"]).map(read)  # expect: PP301 low
b = tf.data.Dataset.from_tensor_slices({"p": ["a.png"], "y": [0]}).map(lambda x: read(x["p"]))  # expect: PP301 low
c = tf.data.Dataset.from_tensor_slices(((["a.png"]), ([0]))).map(lambda p, y: (read(p), y))  # expect: PP301 low
d = tf.data.Dataset.from_tensor_slices((["a.png"])).map(read)  # expect: PP301 low
