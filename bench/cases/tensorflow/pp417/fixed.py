"""PP417: tf.data decodes the photos while the step runs.

It does so on all processors, a batch ahead.
"""

import os
import tempfile

import cv2
import numpy as np
import tensorflow.compat.v1 as tf

import ppcase

tf.disable_v2_behavior()

ITEMS, SIDE, BATCH = 256, 160, 32

rng = np.random.default_rng(417)
folder = tempfile.TemporaryDirectory()
paths = [os.path.join(folder.name, f"{i:04}.png") for i in range(ITEMS)]
for name in paths:
    smooth = np.cumsum(np.cumsum(rng.normal(size=(SIDE, SIDE, 3)), axis=0), axis=1)
    smooth = (smooth - smooth.min()) / (smooth.max() - smooth.min()) * 255
    cv2.imwrite(name, smooth.astype("uint8"))
labels = rng.normal(size=ITEMS).astype("float32")


def load(path, label):
    """A photo and its label."""
    return tf.cast(tf.io.decode_png(tf.io.read_file(path), channels=3), tf.float32) / 255, label


data = tf.data.Dataset.from_tensor_slices((paths, labels)).repeat().map(load, num_parallel_calls=2)
photos_and_labels = tf.data.make_one_shot_iterator(data.batch(BATCH).prefetch(1)).get_next()
x = tf.reshape(photos_and_labels[0], [BATCH, SIDE, SIDE, 3])
y = tf.reshape(photos_and_labels[1], [BATCH])
kernel = tf.get_variable("kernel", initializer=rng.normal(0, 0.1, (5, 5, 3, 16)).astype("float32"))
head = tf.get_variable("head", initializer=rng.normal(0, 0.1, (16, 1)).astype("float32"))
pooled = tf.reduce_mean(tf.nn.relu(tf.nn.conv2d(x, kernel, 2, "SAME")), axis=[1, 2])
loss = tf.reduce_mean(tf.square(pooled @ head - y[:, None]))
train_op = tf.train.GradientDescentOptimizer(0.05).minimize(loss)

with tf.Session() as session:
    start = tf.global_variables_initializer()
    for _ in ppcase.work():
        session.run(start)
        for _ in range(ITEMS // BATCH):
            session.run(train_op)
    trained = session.run([kernel, head])
ppcase.digest(*trained)
folder.cleanup()
