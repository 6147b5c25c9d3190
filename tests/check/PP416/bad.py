import numpy as np
import tensorflow as tf
# --- whole: in the loop itself
import gym
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
env = gym.make("CartPole-v1")
state = env.reset()
for step in range(1000):
    q = model.predict(np.expand_dims(state, 0))  # expect: PP416
    state, reward, done, _ = env.step(np.argmax(q))
# --- whole: an agent that acts, and learns from a batch
import gym
import numpy as np
import tensorflow as tf


class Agent:
    def __init__(self):
        self.model = self.build()

    def build(self):
        model = tf.keras.Sequential()
        model.add(tf.keras.layers.Dense(24))
        return model

    def act(self, state):
        if np.random.rand() < 0.1:
            return 0
        return np.argmax(self.model.predict(state)[0])  # expect: PP416

    def replay(self, states, next_states):
        targets = self.model.predict(states)  # expect: PP416
        targets += self.model.predict(next_states)
        self.model.train_on_batch(states, targets)


env = gym.make("CartPole-v1")
agent = Agent()
for episode in range(500):
    state, done = env.reset(), False
    while not done:
        action = agent.act(state.reshape(1, -1))
        next_state, reward, terminated, truncated, info = env.step(action)
        agent.replay(*memory.sample())
        state = next_state
# --- whole: keras alone: medium
import keras
import numpy as np

model = keras.models.load_model("m.h5")
while True:
    action = np.argmax(model.predict(state))  # expect: PP416
    state, reward, done, info = environment.step(action)
    if done:
        break
# --- case: in a tuple
model = tf.keras.Sequential()
while not done:
    value = model.predict(state, verbose=0)[0]  # expect: PP416
    (state, reward, done, _) = env.step(np.argmax(value))
# --- case: five names
model = tf.keras.Sequential()
for step in range(10000):
    value = model.predict(state)  # expect: PP416
    state, reward, terminated, truncated, _ = self.env.step(np.argmax(value))
# --- case: in a branch: the agent explores otherwise
model = tf.keras.Sequential()
while not done:
    if np.random.rand() > epsilon:
        action = np.argmax(model.predict(state))  # expect: PP416
    else:
        action = env.action_space.sample()
    state, reward, done, _ = env.step(action)
# --- case: in an inner loop over samples
model = tf.keras.Sequential()
while not done:
    state, reward, done, _ = env.step(policy(state))
    for old, action, gain, new in random.sample(memory, 32):
        target = gain + 0.9 * np.max(model.predict(new))  # expect: PP416
        train(old, action, target)
# --- case: by keyword
model = tf.keras.Sequential()
for episode in range(100):
    state = env.reset()
    while True:
        action = np.argmax(model.predict(x=state))  # expect: PP416
        state, reward, done, _ = env.step(action)
        if done:
            break
# --- case: a function that the loop calls
model = tf.keras.Sequential()


def choose(state):
    return np.argmax(model.predict(state))  # expect: PP416


def play(env):
    state, done = env.reset(), False
    while not done:
        state, reward, done, _ = env.step(choose(state))
# --- case: two functions deep
model = tf.keras.Sequential()


def values(state):
    return model.predict(state)


def choose(state):
    return np.argmax(values(state))  # expect: PP416


while not done:
    state, reward, done, _ = env.step(choose(state))
# --- case: a class of Keras
class Policy(tf.keras.Model):
    def call(self, x):
        return x


policy = Policy()
for t in range(100000):
    action = np.argmax(policy.predict(state))  # expect: PP416
    state, reward, done, _ = env.step(action)
# --- case: one finding for two calls
actor = tf.keras.Sequential()
critic = tf.keras.Sequential()
for t in range(100000):
    action = np.argmax(actor.predict(state))  # expect: PP416
    value = critic.predict(state)
    state, reward, done, _ = env.step(action)
# --- whole: in the replay, once the memory is full enough
from tensorflow.keras.models import load_model

model = load_model("m.h5")


def replay():
    return model.predict(states_of(memory))  # expect: PP416


done = False
while not done:
    state, reward, done, info = env.step(0)
    memory.append(state)
    if len(memory) >= 32:
        replay()
# --- whole: asked by a method that others give a batch
from tensorflow.keras.models import load_model


class Asked:
    def __init__(self):
        self.model = load_model("m.h5")

    def predict(self, states):
        return self.model.predict(states)

    def act(self, state):
        return self.predict(state)[0].argmax()  # expect: PP416


asked, done = Asked(), False
while not done:
    state, reward, done, info = env.step(asked.act(state))
asked.predict(all_states)
