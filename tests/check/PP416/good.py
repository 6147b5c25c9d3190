import numpy as np
import tensorflow as tf
# --- case: the model itself is called, or predict_on_batch
model = tf.keras.Sequential()
for step in range(1000):
    q = model(state[None], training=False) + model.predict_on_batch(state[None])
    state, reward, done, _ = env.step(np.argmax(q))
# --- case: once for each episode
model = tf.keras.Sequential()
for episode in range(1000):
    plan = model.predict(env.reset()[None])  # lacks: no loop that steps an environment is seen to run it in each round
    for action in plan:
        state, reward, done, _ = env.step(action)
# --- whole: a step that is no environment's
import tensorflow as tf

model = tf.keras.Sequential()
for batch in batches:
    loss = optimizer.step(model.predict(batch))
    result, loss = trainer.step(batch)
# --- case: another library's model
from stable_baselines3 import PPO

model = PPO("MlpPolicy", env)
for i in range(1000):
    action, _ = model.predict(state)
    state, reward, done, info = env.step(action)
# --- case: an agent that is made here, not of Keras
class Agent:
    def predict(self, state):
        return 0


agent = Agent()
while True:
    state, reward, done, info = env.step(agent.predict(state))
# --- whole: TensorFlow 1
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()
model = tf.keras.Sequential()
while True:
    state, reward, done, info = env.step(np.argmax(model.predict(state)))
# --- whole: no loop is seen
import tensorflow as tf

model = tf.keras.Sequential()


def act(state):
    return model.predict(state)


state, reward, done, info = env.step(act(state))
# --- whole: in a test: low
x = 1
# --- file: test_agent.py
import numpy as np
import tensorflow as tf


def test_agent():
    model = tf.keras.Sequential()
    while True:
        q = model.predict(state[None])  # expect: PP416 low
        state, reward, done, _ = env.step(np.argmax(q))
# --- whole: over data
import tensorflow as tf

model = tf.keras.Sequential()
for batch in batches:
    a, b, c, d = split(model.predict(batch))
# --- whole: a simulator whose steps give one thing
import tensorflow as tf

model = tf.keras.Sequential()
while True:
    state = world.step(model.predict(state))
# --- case: after the game
model = tf.keras.Sequential()
states = []
while not done:
    state, reward, done, _ = env.step(policy(state))
    states.append(state)
values = model.predict(np.array(states))
# --- case: only in the first round
model = tf.keras.Sequential()
start = None
while not done:
    if start is None:
        start = model.predict(state)
    state, reward, done, _ = env.step(policy(start))
# --- whole: at the end of each episode
from tensorflow.keras.models import load_model

model = load_model("m.h5")
for episode in range(100):
    while True:
        state, reward, done, info = env.step(0)
        if done:
            print(model.predict(state[None]))
            break
