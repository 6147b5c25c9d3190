import tensorflow as tf
# --- case: the whole batch
y = tf.image.per_image_standardization(images)
# --- case: decoding works on one string
y = tf.map_fn(lambda s: tf.io.decode_jpeg(s), strings, dtype=tf.uint8)  # lacks: a part of it is not known to work on a whole batch as on one element
z = tf.map_fn(tf.image.decode_png, strings, dtype=tf.uint8)
# --- case: each image draws its own numbers
y = tf.map_fn(lambda x: tf.image.random_flip_left_right(x), images)
z = tf.map_fn(tf.image.random_hue, images)
# --- case: several steps
def crop(x):
    box = find(x)
    return tf.slice(x, box[0], box[1])


y = tf.map_fn(crop, images)
# --- case: a model
y = tf.map_fn(lambda x: model(x), images)
# --- case: vectorized already
y = tf.vectorized_map(lambda x: tf.matmul(x, w), xs)
# --- case: lengths that differ
y = tf.map_fn(lambda p: tf.reduce_sum(p[0][: p[1]]), (x, lengths), dtype=tf.float32)
# --- whole: no TensorFlow
import jax

y = jax.lax.map(lambda x: x * 2, x)
w = map_fn(lambda x: x * 2, x)
# --- case: an identity
y = tf.map_fn(lambda x: x, x)
# --- whole: in a test
x = 1
# --- file: tests/test_map.py
import tensorflow as tf


def test_map(x):
    return tf.map_fn(lambda v: v * 2, x)  # expect: PP408 low
# --- case: one of several functions
def flip(images, axis, is_random, other):
    if axis == 0:
        method = tf.image.flip_left_right if not is_random else tf.image.random_flip_left_right
    else:
        method = tf.image.flip_up_down
    return tf.map_fn(method, images), tf.map_fn(other, images)


flip(x, 0, True, tf.square)
# --- case: steps of which one takes a single element, or draws numbers
def distorted(image):
    image = tf.cast(image, tf.float32) / 255.0
    return tf.image.random_brightness(image, 0.2)


def kept(row):
    return tf.reduce_sum(tf.boolean_mask(row, row > 0))


y = tf.map_fn(distorted, images)
z = tf.map_fn(kept, rows)
w = tf.map_fn(lambda s: tf.cast(tf.io.decode_png(s), tf.float32) / 255.0, strings)
# --- case: rows of many lengths
y = tf.map_fn(lambda r: tf.reduce_sum(r) * 2.0 - r[0], rows,
              fn_output_signature=tf.RaggedTensorSpec([None]))
# --- case: the branch that the flag decides takes one element
def read(text, packed=True):
    if packed:
        return tf.io.decode_png(text)
    return tf.cast(text, tf.float32) / 255.0


def part(rows, first=False):
    if first:
        rows = tf.boolean_mask(rows, rows > 0)
    return tf.reduce_sum(rows)


a = tf.map_fn(lambda x: read(x), texts)
b = tf.map_fn(lambda x: part(x * 2.0, first=True), rows)
# --- case: a flag that is bound again says nothing
def part(rows, first=False):
    first = choose()
    if first:
        rows = tf.boolean_mask(rows, rows > 0)
    return tf.reduce_sum(rows)


a = tf.map_fn(lambda x: part(x * 2.0, first=False), rows)
# --- case: methods that remember, draw, or are not known
class Loss(tf.keras.losses.Loss):
    def remember(self, x):
        self.last = x * 2.0
        return self.last - 1.0

    def noisy(self, x):
        return x * 2.0 + self.noise(x.shape)

    def noise(self, shape):
        return tf.random.normal(shape)

    def unknown(self, x):
        return self.helper.of(x * 2.0) + 1.0

    def by_value(self, x):
        if x > 3.0:
            return x * 2.0
        return x * 3.0

    def again(self, x):
        return self.again(x * 2.0) + 1.0

    def call(self, true, found):
        a = tf.map_fn(lambda x: self.remember(x) + 1.0, found)
        b = tf.map_fn(self.noisy, found)
        c = tf.map_fn(lambda x: self.unknown(x=x) + 1.0, found)
        d = tf.map_fn(self.by_value, found)
        e = tf.map_fn(lambda x: self.again(x) + 1.0, found)
        return a + b + c + d + e
# --- case: what is the same for all is asked of the world, or is not known
def limit():
    return float(open("limit.txt").read())


def counted():
    global n
    n += 1
    return n


def clipped(x, scale=1.0):
    return tf.clip_by_value(x * scale, 0.0, 2.0)


