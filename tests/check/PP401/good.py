import numpy as np
from tensorflow import keras
# --- case: all at once
model = keras.models.load_model("m.h5")
results = model.predict(np.stack(images))  # lacks: it is not seen to be a batch of one item
for image, result in zip(images, results):
    print(image, result)
# --- whole: batches
from tensorflow import keras

model = keras.models.load_model("m.h5")
for batch in batches:
    print(model.predict(batch), model.predict_on_batch(batch))
# --- case: one, once
model = keras.models.load_model("m.h5")
print(model.predict(np.expand_dims(image, 0)))
# --- case: each step depends on the one before, reinforcement learning
model = keras.Sequential()
state = env.reset()
for step in range(1000):
    q = model.predict(np.expand_dims(state, 0))
    state, reward, done, _ = env.step(np.argmax(q))
# --- case: autoregressive generation
model = keras.models.load_model("lm.h5")
tokens = [1]
for i in range(200):
    p = model.predict(np.array([tokens]))
    tokens.append(int(np.argmax(p)))
# --- case: autoregressive, through an array and a name
model = keras.models.load_model("series.h5")
window = history[-24:]
for t in range(len(future)):
    x = window.reshape(1, 24, 1)
    y = model.predict(x)
    window = np.append(window[1:], y)
# --- case: autoregressive, by element
model = keras.models.load_model("decoder.h5")
target = np.zeros((1, 1, 10))
for t in range(max_steps):
    out = model.predict(np.expand_dims(target[0], 0))
    target[0, 0, np.argmax(out)] = 1.0
# --- whole: a camera
import cv2
import numpy as np
from tensorflow import keras

model = keras.models.load_model("m.h5")
camera = cv2.VideoCapture(0)
while True:
    ok, frame = camera.read()
    print(model.predict(np.expand_dims(frame, 0)))
# --- whole: frames of a video are shown one by one
import cv2
import numpy as np
from tensorflow import keras

model = keras.models.load_model("m.h5")
for frame in frames:
    label = model.predict(frame[None])
    cv2.imshow(str(label), frame)
# --- case: it stops at the first that fits
model = keras.models.load_model("m.h5")
for image in images:
    if model.predict(np.expand_dims(image, 0))[0] > 0.5:
        break
# --- case: a generator gives results one by one
model = keras.models.load_model("m.h5")


def results(stream):
    for item in stream:
        yield model.predict(np.expand_dims(item, 0))
# --- case: another model in each round
for path in model_files:
    model = keras.models.load_model(path)
    print(model.predict(np.expand_dims(image, 0)))
# --- whole: scikit-learn
import numpy as np
from sklearn.svm import SVC
from tensorflow import keras

model = SVC()
for row in rows:
    print(model.predict(row.reshape(1, -1)))
# --- case: a handful
model = keras.models.load_model("m.h5")
for name in ["a", "b"]:
    print(model.predict(np.expand_dims(images[name], 0)))
for i in range(5):
    print(model.predict(x_test[i].reshape(1, -1)))
# --- case: the channel, not the batch, is made
model = keras.models.load_model("m.h5")
for batch in batches:
    print(model.predict(np.expand_dims(batch, -1)), model.predict(batch.reshape(-1, 28, 28)))
# --- whole: a list of inputs is no batch of one
from tensorflow import keras

model = keras.models.load_model("m.h5")
for left, right in batches:
    print(model.predict([left, right]), model.predict([left]))
# --- case: trained in between
model = keras.Sequential()
for x, y in stream_of_samples:
    print(model.predict(np.expand_dims(x, 0)))
    model.fit(buffer, targets)
# --- whole: inside a Keras call, a layer of the graph
import tensorflow as tf


class Net(tf.keras.Model):
    def call(self, frames):
        outputs = []
        for frame in frames:
            outputs.append(self.layer(tf.expand_dims(frame, 0)))
        return outputs
# --- whole: other things that predict
from tensorflow import keras


class Weather:
    def predict(self, day):
        return day


weather = Weather()
for day in days_of_data:
    print(weather.predict([day]), weather.predict(day.reshape(1, 3)))
# --- whole: tests only note
x = 1
# --- file: test_model.py
import numpy as np
from tensorflow import keras


def test_all():
    model = keras.models.load_model("m.h5")
    for row in rows:
        model.predict(np.expand_dims(row, 0))  # expect: PP401 low
# --- case: a few items in each round only note
model = keras.models.load_model("m.h5")
states = np.zeros((600, 8, 16))
for state in states:
    print(model.predict(state))  # expect: PP401 low
# --- case: batches that are large, or of a size that is not known
model = keras.models.load_model("m.h5")
large = np.zeros((600, 512, 16))
for batch in large:
    print(model.predict(batch))
for batch in np.load("x.npy"):
    print(model.predict(batch))
for batch in batches(np.zeros((600, 1, 16))):
    print(model.predict(batch))
# --- case: one item, and the call that is meant for it
model = keras.models.load_model("m.h5")
frames = np.zeros((5000, 1, 12, 12, 3))
for frame in frames:
    print(model.predict_on_batch(frame), model(frame, training=False))
