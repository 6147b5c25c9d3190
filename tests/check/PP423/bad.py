from tensorflow import keras
# --- case: a replay
model = keras.models.Sequential()
for state, target in minibatch:
    model.fit(state, target, epochs=1, verbose=0)  # expect: PP423
# --- case: with predictions
model = keras.models.Sequential()
for state, action, reward in random.sample(memory, 32):
    target = model.predict(state)
    target[0][action] = reward
    model.fit(state, target, epochs=1, verbose=0)  # expect: PP423
# --- case: batches
model = keras.models.Sequential()
for x, y in batches:
    model.fit(x, y)  # expect: PP423
# --- case: a batch by its number
model = keras.models.Sequential()
for batch in range(1000):
    model.fit(images[batch], labels[batch], epochs=1)  # expect: PP423
# --- case: nb_epoch
model = keras.models.Sequential()
for x, y in batches:
    model.fit(x, y, nb_epoch=1)  # expect: PP423
# --- case: a generator
model = keras.models.Sequential()
for x, y in batches_of(data):
    model.fit(x, y, epochs=1)  # expect: PP423
# --- case: in epochs
model = keras.models.Sequential()
for epoch in range(10):
    for x, y in batches:
        model.fit(x, y, epochs=1)  # expect: PP423
# --- whole: a method
from keras.models import Sequential


class Agent:
    def __init__(self):
        self.model = Sequential()

    def replay(self, minibatch):
        for state, target in minibatch:
            self.model.fit(state, target, epochs=1)  # expect: PP423
# --- case: a name for one
model = keras.models.Sequential()
once = 1
for x, y in batches:
    model.fit(x, y, epochs=once)  # expect: PP423
# --- case: by keyword
model = keras.models.Sequential()
for x, y in batches:
    model.fit(x=x, y=y, epochs=1)  # expect: PP423
# --- whole: Keras alone
import keras

model = keras.models.Sequential()
for sample in samples:
    model.fit(sample.x, sample.y, verbose=0)  # expect: PP423
# --- case: numbered
model = keras.models.Sequential()
for i, (x, y) in enumerate(batches):
    model.fit(x, y, epochs=1)  # expect: PP423
# --- case: experience
model = keras.models.Sequential()
for experience in range(1000):
    model.fit(states[experience], goals[experience], epochs=1)  # expect: PP423
# --- whole: slices of an array
from keras.layers import Dense
from keras.models import Sequential

model = Sequential([Dense(2)])
model.compile("adam", "mse")
for epoch in range(10):
    for i in range(0, len(xs), 32):
        model.fit(xs[i:i + 32], ys[i:i + 32], epochs=1, verbose=0)  # expect: PP423
# --- whole: a batch of the memory, at every step of an environment
import random

import numpy as np
from tensorflow.keras import Sequential
from tensorflow.keras.layers import Dense


class Agent:
    def __init__(self):
        self.memory = []
        self.model = Sequential([Dense(2)])

    def replay(self, n):
        part = random.sample(self.memory, n)
        states = np.array([p[0] for p in part])
        values = self.model(states).numpy()
        self.model.fit(states, values, epochs=1, verbose=0)  # expect: PP423


agent, done = Agent(), False
while not done:
    state, reward, done, info = env.step(0)
    agent.memory.append((state, reward))
    if len(agent.memory) > 64:
        agent.replay(64)
# --- case: one state of a sample that is drawn, with an axis added
import random

net = keras.Sequential([keras.layers.Dense(2)])
net.compile("adam", "mse")


def learn(past, count):
    drawn = random.sample(past, count)
    for seen, wanted in drawn:
        net.fit(seen[None], wanted[None], verbose=0)  # expect: PP423
# --- case: a method of the model gets batches that another class draws
import tensorflow as tf


class Model:
    def __init__(self):
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(2)])

    def train(self, states, targets):
        self.model.fit(states, targets, epochs=1, verbose=0)  # expect: PP423


class Agent:
    def __init__(self):
        self.model = Model()

    def replay(self):
        for _ in range(10):
            states, targets = self.buffer.sample()
            self.model.train(states, targets)

    def run(self):
        for episode in range(1000):
            self.replay()
