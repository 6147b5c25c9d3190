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
