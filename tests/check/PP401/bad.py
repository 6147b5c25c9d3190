import numpy as np
from tensorflow import keras
# --- case: expand_dims in the call
model = keras.models.load_model("m.h5")
results = []
for image in images:
    results.append(model.predict(np.expand_dims(image, axis=0)))  # expect: PP401
# --- whole: bound to a name first
import numpy as np
from tensorflow.keras.models import load_model

model = load_model("m.h5")
for row in rows:
    item = np.expand_dims(row, 0)
    item = item / 255.0
    print(model.predict(item))  # expect: PP401
# --- whole: reshape(1, -1)
import tensorflow as tf

model = tf.keras.models.load_model("m")
for i in range(len(x_test)):
    y = model.predict(x_test[i].reshape(1, -1))  # expect: PP401
    total.append(y[0])
# --- whole: reshape((1, h, w, c)), predict_classes
from keras.models import load_model

net = load_model("digits.h5")
for digit in digit_images:
    label = net.predict_classes(digit.reshape((1, 28, 28, 1)))  # expect: PP401
# --- case: np.array of one, in a comprehension
def embed(texts):
    model = keras.Sequential([keras.layers.Dense(3)])
    return [model.predict(np.array([t]))[0] for t in texts]  # expect: PP401


embed(sentences)
# --- whole: np.newaxis and None
import numpy as np
import tensorflow as tf

encoder = tf.keras.applications.ResNet50(weights="imagenet")
features = {}
for name, image in samples.items():
    features[name] = encoder.predict(image[np.newaxis, ...])  # expect: PP401
for name, image in samples.items():
    features[name] = encoder.predict(image[None])  # expect: PP401
# --- whole: a slice of one
from tensorflow.keras import Sequential

model = Sequential()
for i in range(10000):
    p = model.predict(data[i:i + 1])  # expect: PP401
    scores[i] = p[0, 0]
# --- whole: fit on one example at a time
import numpy as np
from tensorflow.keras.models import Sequential

model = Sequential()
model.compile(loss="mse", optimizer="adam")
for x, y in zip(samples, labels):
    model.fit(np.array([x]), np.array([y]), epochs=1)  # expect: PP401
# --- whole: train_on_batch of a batch of one
import numpy as np
import keras

model = keras.models.Sequential()
for epoch in range(10):
    for x, y in samples:
        model.train_on_batch(np.expand_dims(x, 0), np.expand_dims(y, 0))  # expect: PP401
# --- whole: the model is called
import tensorflow as tf

model = tf.keras.models.load_model("m")
outputs = []
for frame in frames:
    outputs.append(model(tf.expand_dims(frame, 0), training=False))  # expect: PP401
# --- whole: a model of the project's own
import numpy as np
import tensorflow as tf


class Net(tf.keras.Model):
    def call(self, x):
        return x


def evaluate(rows):
    net = Net()
    right = 0
    for row, label in rows:
        right += np.argmax(net.predict(row.reshape(1, 32))) == label  # expect: PP401
    return right


print(evaluate(test_rows))
# --- whole: a parameter that is called a model, in a file of Keras
import numpy as np
from keras.preprocessing.image import img_to_array, load_img


def predict_folder(model, image_files):
    out = []
    for file in image_files:
        image = load_img(file, target_size=(224, 224))
        x = img_to_array(image)
        x = np.expand_dims(x, axis=0)
        out.append(model.predict(x))  # expect: PP401
    return out


print(predict_folder(model, image_files))
# --- whole: an attribute, and preprocess_input between
import numpy as np
from tensorflow.keras.applications.vgg16 import VGG16, preprocess_input


class Extractor:
    def __init__(self):
        self.model = VGG16()

    def extract(self, images):
        found = []
        for image in images:
            x = preprocess_input(np.expand_dims(image, 0))
            found.append(self.model.predict(x).flatten())  # expect: PP401
        return found


print(Extractor().extract(images))
# --- case: two inputs
model = keras.models.load_model("pairs.h5")
for a, b in pairs_of_samples:
    print(model.predict([np.expand_dims(a, 0), np.expand_dims(b, 0)]))  # expect: PP401
# --- whole: parts of an array whose second axis is one long
import numpy as np
import tensorflow as tf

model = tf.keras.models.load_model("m.h5")
frames = np.zeros((5000, 1, 12, 12, 3), dtype="float32")
for frame in frames:
    show(model.predict(frame, verbose=0))  # expect: PP401
