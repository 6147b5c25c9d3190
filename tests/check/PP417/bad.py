# --- case: a list of images
import cv2
import numpy as np
import tensorflow as tf

def load(path):
    image = cv2.imread(path)
    return cv2.resize(image, (64, 64))


train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        images = [load(path) for path in paths[step * 64:(step + 1) * 64]]  # expect: PP417
        sess.run(train_op, feed_dict={x: images})
# --- case: in place
import cv2
import numpy as np
import tensorflow as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for step in range(10000):
        images = []
        for path in paths[step * 64:(step + 1) * 64]:
            images.append(cv2.imread(path))  # expect: PP417
        sess.run([train_op, loss], feed_dict={x: images})
# --- case: an optimizer by any name
import cv2
import numpy as np
import tensorflow as tf

def load(path):
    image = cv2.imread(path)
    return cv2.resize(image, (64, 64))


step_d = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for batch in batches:
        images = np.array([load(path) for path in batch])  # expect: PP417
        sess.run(step_d, feed_dict={x: images})
# --- case: through two functions
import cv2
import numpy as np
import tensorflow as tf

def load(path):
    image = cv2.imread(path)
    return cv2.resize(image, (64, 64))


def load_batch(paths):
    return np.array([load(path) for path in paths])


train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for batch in batches:
        sess.run(train_op, feed_dict={x: load_batch(batch)})  # expect: PP417
# --- case: train_on_batch
import keras
from PIL import Image

model = keras.models.Sequential()
for step in range(10000):
    image = Image.open(paths[step])  # expect: PP417
    model.train_on_batch(image, y[step])
# --- case: a generator of the project
import cv2
import numpy as np
import tensorflow as tf

def load(path):
    image = cv2.imread(path)
    return cv2.resize(image, (64, 64))


def batches():
    for path in paths:
        yield load(path)


train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for image in batches():  # expect: PP417
        sess.run(train_op, feed_dict={x: image})
# --- case: numbered
import cv2
import numpy as np
import tensorflow as tf

def load(path):
    image = cv2.imread(path)
    return cv2.resize(image, (64, 64))


def batches():
    for path in paths:
        yield load(path)


train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for i, image in enumerate(batches()):  # expect: PP417
        sess.run(train_op, feed_dict={x: image})
# --- case: a method
import cv2
import numpy as np
import tensorflow as tf

def load(path):
    image = cv2.imread(path)
    return cv2.resize(image, (64, 64))


class Trainer:
    def __init__(self):
        self.d_optim = tf.train.AdamOptimizer().minimize(loss)

    def train(self):
        for epoch in range(200):
            for idx in range(1000):
                batch = [load(path) for path in self.paths[idx * 8:idx * 8 + 8]]  # expect: PP417
                self.sess.run(self.d_optim, feed_dict={x: batch})
# --- case: a tape
import cv2
import numpy as np
import tensorflow as tf

def load(path):
    image = cv2.imread(path)
    return cv2.resize(image, (64, 64))


for path in paths:
    image = load(path)  # expect: PP417
    with tf.GradientTape() as tape:
        loss = model(image)
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
# --- case: the step is a function
import cv2
import numpy as np
import tensorflow as tf

def load(path):
    image = cv2.imread(path)
    return cv2.resize(image, (64, 64))


def train_step(image):
    with tf.GradientTape() as tape:
        loss = model(image)
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))


for path in paths:
    train_step(load(path))  # expect: PP417
# --- case: the session is in a function
import cv2
import numpy as np
import tensorflow as tf

def load(path):
    image = cv2.imread(path)
    return cv2.resize(image, (64, 64))


train_op = tf.train.AdamOptimizer().minimize(loss)
def update(image):
    sess.run(train_op, feed_dict={x: image})


for path in paths:
    update(load(path))  # expect: PP417
# --- case: sounds
import librosa
import tensorflow as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for path in paths:
        sound, rate = librosa.load(path)  # expect: PP417
        sess.run(train_op, feed_dict={x: sound})
# --- case: while
import cv2
import numpy as np
import tensorflow as tf

def load(path):
    image = cv2.imread(path)
    return cv2.resize(image, (64, 64))


train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    while step < steps:
        sess.run(train_op, feed_dict={x: load(paths[step])})  # expect: PP417
        step += 1
# --- case: the op runs itself
import cv2
import numpy as np
import tensorflow as tf

def load(path):
    image = cv2.imread(path)
    return cv2.resize(image, (64, 64))


train_op = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    for path in paths:
        image = load(path)  # expect: PP417
        train_op.run(feed_dict={x: image})
