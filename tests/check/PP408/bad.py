import tensorflow as tf
# --- case: images are standardised one by one
y = tf.map_fn(tf.image.per_image_standardization, images)  # expect: PP408
# --- whole: in a lambda
import tensorflow.compat.v1 as tf


def prepare(images):
    return tf.map_fn(lambda image: tf.image.resize_images(image, [3, 3]), images)  # expect: PP408
# --- whole: a function that only returns
from tensorflow import map_fn, image


def flip(x):
    """Mirrors an image."""
    return image.flip_left_right(x)


y = map_fn(flip, images)  # expect: PP408
# --- case: arithmetic
y = tf.map_fn(lambda x: x * 2.0 + 1.0, x)  # expect: PP408
# --- case: element-wise ops
y = tf.map_fn(lambda x: tf.math.log(tf.maximum(x, 1e-6)) / 3, x, dtype=tf.float32)  # expect: PP408
# --- case: matmul with the same matrix
y = tf.map_fn(lambda x: tf.matmul(x, w), xs)  # expect: PP408
# --- case: pairs
y = tf.map_fn(lambda p: tf.matmul(p[0], p[1]), (a, b), fn_output_signature=tf.float32)  # expect: PP408
z = tf.map_fn(lambda p: p[0] * p[1], [a, b], dtype=tf.float32)  # expect: PP408
# --- case: gather from pairs
rows = tf.map_fn(lambda p: tf.gather(p[0], p[1]), (params, ids), dtype=tf.float32)  # expect: PP408
# --- case: a sum over each row
sums = tf.map_fn(fn=lambda row: tf.reduce_sum(row), elems=rows)  # expect: PP408
# --- whole: Keras' backend
import keras.backend as K
import tensorflow as tf

y = K.map_fn(lambda x: tf.square(x), x)  # expect: PP408
# --- case: cast by name
class Layer(tf.keras.layers.Layer):
    def call(self, inputs):
        return tf.map_fn(lambda t: tf.cast(t, tf.float32), inputs, tf.float32)  # expect: PP408
# --- case: a tensor from outside the function
def add(x, other):
    return tf.map_fn(lambda row: row + other, x)  # expect: PP408


def nearest(points, centres):
    def one(point):
        """The smallest squared distance of one point."""
        gaps = tf.square(centres - point)
        return tf.reduce_min(tf.reduce_sum(gaps, axis=-1))

    return tf.map_fn(one, points)  # expect: PP408
# --- case: a map_fn in a map_fn
c = tf.map_fn(lambda a: tf.map_fn(lambda b: tf.reduce_sum(tf.minimum(a, b)), y), x)  # expect: PP408
# --- case: parts of elements, matrix products, conditions
a = tf.map_fn(lambda x: x[0] * 2, x)  # expect: PP408
b = tf.map_fn(lambda p: tf.gather(p, p[0]), x)  # expect: PP408
c = tf.map_fn(lambda x: x @ x[::-1], x)  # expect: PP408
d = tf.map_fn(lambda x: tf.reduce_sum(x[1:]), x)  # expect: PP408
e = tf.map_fn(lambda x: tf.cond(x > 0, lambda: x, lambda: -x), x)  # expect: PP408
f = tf.map_fn(lambda r: tf.reduce_mean(tf.math.top_k(r, k=3).values, axis=-1), x)  # expect: PP408
# --- case: a function of several steps, handed a tuple
def doubled(rows, index):
    picked = tf.gather_nd(rows, index)
    return tf.tensor_scatter_nd_update(rows, index, 2 * picked)


y = tf.map_fn(lambda pair: doubled(*pair), (batch, index), fn_output_signature=tf.float32)  # expect: PP408
z = tf.map_fn(lambda pair: doubled(pair[0], pair[1]), (batch, index))  # expect: PP408
# --- case: the parts of a tuple of tensors, and of their last axis
def overlap(a, b):
    def one(boxes):
        a, b = boxes
        zero = tf.convert_to_tensor(0.0, a.dtype)
        low, high = tf.unstack(a[..., :2], 2, axis=-1)
        return tf.math.divide_no_nan(tf.maximum(zero, high - low), tf.reduce_sum(b))

    return tf.map_fn(one, elems=(a, b), dtype=a.dtype)  # expect: PP408
# --- case: keyword arguments, and a flag that decides which branch it is
UNKNOWN = -9999.0


def weight(truth):
    known = tf.reduce_sum(tf.cast(tf.not_equal(truth, UNKNOWN), tf.float32), axis=-1)
    return 1.0 / known


def entropy(truth, guess, *, logits=False, weights=None):
    """Of each row."""
    factor = weight(truth)
    truth = tf.where(tf.equal(truth, UNKNOWN), tf.zeros_like(truth), truth)
    if weights is not None:
        raise ValueError("not yet")
    if not logits:
        guess /= tf.reduce_sum(guess, len(guess.get_shape()) - 1, True)
        guess = tf.map_fn(tf.io.decode_png, guess)
        return -tf.reduce_sum(truth * tf.math.log(guess), axis=-1)
    else:
        return tf.nn.softmax_cross_entropy_with_logits(labels=truth, logits=guess) * factor


def robust(truth, guess, draws):
    plain = entropy(truth, guess, logits=True)
    return tf.map_fn(  # expect: PP408
        lambda x: -tf.nn.elu(plain - entropy(truth, guess=x, logits=True)), draws)
# --- case: methods of the same object, one of them of its base
from base import Smooth


class Boxes(Smooth):
    def __init__(self, bins, **kwargs):
        super().__init__(**kwargs)
        self.bins = bins

    @staticmethod
    def label(angle, width):
        return tf.cast(tf.math.floordiv(angle, width), tf.int32)

    def heading(self, true, found):
        width = 6.28 / self.bins
        hot = tf.one_hot(self.label(true, width=width), self.bins)
        rest = tf.reduce_sum(found[..., self.bins:] * hot, axis=-1, keepdims=True)
        with tf.name_scope("bins"):
            loss = tf.nn.softmax_cross_entropy_with_logits(labels=hot, logits=found[..., :self.bins])
        return loss + self.smooth(rest, true[..., tf.newaxis])

    def regression(self, true, found):
        assert found.shape.rank == 2
        size = found[:, -3:] + 1.0
        return self.heading(true[:, 0], found[:, 3:-3]) + self.smooth(size, true[:, 3:6])

    def call(self, true, found):
        return tf.map_fn(lambda both: self.regression(both[0], both[1]), (true, found))  # expect: PP408
# --- file: base.py
import tensorflow as tf


class Smooth(tf.keras.losses.Loss):
    def smooth(self, a, b, sigma=9.0):
        gap = tf.abs(a - b)
        loss = tf.where(gap < 1.0 / sigma, 0.5 * sigma * gap ** 2, gap - 0.5 / sigma)
        return tf.reduce_sum(loss, axis=-1)
# --- case: the method itself is mapped, and looks at shapes
class Quadratic(tf.keras.layers.Layer):
    def triangle(self, products):
        n = self.features + 1
        last = products.shape[-1] - 1
        if n > 3:
            products = products * 2.0
        return tf.gather_nd(products, self.places) + tf.cast(last, tf.float32)

    def call(self, x):
        return tf.map_fn(self.triangle, tf.einsum("ij,ik->ijk", x, x))  # expect: PP408
# --- case: a function around the mapped one
def shifted(points, height):
    def shift(point):
        top = point[0] * height

        def between(low, high):
            return tf.clip_by_value(top, low, high)

        return tf.stack([between(0.0, high=height), point[1]])

    return tf.map_fn(shift, points)  # expect: PP408