a = tf.map_fn(lambda x: tf.maximum(x * 2.0, limit()), rows)
b = tf.map_fn(lambda x: clipped(x, scale=counted()), rows)
c = tf.map_fn(lambda x: clipped(x, **options), rows)
# --- whole: what the arguments fill is not what it seems
import functools
import tensorflow as tf


def of(path, scale=1.0):
    return tf.reduce_sum(tf.io.decode_raw(path, tf.float32) * 2.0) * scale


image_of = functools.partial(of, "x.png")
a = tf.map_fn(lambda x: image_of(x) * 2.0, rows)
b = tf.map_fn(lambda x: of(x, 1.0, 2.0) * 2.0, rows)
c = tf.map_fn(lambda x: of("y.png", scales=x) * 2.0, rows)
# --- case: an inner function sees the element, and takes no batch
def outer(text):
    def inner(scale):
        return tf.io.decode_png(text) * scale

    return inner(2.0)


a = tf.map_fn(outer, texts)
# --- case: a handful only notes
def shifted(box, height, up):
    top = height * box[0]
    if up:
        top = tf.maximum(0.0, top - 3.0)
    return tf.stack([top / height, box[1]])


def shift(image, boxes, up):
    height = tf.cast(tf.shape(image)[0], tf.float32)
    return tf.map_fn(lambda bbox: shifted(bbox, height, up), boxes)  # expect: PP408 low


rows = tf.zeros([8, 100])
a = tf.map_fn(lambda x: tf.reduce_sum(x), rows)  # expect: PP408 low
b = tf.map_fn(lambda x: x * 2.0 + 1.0, tf.zeros([3, 4]))  # expect: PP408 low
c = tf.map_fn(lambda x: x[0] * 2.0 + x[1], tf.zeros([10, 4]))  # expect: PP408 low
# --- case: what is called asks for the rank, as if it took batches: only a note
from boxes import overlap


class Encoder(tf.keras.layers.Layer):
    def encode(self, truth, anchors):
        best = tf.argmax(overlap(anchors, truth[:, :4], order="xywh"), axis=1)
        return tf.gather(truth, best) / self.variance

    def call(self, truths, anchors):
        a = tf.map_fn(elems=(truths), fn=lambda one: self.encode(one, anchors))  # expect: PP408 low
        b = tf.map_fn(lambda one: self.encode(truths, one), anchors)
        return a, b
# --- file: boxes.py
import tensorflow as tf


def overlap(a, b, order):
    rank = len(b.shape)
    if rank not in [2, 3]:
        raise ValueError(f"rank {rank}")
    converted = CONVERTERS[order](b)
    return apart(a, converted) if rank == 2 else together(a, converted)
# --- whole: arrays of numpy, by a function that takes one or many
import numpy as np
import tensorflow as tf


def label(colours, palette):
    if colours.ndim == 3:
        labels = np.zeros(colours.shape[:2])
        for i in range(len(palette)):
            labels[colours == palette[i]] = i
        return labels
    elif colours.ndim == 4:
        results = []
        for m in range(colours.shape[0]):
            results.append(label(colours[m], palette))
        return np.array(results)
    return colours
# --- case: matrices that are multiplied as sparse ones, two at a time
def rows_of(matrix, places):
    shape = matrix.get_shape().as_list()
    if len(shape) != 2:
        raise ValueError("a matrix")
    hot = tf.one_hot(places, shape[0], dtype=tf.bfloat16)
    return tf.linalg.matmul(hot, tf.cast(matrix, tf.bfloat16), a_is_sparse=True)


a = tf.map_fn(lambda x: rows_of(x[0], x[1]), (images, places), fn_output_signature=tf.bfloat16)
# --- case: parts of one element of a data set
def load(paths):
    masks = tf.map_fn(tf.io.decode_png, tf.map_fn(tf.io.read_file, paths), tf.uint8)
    return tf.map_fn(lambda m: tf.image.resize(m, [64, 64]), masks, tf.float32)  # expect: PP408 low


masks = tf.data.Dataset.from_tensor_slices(files).map(load, num_parallel_calls=8)
# --- case: matrices that are said to be sparse, of which two are multiplied at a time
y = tf.map_fn(lambda a: tf.matmul(a, b, a_is_sparse=True), x)
z = tf.map_fn(lambda a: tf.matmul(a, b, b_is_sparse=True), x)
# --- whole: boxes beside their places, in one list
import tensorflow as tf


def pick(bboxes, places):
    return tf.gather(bboxes, places)


def sort(scores, bboxes):
    scores, places = tf.nn.top_k(scores, k=400)
    return tf.map_fn(lambda x: pick(x[0], x[1]), [bboxes, places], dtype=bboxes.dtype)  # expect: PP408 low
