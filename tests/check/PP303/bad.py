import tensorflow as tf
# --- case: random crops are frozen
def augment(image, label):
    return tf.image.random_flip_left_right(image), label


train = tf.data.TFRecordDataset("x").map(augment).cache()  # expect: PP303
# --- case: in separate statements
def jitter(x):
    return x + tf.random.normal([3])


ds = tf.data.Dataset.from_tensor_slices(x)
ds = ds.map(jitter, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.cache()  # expect: PP303
ds = ds.batch(32)
# --- whole: a lambda, TF1
import tensorflow.compat.v1 as tf

ds = tf.data.Dataset.from_tensor_slices(x).map(lambda v: tf.image.random_brightness(v, 0.1))
ds = ds.shuffle(100).batch(3).cache("/tmp/c")  # expect: PP303
# --- case: the function calls another that draws
def crop(x):
    return tf.image.random_crop(x, [3, 3, 3])


def prepare(x):
    return tf.cast(crop(x), tf.float32)


def load(files):
    ds = tf.data.TFRecordDataset(files)
    ds = ds.map(prepare)
    return ds.cache()  # expect: PP303
# --- whole: a cache that never fills
from tensorflow.data import Dataset

ds = Dataset.from_tensor_slices(x).repeat().cache()  # expect: PP303
# --- case: repeat with a negative count
ds = tf.data.TFRecordDataset("x")
ds = ds.repeat(-1)
ds = ds.batch(32)
ds = ds.cache()  # expect: PP303
# --- case: only names of files are cached
def read(path):
    return tf.io.decode_jpeg(tf.io.read_file(path))


ds = tf.data.Dataset.list_files("*.jpg").cache()
ds = ds.map(read, num_parallel_calls=4)  # expect: PP303
# --- case: names of files, in one chain
def read(path, label):
    raw = tf.read_file(path)
    return tf.image.decode_png(raw), label


def make(paths, labels):
    return (
        tf.data.Dataset.from_tensor_slices((paths, labels))
        .cache()
        .shuffle(1000)
        .map(read)  # expect: PP303
        .batch(8)
    )
# --- case: shuffle after batch
ds = tf.data.TFRecordDataset("x").batch(32).shuffle(1000)  # expect: PP303
model.fit(ds)
# --- whole: shuffle after batch, import from
from tensorflow import data

ds = data.Dataset.from_tensor_slices((x, y))
ds = ds.batch(batch_size)
ds = ds.map(lambda a, b: (a / 2, b))
ds = ds.shuffle(buffer_size=100, seed=3)  # expect: PP303
# --- whole: shuffle after padded_batch
import tensorflow.compat.v2 as tf

BATCH_SIZE = 64


class Data:
    def __init__(self, files):
        ds = tf.data.TextLineDataset(files).padded_batch(BATCH_SIZE)
        self.train = ds.shuffle(500).prefetch(1)  # expect: PP303
# --- case: across a function
def batches(files):
    return tf.data.TFRecordDataset(files).batch(FLAGS.batch_size)


def train_input(files):
    return batches(files).shuffle(100).repeat()  # expect: PP303
# --- case: in one branch, cached in any case
def make(training):
    ds = tf.data.TFRecordDataset("x")
    if training:
        ds = ds.repeat()
    ds = ds.cache()  # expect: PP303
    return ds
# --- case: tfds
import tensorflow_datasets as tfds

ds = tfds.load("mnist", split="train", as_supervised=True)
ds = ds.batch(128).cache().shuffle(60)  # expect: PP303
# --- case: decoded images are shuffled
def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, [224, 224])


images = tf.data.Dataset.from_tensor_slices(paths).map(load, num_parallel_calls=8)
for image in images.shuffle(1000).batch(32).prefetch(1):  # expect: PP303
    train_step(image)
# --- case: decoded images are shuffled together with their labels
def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, [224, 224])


images = tf.data.Dataset.from_tensor_slices(paths).map(load, num_parallel_calls=8)
labels = tf.data.Dataset.from_tensor_slices(numbers)
both = tf.data.Dataset.zip((images, labels))
for image, label in both.shuffle(1000).batch(32).prefetch(1):  # expect: PP303
    train_step(image, label)
# --- case: prefetch before shuffle and batch, and none at the end
def sounds(paths):
    waves = tf.data.Dataset.from_tensor_slices(paths).map(read_wave, num_parallel_calls=8)
    waves = waves.prefetch(4)  # expect: PP303
    return waves.shuffle(20000).batch(64)


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(sounds(["a", "b"]), epochs=3)
