"""PP417: the loop of steps decodes its photos itself.

No step runs while a batch is decoded, and nothing is decoded while a step runs.
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
x = tf.placeholder(tf.float32, [BATCH, SIDE, SIDE, 3])
y = tf.placeholder(tf.float32, [BATCH])
kernel = tf.get_variable("kernel", initializer=rng.normal(0, 0.1, (5, 5, 3, 16)).astype("float32"))
head = tf.get_variable("head", initializer=rng.normal(0, 0.1, (16, 1)).astype("float32"))
pooled = tf.reduce_mean(tf.nn.relu(tf.nn.conv2d(x, kernel, 2, "SAME")), axis=[1, 2])
loss = tf.reduce_mean(tf.square(pooled @ head - y[:, None]))
train_op = tf.train.GradientDescentOptimizer(0.05).minimize(loss)

with tf.Session() as session:
    start = tf.global_variables_initializer()
    for _ in ppcase.work():
        session.run(start)
        for first in range(0, len(paths), BATCH):
            photos = np.array([cv2.imread(path)[:, :, ::-1] for path in paths[first:first + BATCH]]) / 255
            session.run(train_op, feed_dict={x: photos, y: labels[first:first + BATCH]})
    trained = session.run([kernel, head])
ppcase.digest(*trained)
folder.cleanup()
