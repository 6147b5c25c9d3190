import tensorflow as tf
# --- case: batch comes first
ds = tf.data.Dataset.from_tensor_slices(images).batch(32).map(lambda x: x / 255.0)
# --- case: batches of batches
ds = tf.data.Dataset.from_tensor_slices(images).batch(3).map(lambda x: x + 1).batch(4)
# --- case: one element for each batch
ds = tf.data.Dataset.from_tensor_slices(images).map(lambda x: x + 1).batch(1)  # lacks: batches of one
# --- case: files are read, images decoded, records parsed
ds = tf.data.Dataset.list_files("*").map(lambda f: tf.io.read_file(f)).batch(8)
ds = tf.data.TFRecordDataset("x").map(lambda r: tf.io.decode_jpeg(r)).batch(8)
# --- case: random numbers for each element
ds = tf.data.Dataset.from_tensor_slices(images)
ds = ds.map(lambda x: tf.image.random_flip_left_right(x)).batch(8)
# --- case: the mapper packs
ds = tf.data.Dataset.from_tensor_slices(images).map(lambda x, y: {"x": x, "y": y}).batch(8)
# --- case: the mapper is not known
from elsewhere import prepare

ds = tf.data.Dataset.from_tensor_slices(images).map(prepare).batch(8)
# --- case: nested data sets
ds = tf.data.Dataset.range(100000).map(lambda i: tf.data.Dataset.range(i)).batch(8)
# --- case: filtered, windowed, unbatched in between
source = tf.data.Dataset.from_tensor_slices(images)
a = source.map(lambda x: x + 1).filter(lambda x: x > 3).batch(8)
b = source.map(lambda x: x + 1).window(5).batch(8)
c = source.map(lambda x: x + 1).unbatch().batch(8)
# --- case: train and test share a variable's name
ds = tf.data.Dataset.from_tensor_slices(train)
ds = ds.map(lambda x: x + 1)
model.fit(ds)
ds = tf.data.Dataset.from_tensor_slices(test)
ds = ds.batch(8)
# --- case: exclusive branches
def make(images, training):
    ds = tf.data.Dataset.from_tensor_slices(images)
    if training:
        ds = ds.map(lambda x: x + 1)
    else:
        ds = ds.batch(8)
    return ds
# --- case: no data set
class Stream:
    def map(self, f):
        return self

    def batch(self, n):
        return self


Stream().map(lambda x: x + 1).batch(8)
# --- case: side effects
class Input:
    def prepare(self, x):
        self.seen = x
        return x + 1

    def build(self, images):
        return tf.data.Dataset.from_tensor_slices(images).map(self.prepare).batch(3)
# --- case: padded batches are of elements of different sizes
ds = tf.data.Dataset.from_tensor_slices(images).map(lambda x: x + 1).padded_batch(8)
# --- case: what is parsed holds an image, which is decoded
def parse(record):
    example = tf.io.parse_single_example(record, FEATURES)
    image = tf.io.decode_jpeg(example["image"])
    return tf.image.resize(image, (224, 224)), example["label"]


ds = tf.data.TFRecordDataset(files).map(parse).batch(8)
# --- case: sequences and tensors, which have no twin for a batch of any shape
a = tf.data.TFRecordDataset("x").map(lambda r: tf.io.parse_tensor(r, tf.float32)).batch(8)
b = tf.data.TFRecordDataset("x").map(lambda r: tf.io.parse_single_sequence_example(r, C, S)).batch(8)
# --- case: a record is parsed, and its text looked at in Python
def parse(line):
    fields = tf.io.decode_csv(line, [[0.0]] * 5)
    if fields[0] > 0:
        return fields[1:]
    return helper.other(fields)


ds = tf.data.TextLineDataset(path).map(parse).batch(8)
# --- case: batches are parsed already
ds = tf.data.TFRecordDataset("x").batch(32).map(lambda r: tf.io.parse_example(r, FEATURES))
