import tensorflow as tf
# --- case: a stack of what a loop over the batch gives
y = tf.stack([tf.matmul(a[i], b[i]) for i in range(batch_size)])  # expect: PP409
# --- case: over what was unstacked
y = tf.stack([tf.image.per_image_standardization(x) for x in tf.unstack(images)])  # expect: PP409
# --- case: columns and places, picked one after the other
table = tf.constant(load_table())
wanted = load_numbers()
a = tf.stack([table[:, column_number] for column_number in wanted], axis=1)  # expect: PP409 low
scores = tf.nn.softmax(table)
b = tf.stack([scores[i, choice[i]] for i in range(scores.shape[0])])  # expect: PP409
# --- case: neighbours, stacked along another axis
z = tf.stack([tf.matmul(x[i], x[i - 1]) for i in range(1, batch_size)], axis=1)  # expect: PP409
# --- case: planes of a batch, one by one
BATCH, CHANNELS = 40, 32


def transformed(planes):
    examples = [tf.stack([tf.signal.fft2d(planes[b, :, :, c]) for c in range(CHANNELS)], axis=-1)  # expect: PP409
                for b in range(BATCH)]
    return tf.stack(examples)
# --- case: each row of a tensor
indices = tf.argsort(tf.random.uniform([500, 20]))


def scaled(samples):
    samples = tf.cast(samples, tf.float32) / 255.0
    return samples - tf.reduce_mean(samples, axis=-1, keepdims=True)


mask = tf.stack([tf.reduce_max(tf.one_hot(row, 20), axis=0) for row in indices])  # expect: PP409
batch = tf.stack([scaled(indices[i]) for i in range(500)])  # expect: PP409
# --- case: a loss that goes through the batch
def loss(wanted, found):
    total = 0.0
    for i in range(BATCH_SIZE):  # expect: PP409
        gap = wanted[i] - found[i]
        total += tf.reduce_sum(tf.abs(gap)) + tf.reduce_sum(tf.square(gap[1:] - gap[:-1]))
    return total / BATCH_SIZE
# --- case: a condition for each element
values = tf.random.normal([4000])
total = tf.constant(0.0)
for i in range(4000):  # expect: PP409
    if values[i] > 0.5:
        total += values[i] ** 2
    else:
        total += tf.abs(values[i])
# --- case: sums of rows
s = tf.stack([tf.reduce_sum(x[i]) for i in range(batch_size)])  # expect: PP409
# --- case: element-wise
y = tf.stack([tf.exp(x[i]) for i in range(batch_size)])  # expect: PP409
# --- case: images of a batch, flipped
y = tf.stack([tf.image.flip_left_right(images[i]) for i in range(BATCH)])  # expect: PP409
# --- case: split
y = tf.stack([tf.nn.softmax(row) for row in tf.unstack(x)])  # expect: PP409
# --- whole: what a whole batch takes at once, and what it does not
import random
import tensorflow as tf
from library import helper, twice_given

BATCH = 64
x = tf.random.normal([BATCH, 8, 3])
y = tf.random.normal([BATCH, 8, 3])
v = tf.Variable(tf.ones([BATCH, 8]))
order = tf.argsort(tf.random.uniform([BATCH]))
dataset = tf.data.Dataset.from_tensor_slices(x)
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
scale = 3
rows = [1, 2, 3]


class Box:
    pass


box = Box()


def halved(a):
    return a / 2.0


def halved_by(a, by=2.0):
    return a / by


def either(a, negative=False):
    if negative:
        return -a
    return tf.abs(a)


def both(a, how):
    if how == "sum":
        return tf.reduce_sum(a)
    else:
        return tf.reduce_mean(a)


def perhaps(a, other=None):
    if other is None:
        return tf.square(a)
    return a * other


def perhaps_not(a, other=None):
    if other is not None:
        return a * other
    return tf.square(a)


def steps(a):
    """Of one element."""
    with tf.name_scope("steps"):
        b = a * 2.0
        c = b + 1.0
    assert scale > 2
    b += c
    pass
    return b + c


def chained(a):
    b = c = a * 2.0
    return b + c


def imports(a):
    import math
    return a * math.pi


def pairs(a):
    b, c = a + 1.0, a - 1.0
    return b * c


def loops(a):
    for k in range(3):
        a = a * 2.0
    return a


def fails(a):
    if a is None:
        raise ValueError("no element")
    return tf.exp(a)


def typed(a: tf.Tensor, by: float = 2.0):
    return a * by


def starred(*a):
    return a[0] * 2.0


def keyed(a, **more):
    return a * 2.0


def nothing(a):
    a = a * 2.0


def sized(a):
    return tf.reshape(a, [-1]) / tf.cast(tf.size(a), tf.float32)


def drawn(a):
    return a * random.random()


def recursive(a):
    return recursive(a) * 2.0


