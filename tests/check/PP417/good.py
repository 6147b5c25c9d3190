# --- case: loaded before
import cv2
import numpy as np
import tensorflow as tf

def load(path):
    image = cv2.imread(path)
    return cv2.resize(image, (64, 64))


train_op = tf.train.AdamOptimizer().minimize(loss)
images = [load(path) for path in paths]
with tf.Session() as sess:
    for step in range(10000):
        sess.run(train_op, feed_dict={x: images[step]})
# --- case: arrays
import cv2
import numpy as np
import tensorflow as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        sess.run(train_op, feed_dict={x: data[step * 64:(step + 1) * 64]})
# --- case: now and then
import cv2
import numpy as np
import tensorflow as tf

def load(path):
    image = cv2.imread(path)
    return cv2.resize(image, (64, 64))


train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        sess.run(train_op)
        if step % 100 == 0:
            sess.run(sample, feed_dict={x: load(path)})
# --- case: written, not read
import cv2
import numpy as np
import tensorflow as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        _, image = sess.run([train_op, fake])
        cv2.imwrite("last.png", image)
# --- case: shown
import cv2
import numpy as np
import tensorflow as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        _, image = sess.run([train_op, fake])
        cv2.imshow("last", image)
        cv2.waitKey(1)
# --- case: nothing trains
import cv2
import numpy as np
import tensorflow as tf

def load(path):
    image = cv2.imread(path)
    return cv2.resize(image, (64, 64))


with tf.Session() as sess:
    for path in paths:
        sess.run(answer, feed_dict={x: load(path)})
# --- case: once for each epoch
import cv2
import numpy as np
import tensorflow as tf

def load(path):
    image = cv2.imread(path)
    return cv2.resize(image, (64, 64))


train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for epoch in range(100):
        image = load(paths[epoch])
        for step in range(1000):
            sess.run(train_op, feed_dict={x: image})
# --- case: a game
import cv2
import numpy as np
import tensorflow as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    while True:
        frame, reward, done, info = env.step(action)
        frame = cv2.resize(frame, (84, 84))
        sess.run(train_op, feed_dict={x: frame})
        if done:
            frame = env.reset()
# --- case: handed to workers
import cv2
import numpy as np
import tensorflow as tf

def load(path):
    image = cv2.imread(path)
    return cv2.resize(image, (64, 64))


train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for images in pool.imap(load, paths):
        sess.run(train_op, feed_dict={x: images})
# --- case: a data set
import cv2
import numpy as np
import tensorflow as tf

def load(path):
    image = cv2.imread(path)
    return cv2.resize(image, (64, 64))


for images in dataset.map(decode, num_parallel_calls=8).prefetch(1):
    with tf.GradientTape() as tape:
        loss = model(images)
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
# --- case: a few rounds
import cv2
import numpy as np
import tensorflow as tf

def load(path):
    image = cv2.imread(path)
    return cv2.resize(image, (64, 64))


train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(3):
        sess.run(train_op, feed_dict={x: load(paths[step])})
# --- case: the first time only
import cv2
import numpy as np
import tensorflow as tf

def load(path):
    image = cv2.imread(path)
    return cv2.resize(image, (64, 64))


train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    image = None
    for step in range(10000):
        if image is None:
            image = load(path)
        sess.run(train_op, feed_dict={x: image})
# --- case: another function that is called load
import cv2
import numpy as np
import tensorflow as tf

def load(step):
    return data[step]


train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        sess.run(train_op, feed_dict={x: load(step)})
# --- case: frames of a game that has no reset
import cv2
import tensorflow as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    while True:
        frame, reward, end = game.frame_step(action)
        frame = cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY)
        sess.run(train_op, feed_dict={x: frame})