# --- case: the answer decides about the next item
model = keras.models.load_model("m.h5")
state = np.zeros((1, 4))
for noise in np.zeros((500, 1, 4)):
    noise = noise + state
    state = model.predict(noise)
# --- whole: items that are fed to a session one by one only note
import numpy as np
import tensorflow.compat.v1 as tf


def scores(sess, x, y, rows, keep):
    found = []
    for row in rows:
        found.append(sess.run(y, feed_dict={x: np.expand_dims(row, 0), keep: 1.0}))  # expect: PP401 low
    return found


def gradients(sess, x, gradient, rows, more):
    shape = list(x.get_shape())
    shape[0] = 1
    found = []
    for row in rows:
        feed = {x: np.reshape(row, shape)}
        feed.update(more)
        found.append(sess.run([gradient], feed_dict=feed)[0])  # expect: PP401 low
    return found
# --- whole: fed in batches, trained on, or one after the other because the last one counts
import numpy as np
import tensorflow.compat.v1 as tf


def f(sess, x, y, state, train_op, rows, size):
    found = []
    for start in range(0, len(rows), size):
        found.append(sess.run(y, feed_dict={x: rows[start:start + size]}))
        found.append(sess.run(y, feed_dict={x: np.expand_dims(rows[start:start + size], 0)}))
    for row in rows:
        sess.run(train_op, feed_dict={x: [row]})
    last = np.zeros(3)
    for row in rows:
        last = sess.run(y, feed_dict={x: [row], state: last})
    for row in rows:
        found.append(sess.run(y, feed_dict={x: np.expand_dims(row, 0), size: len(row)}))
    return found
# --- whole: a class of the project's own that runs none
import tensorflow.compat.v1 as tf


def ranks(rows, model):
    return [model.predict(rows[i]) for i in range(rows.shape[0])]


def more(rows, model):
    found = []
    for i in range(rows.shape[0]):
        found.append(model.predict(rows[i]))
    return found
# --- file: model.py
import tensorflow.compat.v1 as tf


class Model:
    def predict(self, rows):
        return [tf.__version__ for row in rows]
# --- whole: a look at single items, beside the same for batches, only notes
import keras
import numpy as np

model = keras.Sequential()


def distances(pairs=None):
    found = []
    if pairs is not None:
        for first, second in pairs:
            one = model.predict(np.expand_dims(first, axis=0))  # expect: PP401 low
            two = model.predict(np.expand_dims(second, axis=0))  # expect: PP401 low
            found.append(one - two)
    else:
        for batch in batches:
            found.append(model.predict(batch))
    return found
# --- whole: frames of a video go to a method one by one and are shown
import cv2
import numpy as np
from tensorflow import keras


class Detector:
    def __init__(self):
        self.model = keras.models.load_model("boxes.h5")

    def detect(self, image):
        return self.model.predict(np.expand_dims(image, 0))[0]


detector = Detector()
video = cv2.VideoCapture(0)
while True:
    ok, frame = video.read()
    cv2.imshow("boxes", detector.detect(frame))
# --- case: a method that takes batches
class Detector:
    def __init__(self):
        self.model = keras.models.load_model("boxes.h5")

    def detect(self, images):
        return self.model.predict(images)


detector = Detector()
for images in batches:
    print(detector.detect(images))
# --- case: a function whose answer decides about the next item
model = keras.models.load_model("lm.h5")


def follow(token):
    return int(np.argmax(model.predict(np.array([token]))))


token = 1
for i in range(200):
    token = follow(token)
# --- case: a method that trains in each round
model = keras.models.Sequential()


def act(state):
    return np.argmax(model.predict(np.expand_dims(state, 0)))


for state in states:
    print(act(state))
    model.fit(state, goal)
# --- whole: the states of a memory at once
import random

import numpy as np
from keras.layers import Dense
from keras.models import Sequential

model = Sequential([Dense(2)])


def replay(memory, n):
    batch = random.sample(memory, n)
    values = model.predict(np.stack([state for state, *rest in batch]))
    for state, action, reward in batch:
        use(values, action)
# --- whole: batches that a generator gives
from keras.layers import Dense
from keras.models import Sequential

model = Sequential([Dense(2)])
for images, labels in batches:
    keep(model.predict(images), labels)
# --- whole: a while that ends by what comes
from tensorflow.keras.models import load_model

model = load_model("m.h5")
tries = 0
while tries < limit:
    y = model.predict(ask()[None])[0]
    if y > 0.5:
        tries += 1
# --- case: through a function, where nobody is seen to start it
def load(path):
    return keras.models.load_model(path)


def predict(model, image):
    return model.predict(np.array([image]))[0]


def evaluate(model, images, truth):
    total = 0
    for image, right in zip(images, truth):
        total += (predict(model, image) == right).mean()  # expect: PP401 likely
    return total
# --- whole: one item at a time, in many ways
import numpy as np
import tensorflow as tf
from tensorflow.keras.applications.vgg16 import preprocess_input

