from tensorflow.keras import Sequential
from tensorflow.keras.layers import Dense
# --- case: every thousand steps
model = Sequential([Dense(2)])
target = Sequential([Dense(2)])
steps, done = 0, False
while not done:
    state, reward, done, info = env.step(0)
    steps += 1
    if steps % 1000 == 0:
        target.set_weights(model.get_weights())  # lacks: no loop is seen that runs it at every step, not now and then
# --- case: at the end of an episode
model = Sequential([Dense(2)])
target = Sequential([Dense(2)])
while True:
    state, reward, done, info = env.step(0)
    if done:
        target.set_weights(model.get_weights())
# --- case: once in an epoch
model = Sequential([Dense(2)])
target = Sequential([Dense(2)])
model.compile(loss="mse")
for epoch in range(100):
    for batch in batches:
        model.train_on_batch(batch, ones)
    target.set_weights(model.get_weights())
# --- case: once
model = Sequential([Dense(2)])
target = Sequential([Dense(2)])
target.set_weights(model.get_weights())
while not done:
    state, reward, done, info = env.step(0)
# --- case: loaded from a file
model = Sequential([Dense(2)])
target = Sequential([Dense(2)])
for path in paths:
    model.set_weights(load(path))
    print(model.evaluate(x, y))
# --- whole: assigned on the device
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
target = tf.keras.Sequential([tf.keras.layers.Dense(2)])


@tf.function
def update():
    for t, w in zip(target.variables, model.variables):
        t.assign(0.01 * w + 0.99 * t)


done = False
while not done:
    state, reward, done, info = env.step(0)
    update()
# --- case: behind a counter of its own
model = Sequential([Dense(2)])
target = Sequential([Dense(2)])


class Agent:
    def learn(self):
        self.calls += 1
        if self.calls % 500 == 0:
            target.set_weights(model.get_weights())


agent, done = Agent(), False
while not done:
    state, reward, done, info = env.step(0)
    agent.learn()
# --- whole: another library's policy
import tensorflow as tf
from ray.rllib.policy import Policy

policy, other = Policy.from_checkpoint("a"), Policy.from_checkpoint("b")
done = False
while not done:
    state, reward, done, info = env.step(0)
    other.set_weights(policy.get_weights())
# --- case: only read
model = Sequential([Dense(2)])
target = Sequential([Dense(2)])
done = False
while not done:
    state, reward, done, info = env.step(0)
    norms.append(sum((w ** 2).sum() for w in model.get_weights()))
# --- case: the best weights are kept
model = Sequential([Dense(2)])
target = Sequential([Dense(2)])
best = None
for epoch in range(100):
    model.fit(x, y)
    if score(model) > limit:
        best = model.get_weights()
model.set_weights(best)
# --- case: trials that begin with equal weights
model = Sequential([Dense(2)])
target = Sequential([Dense(2)])
first = model.get_weights()
for trial in range(5):
    model.set_weights(first)
    model.fit(x, y, epochs=10)
# --- case: a handful of members
model = Sequential([Dense(2)])
target = Sequential([Dense(2)])
for member in [target]:
    member.set_weights(model.get_weights())
# --- whole: each trial begins with a new model's weights
from tensorflow import keras


def build():
    return keras.Sequential([keras.layers.Dense(2)])


model = build()
model.compile(loss="mse")
for batch in batches:
    weights = build().get_weights()
    model.set_weights(weights)
    model.train_on_batch(batch, ones)
# --- case: a callback, once in each epoch, and one that asks for some batches
from tensorflow.keras.callbacks import Callback


class Clip(Callback):
    def on_epoch_end(self, epoch, logs=None):
        for part in self.model.layers:
            part.set_weights([w.clip(-1, 1) for w in part.get_weights()])

    def on_train_batch_end(self, batch, logs=None):
        if batch % 500 == 0:
            for part in self.model.layers:
                part.set_weights([w.clip(-1, 1) for w in part.get_weights()])
