"""Post 50781373, first problem: reading through a dataset is slower than feed_dict.

The function of map() only scales numbers, but it is called for each example, and the examples are
then copied into batches one by one. With batch() first, each call scales a whole batch, which is
what the fed arrays had been all along.
"""

import numpy as np
import tensorflow.compat.v1 as tf

import ppcase

tf.disable_v2_behavior()

EXAMPLES = 4000
EPOCHS = 15
BATCH = 200
PIXELS = 28 * 28
CLASSES = 10


def scale(image, label):
    return tf.cast(image, tf.float32) / 255.0 - 0.5, tf.one_hot(label, CLASSES)


rng = np.random.default_rng(0)
images = rng.integers(0, 256, (EXAMPLES, PIXELS), dtype=np.uint8)
labels = rng.integers(0, CLASSES, EXAMPLES)

dataset = tf.data.Dataset.from_tensor_slices((images, labels)).repeat(EPOCHS)
dataset = dataset.map(scale).batch(BATCH)
iterator = tf.data.make_initializable_iterator(dataset)
image, target = iterator.get_next()

weights = tf.Variable(tf.zeros([PIXELS, CLASSES]))
loss = tf.reduce_mean(
    tf.nn.softmax_cross_entropy_with_logits(labels=target, logits=image @ weights))
train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)

with tf.Session() as session:
    start = tf.global_variables_initializer()
    for _ in ppcase.work():
        session.run([start, iterator.initializer])
        losses = []
        for _ in range(EXAMPLES * EPOCHS // BATCH):
            losses.append(session.run([loss, train])[0])

    ppcase.digest(losses, session.run(weights))