model = tf.keras.models.load_model("m")
shape = [28, 28]
# --- each
def scoresNTH(images, other, pair, last, path, found=[]):
    for i, x in enumerate(images):
        item = x[np.newaxis, ...]
        batch = images[i:i + 32]
        EACH
    return found
# --- of
found.append(model.predict(x[None]))  # expect: PP401 likely
found.append(model.predict(x[np.newaxis]))  # expect: PP401 likely
found.append(model.predict(np.expand_dims(x, 0)))  # expect: PP401 likely
found.append(model.predict(np.expand_dims(x, axis=0)))  # expect: PP401 likely
found.append(model.predict(np.expand_dims(x, 1)))
found.append(model.predict(np.array([x])))  # expect: PP401 likely
found.append(model.predict([x]))
found.append(model.predict([[x]]))
found.append(model.predict(np.array([x, x])))
found.append(model.predict(x.reshape(1, 28, 28)))  # expect: PP401 likely
found.append(model.predict(x.reshape((1, 28, 28))))  # expect: PP401 likely
found.append(model.predict(x.reshape(1, -1)))  # expect: PP401 likely
found.append(model.predict(x.reshape(-1, 28)))
found.append(model.predict(np.reshape(x, (1, 28))))  # expect: PP401 likely
found.append(model.predict(np.reshape(x, [1] + shape)))  # expect: PP401 likely
found.append(model.predict(tf.expand_dims(x, 0)))  # expect: PP401 likely
found.append(model.predict(tf.expand_dims(x, 0), batch_size=1))  # expect: PP401 likely
found.append(model.predict(x[0:1]))
found.append(model.predict(images[i:i + 1]))  # expect: PP401 likely
found.append(model.predict(images[i:i + 2]))
found.append(model.predict(images[i]))
found.append(model.predict(images))
found.append(model.predict(x[None] / 255.0))  # expect: PP401 likely
found.append(model.predict(preprocess_input(x[None])))  # expect: PP401 likely
found.append(model.predict(tf.cast(x[None], tf.float32)))  # expect: PP401 likely
found.append(model.predict(np.zeros((1, 3))))
found.append(model.predict(np.zeros((2, 3))))
found.append(model.predict({"a": x[None]}))
found.append(model(x[None]))  # expect: PP401 likely
found.append(model(x[None], training=False))  # expect: PP401 likely
found.append(model.predict_on_batch(x[None]))  # expect: PP401 likely
found.append(model.predict_classes(x[None]))  # expect: PP401 likely
found.append(model.predict(np.array([x]).astype(float)))  # expect: PP401 likely
found.append(model.predict(np.asarray([x], dtype=float)))  # expect: PP401 likely
found.append(model.predict(np.stack([x])))
found.append(model.predict(np.vstack([x])))
found.append(model.predict(batch))
found.append(model.predict(item))  # expect: PP401 likely
found.append(other.predict(x[None]))
found.append(model.predict(np.concatenate([x[None], x[None]])))
found.append(model.predict(x=x[None]))  # expect: PP401 likely
found.append(model.predict(*pair))
found.append(model.predict())
# --- each
def loopedNTH(images, labels, env, tqdm, last, i=0, found=[]):
    EACH
        found.append(model.predict(x[None]))  # HERE
    return found
# --- of
for x in images:  # here: PP401 likely
for x in tqdm(images):  # here: PP401 likely
for i in range(len(images)):  # here: PP401 likely
    x = images[i]
for i in range(3):
    x = images[i]
while i < len(images):  # here: PP401 likely
    x = images[i]
    i += 1
while True:
    x = next(images)
while i < 3:
    x = images[i]
    i = i + 2
for name, x in images.items():  # here: PP401 likely
for x in (images[0], images[1]):
for x, y in zip(images, labels):  # here: PP401 likely
for x in images:
    if x is None:
        return found
for x in images:
    if x is None:
        break
for x in images:  # here: PP401 likely
    if x is None:
        continue
for x in images:
    model.fit(x, x)
for x in images:
    model.load_weights("a")
for x in images:  # here: PP401 low
    x = cv2.imread(x)
for x in images:  # here: PP401 likely
    x = cv2.resize(cv2.imread(x), (28, 28))
for _ in range(100):
    x = env.step(found)
for batch in images:  # here: PP401 likely
    x = batch[0]
# --- whole: images of many sizes
import numpy as np
from PIL import Image
from tensorflow import keras

model = keras.models.load_model("segment.h5")
for path in image_files:
    image = np.array(Image.open(path))
    print(model.predict(np.expand_dims(image, 0)))  # expect: PP401 low
# --- case: the same item in each round, to measure the time
import time

model = keras.models.load_model("m.h5")
item = np.expand_dims(image, 0)
begin = time.time()
for _ in range(1000):
    result = model.predict(item)
print((time.time() - begin) / 1000)
# --- whole: pictures of all sizes, through a function
from PIL import Image
from tensorflow import keras
import numpy as np

model = keras.models.load_model("m.h5")


def detect(image):
    return model.predict(np.expand_dims(image, 0))


for path in paths:
    image = Image.open(path)
    print(detect(image))  # expect: PP401 low
