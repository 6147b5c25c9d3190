from tensorflow import keras
# --- case: once
model = keras.models.Sequential()
model.fit(x, y, epochs=10)  # lacks: it is for more than one epoch
# --- case: train_on_batch
model = keras.models.Sequential()
for x, y in batches:
    model.train_on_batch(x, y)
# --- case: epochs by hand
model = keras.models.Sequential()
for epoch in range(10):
    model.fit(x, y, epochs=1)
# --- case: several epochs
model = keras.models.Sequential()
for x, y in batches:
    model.fit(x, y, epochs=5)
# --- case: the same data
model = keras.models.Sequential()
for batch in range(100):
    model.fit(images, labels, epochs=1)
# --- case: folds
model = keras.models.Sequential()
for train, test in folds:
    model.fit(x[train], y[train])
# --- case: another model in each round
model = keras.models.Sequential()
for x, y in batches:
    model = keras.models.Sequential()
    model.fit(x, y)
# --- case: a model that is loaded
model = keras.models.Sequential()
for x, y in batches:
    model.load_weights("start.h5")
    model = keras.models.clone_model(model)
    model.fit(x, y)
# --- whole: another library
from sklearn.linear_model import SGDRegressor
from tensorflow import keras

model = SGDRegressor()
for x, y in batches:
    model.fit(x, y)
# --- case: a scaler
model = keras.models.Sequential()
for x, y in batches:
    scaler.fit(x)
# --- case: files of a large data set
model = keras.models.Sequential()
for path in paths:
    x, y = load(path)
    model.fit(x, y, epochs=1)
# --- case: now and then
model = keras.models.Sequential()
for i, (x, y) in enumerate(batches):
    if i % 100 == 0:
        model.fit(x, y)
# --- case: a data set with steps
model = keras.models.Sequential()
for x, y in batches:
    model.fit(x, steps_per_epoch=100)
# --- whole: a model for each slice, made anew
from keras.layers import Dense
from keras.models import Sequential

for i in range(0, len(xs), 3000):
    model = Sequential([Dense(2)])
    model.compile("adam", "mse")
    model.fit(xs[i:i + 3000], ys[i:i + 3000], verbose=0)
# --- whole: all so far, in each round more
from keras.layers import Dense
from keras.models import Sequential

model = Sequential([Dense(2)])
model.compile("adam", "mse")
for i in range(200):
    model.fit(xs[:i], ys[:i], verbose=0)
# --- whole: at the end of each episode
from tensorflow.keras import Sequential
from tensorflow.keras.layers import Dense

model = Sequential([Dense(2)])
for episode in range(1000):
    states, targets = [], []
    while True:
        state, reward, done, info = env.step(0)
        states.append(state)
        if done:
            model.fit(np.array(states), np.array(targets), epochs=1)
            break
# --- case: the drawn sample is one batch
import random
import numpy as np

net = keras.Sequential([keras.layers.Dense(2)])
net.compile("adam", "mse")


def learn(past, count):
    seen, wanted = map(np.array, zip(*random.sample(past, count)))
    net.fit(seen, wanted, verbose=0)
# --- case: what is drawn once
import tensorflow as tf


class Model:
    def __init__(self):
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(2)])

    def train(self, states, targets):
        self.model.fit(states, targets, epochs=1)


states, targets = memory.sample()
Model().train(states, targets)