# --- case: reshaped before the loop
COLUMNS = 7
model = keras.models.load_model("m.h5")
rows = np.load("rows.npy").reshape(-1, 1, COLUMNS)
found = []
for row in rows:
    found.append(model.predict(row))  # expect: PP401
# --- case: a new axis before the loop, and a progress bar
from tqdm import tqdm

model = keras.models.load_model("m.h5")
table = np.random.default_rng(1).normal(size=(400, 20))
for row in tqdm(table[:, None].astype("float32")):
    print(model.predict_classes(row))  # expect: PP401
# --- whole: a wrapper that is seen to pass on what it gets; another one may
import time

import numpy as np
from tensorflow import keras


def timed(things):
    for thing in things:
        yield thing
        print(time.ctime())


model = keras.models.load_model("m.h5")
points = np.zeros((400, 1, 3))
for point in timed(points):
    print(model.predict(point))  # expect: PP401
for point in unseen(points):
    print(model.predict(point))  # expect: PP401 low
# --- case: an inner loop stops early
model = keras.models.load_model("boxes.h5")
for image in images:
    scores = model.predict(np.expand_dims(image, 0))  # expect: PP401
    for score in scores:
        if score < 0.5:
            break
        print(score)
# --- whole: its time is measured
import time

import numpy as np
from tensorflow import keras

model = keras.models.load_model("boxes.h5")
for i in range(data.size()):
    start = time.time()
    scores = model.predict(np.expand_dims(data.image(i), 0))  # expect: PP401
    print(np.argmax(scores), time.time() - start)
# --- case: a method of the project that predicts one
class Detector:
    def __init__(self):
        self.model = keras.models.load_model("boxes.h5")

    def detect(self, image):
        batch = np.expand_dims(image, 0)
        return self.model.predict(batch)[0]


detector = Detector()
for image in images:
    print(detector.detect(image))  # expect: PP401
# --- whole: through two methods, and a session
import numpy as np
import tensorflow.compat.v1 as tf


class Detector:
    def run(self, image):
        return self.sess.run(self.boxes, feed_dict={self.image: image[np.newaxis]})

    def detect(self, image):
        return self.run(image)


detector = Detector()
for image in images:
    boxes = detector.detect(image)  # expect: PP401
    print(np.max(boxes))
# --- whole: a program feeds a session one by one
import numpy as np
import tensorflow.compat.v1 as tf

with tf.Session() as sess:
    for image in images:
        print(sess.run(boxes, feed_dict={x: [image]}))  # expect: PP401
# --- case: the result gets the name of the item, which the next round binds anew
model = keras.models.load_model("boxes.h5")
for path in paths:
    image = load(path)
    boxes = model.predict(np.expand_dims(image, 0))  # expect: PP401
    image = draw(image, boxes)
    save(image)
# --- whole: transitions of a memory, one by one
import random

import numpy as np
from keras.layers import Dense
from keras.models import Sequential


class Agent:
    def __init__(self):
        self.memory = []
        self.model = Sequential([Dense(2)])

    def replay(self, n):
        batch = random.sample(self.memory, n)
        states, targets = [], []
        for state, action, reward, next_state, done in batch:
            target = self.model.predict(state)  # expect: PP401
            target[0][action] = reward + 0.9 * np.amax(self.model.predict(next_state)[0])  # expect: PP401
            states.append(state[0])
            targets.append(target[0])
        self.model.fit(np.array(states), np.array(targets))
# --- whole: scaled in place after the axis
import os

import numpy as np
from tensorflow.keras.models import load_model
from tensorflow.keras.preprocessing import image

model = load_model("m.h5")
for name in os.listdir("images"):
    x = image.img_to_array(image.load_img(name, target_size=(224, 224)))
    x = np.expand_dims(x, axis=0)
    x /= 255.0
    labels[name] = np.argmax(model.predict(x))  # expect: PP401
# --- whole: one more dimension in front of the shape
from tensorflow.keras.models import load_model

model = load_model("m.h5")
for i in range(len(x_test)):
    y[i] = model.predict(x_test[i].reshape((1,) + x_test[i].shape))[0]  # expect: PP401
# --- whole: a while that counts
from tensorflow.keras.models import load_model

model = load_model("m.h5")
i = 0
while i < len(rows):
    y[i] = model.predict(rows[i][None])[0]  # expect: PP401
    i += 1