class Kept:
    def __init__(self):
        self.total = 0.0

    def method(self, a):
        return a * 2.0

    @staticmethod
    def plain(a):
        return a * 3.0

    @classmethod
    def of_class(cls, a):
        return a * 4.0

    def keeps(self, a):
        self.total += a
        return a

    def run(self):
        r0 = tf.stack([self.method(x[i]) for i in range(BATCH)])  # expect: PP409
        r1 = tf.stack([self.plain(x[i]) for i in range(BATCH)])  # expect: PP409
        r2 = tf.stack([Kept.plain(x[i]) for i in range(BATCH)])  # expect: PP409
        r3 = tf.stack([self.of_class(x[i]) for i in range(BATCH)])  # expect: PP409
        r4 = tf.stack([self.keeps(x[i]) for i in range(BATCH)])
        return r0, r1, r2, r3, r4


def all_of_them():
    a0 = tf.stack([halved(x[i]) for i in range(BATCH)])  # expect: PP409
    a1 = tf.stack([halved_by(x[i]) for i in range(BATCH)])  # expect: PP409
    a2 = tf.stack([halved_by(x[i], 3.0) for i in range(BATCH)])  # expect: PP409
    a3 = tf.stack([halved_by(x[i], by=y[i]) for i in range(BATCH)])  # expect: PP409
    a4 = tf.stack([halved_by(by=2.0, a=x[i]) for i in range(BATCH)])  # expect: PP409
    a6 = tf.stack([halved_by(x[i], **rows) for i in range(BATCH)])
    a7 = tf.stack([halved_by(x[i], wrong=3) for i in range(BATCH)])
    a8 = tf.stack([either(x[i]) for i in range(BATCH)])  # expect: PP409
    a9 = tf.stack([either(x[i], True) for i in range(BATCH)])  # expect: PP409
    a10 = tf.stack([either(x[i], negative=True) for i in range(BATCH)])  # expect: PP409
    a11 = tf.stack([either(x[i], negative=scale) for i in range(BATCH)])  # expect: PP409
    a12 = tf.stack([both(x[i], "sum") for i in range(BATCH)])  # expect: PP409
    a13 = tf.stack([both(x[i], scale) for i in range(BATCH)])  # expect: PP409
    a14 = tf.stack([perhaps(x[i]) for i in range(BATCH)])  # expect: PP409
    a15 = tf.stack([perhaps(x[i], y[i]) for i in range(BATCH)])  # expect: PP409
    a16 = tf.stack([perhaps(x[i], None) for i in range(BATCH)])  # expect: PP409
    a17 = tf.stack([perhaps_not(x[i]) for i in range(BATCH)])  # expect: PP409
    a18 = tf.stack([perhaps_not(x[i], other=y[i]) for i in range(BATCH)])  # expect: PP409
    a19 = tf.stack([steps(x[i]) for i in range(BATCH)])  # expect: PP409
    a20 = tf.stack([imports(x[i]) for i in range(BATCH)])  # expect: PP409
    a21 = tf.stack([pairs(x[i]) for i in range(BATCH)])  # expect: PP409
    a22 = tf.stack([loops(x[i]) for i in range(BATCH)])
    a23 = tf.stack([fails(x[i]) for i in range(BATCH)])  # expect: PP409
    a24 = tf.stack([typed(x[i]) for i in range(BATCH)])  # expect: PP409
    a25 = tf.stack([typed(x[i], by=3.0) for i in range(BATCH)])  # expect: PP409
    a26 = tf.stack([starred(x[i]) for i in range(BATCH)])
    a27 = tf.stack([keyed(x[i]) for i in range(BATCH)])  # expect: PP409
    a28 = tf.stack([nothing(x[i]) for i in range(BATCH)])
    a29 = tf.stack([sized(x[i]) for i in range(BATCH)])
    a30 = tf.stack([drawn(x[i]) for i in range(BATCH)])
    a31 = tf.stack([recursive(x[i]) for i in range(BATCH)])
    a32 = tf.stack([helper(x[i]) for i in range(BATCH)])
    a33 = tf.stack([(lambda a: a * 2.0)(x[i]) for i in range(BATCH)])
    a34 = tf.stack([x[i] * random.random() for i in range(BATCH)])
    a35 = tf.stack([x[i] + tf.random.normal([]) for i in range(BATCH)])
    a36 = tf.stack([x[i] + tf.random.normal(()) for i in range(BATCH)])
    a37 = tf.stack([x[i] + tf.random.normal([3]) for i in range(BATCH)])
    a38 = tf.stack([x[i] + tf.random.normal(shape=[]) for i in range(BATCH)])
    a39 = tf.stack([tf.cond(x[i, 0, 0] > 0, lambda: x[i], lambda: -x[i]) for i in range(BATCH)])  # expect: PP409
    a40 = tf.stack([tf.cond(x[i, 0, 0] > 0, true_fn=lambda: x[i], false_fn=lambda: -x[i]) for i in range(BATCH)])  # expect: PP409
    a42 = tf.stack([tf.cond(x[i, 0, 0] > 0, lambda: x[i], lambda a=3: -x[i]) for i in range(BATCH)])
    a43 = tf.stack([tf.cond(helper(x[i]), lambda: x[i], lambda: -x[i]) for i in range(BATCH)])
    a44 = tf.stack([tf.cond(x[i, 0, 0] > 0, lambda: helper(x[i]), lambda: -x[i]) for i in range(BATCH)])
    a45 = tf.stack([tf.cond(x[i, 0, 0] > 0, lambda: x[i], lambda: helper(x[i])) for i in range(BATCH)])
    a46 = tf.stack([tf.where(x[i] > 0, x[i], y[i]) for i in range(BATCH)])  # expect: PP409
    a47 = tf.stack([tf.where(x[i] > 0) for i in range(BATCH)])
    a48 = tf.stack([tf.where(x[i] > 0, helper(x[i]), y[i]) for i in range(BATCH)])
    a49 = tf.stack([tf.matmul(x[i], y[i], transpose_b=True) for i in range(BATCH)])  # expect: PP409
    a50 = tf.stack([tf.matmul(x[i], y[i], a_is_sparse=True) for i in range(BATCH)])
    a51 = tf.stack([tf.matmul(x[i], y[i], b_is_sparse=True) for i in range(BATCH)])
    a52 = tf.stack([x[i][0] for i in range(BATCH)])  # expect: PP409
    a53 = tf.stack([x[i, 0] for i in range(BATCH)])  # expect: PP409
    a54 = tf.stack([x[i, 0:3] for i in range(BATCH)])  # expect: PP409
    a55 = tf.stack([x[i, i:3] for i in range(BATCH)])
    a56 = tf.stack([x[i + 1] for i in range(BATCH)])  # expect: PP409
    a57 = tf.stack([x[helper(i) + 1] for i in range(BATCH)])
    a58 = tf.stack([x[i] if scale > 2 else y[i] for i in range(BATCH)])
    a59 = tf.stack([x.shape[i] * 2 for i in range(BATCH)])
    a60 = tf.stack([v[i] * 2.0 for i in range(BATCH)])  # expect: PP409
    a62 = tf.stack([dataset[i] for i in range(BATCH)])
    a63 = tf.stack([model[i] for i in range(BATCH)])
    a64 = tf.stack([box[i] for i in range(BATCH)])
    a65 = tf.stack([rows[i] for i in range(BATCH)])
    a66 = tf.stack([x[order[i]] for i in range(BATCH)])  # expect: PP409
    a67 = tf.stack([x[i].shape[0] * y[i] for i in range(BATCH)])
    a68 = tf.stack([x[i] * x[i].get_shape()[0] for i in range(BATCH)])
    a69 = tf.stack([x[i] * tf.shape(x[i])[0] for i in range(BATCH)])
    a70 = tf.stack([x[i] * tf.cast(tf.rank(x[i]), tf.float32) for i in range(BATCH)])
    a71 = tf.stack([x[i] * len(x[i]) for i in range(BATCH)])
    a72 = tf.stack([x[i] * (yield) for i in range(BATCH)])
    a73 = tf.stack([x[i] * (z := 3) for i in range(BATCH)])
    a74 = tf.stack([-x[i] for i in range(BATCH)])  # expect: PP409
    a75 = tf.stack([x[i] > y[i] for i in range(BATCH)])  # expect: PP409
    a77 = tf.stack([(x[i] * 2.0) for i in range(BATCH)])  # expect: PP409
    a83 = tf.stack([tf.exp(x=x[i]) for i in range(BATCH)])  # expect: PP409
    a84 = tf.stack([i * 2 for i in range(BATCH)])
    a85 = tf.stack([x[i] * i for i in range(BATCH)])
    a86 = tf.stack([not x[i] for i in range(BATCH)])
    a87 = tf.stack([tf.constant(3.0) * scale for i in range(BATCH)])
    a88 = tf.stack([model(x[i]) for i in range(BATCH)])
    a89 = tf.stack([tf.exp(x[i], name="e") for i in range(BATCH)])  # expect: PP409
    a90 = tf.stack([tf.reduce_sum(x[i], axis=rows[0]) for i in range(BATCH)])  # expect: PP409
    a91 = tf.stack([[x[i], y[i]] for i in range(BATCH)])  # expect: PP409
    a92 = tf.stack([x[...] for i in range(BATCH)])
    a93 = tf.stack([x[i, ..., 0] * 2.0 for i in range(BATCH)])  # expect: PP409
    a94 = tf.stack([x[:, i] for i in range(BATCH)])  # expect: PP409
    a95 = tf.stack([tf.sparse.to_dense(x[i]) for i in range(BATCH)])
    a96 = tf.stack([twice_given(x[i]) for i in range(BATCH)])
    a97 = tf.stack([tf.io.decode_png(x[i]) for i in range(BATCH)])
    a98 = tf.stack([box.scale * x[i] for i in range(BATCH)])  # expect: PP409
    a99 = tf.stack([print(x[i]) for i in range(BATCH)])
    a100 = tf.stack([chained(x[i]) for i in range(BATCH)])

