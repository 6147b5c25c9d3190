from tensorflow.keras import Sequential
from tensorflow.keras.layers import Dense
# --- case: a method, at every step of an environment
class Agent:
    def __init__(self):
        self.model = Sequential([Dense(2)])
        self.target = Sequential([Dense(2)])

    def update(self):
        new, old = self.model.get_weights(), self.target.get_weights()
        for i in range(len(old)):
            old[i] = 0.01 * new[i] + 0.99 * old[i]
        self.target.set_weights(old)  # expect: PP434


agent = Agent()
state, done = env.reset(), False
while not done:
    state, reward, done, info = env.step(0)
    agent.update()
# --- case: a function with a comprehension
model = Sequential([Dense(2)])
target = Sequential([Dense(2)])


def soft_update(tau):
    target.set_weights([tau * w + (1 - tau) * t  # expect: PP434
                        for w, t in zip(model.get_weights(), target.get_weights())])


done = False
while not done:
    state, reward, done, info = env.step(0)
    soft_update(0.005)
# --- case: copied whole, in the loop
model = Sequential([Dense(2)])
target = Sequential([Dense(2)])
done = False
while not done:
    state, reward, done, info = env.step(0)
    target.set_weights(model.get_weights())  # expect: PP434
# --- case: beside train_on_batch
model = Sequential([Dense(2)])
target = Sequential([Dense(2)])
model.compile(loss="mse")
for batch in batches:
    model.train_on_batch(batch, target.predict_on_batch(batch))
    weights = model.get_weights()
    target.set_weights(weights)  # expect: PP434
# --- whole: beside a tape
import tensorflow as tf

teacher = tf.keras.Sequential([tf.keras.layers.Dense(2)])
student = tf.keras.Sequential([tf.keras.layers.Dense(2)])


@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(student(x) - teacher(x)))
    optimizer.apply_gradients(zip(tape.gradient(loss, student.trainable_variables), student.trainable_variables))


def average():
    new = [0.99 * a + 0.01 * b for a, b in zip(teacher.get_weights(), student.get_weights())]
    teacher.set_weights(new)  # expect: PP434


for x in tf.data.Dataset.from_tensor_slices(rows).batch(8):
    step(x)
    average()
# --- case: once the memory is full enough
model = Sequential([Dense(2)])
target = Sequential([Dense(2)])


def learn():
    w = model.get_weights()
    target.set_weights(w)  # expect: PP434


done = False
while not done:
    state, reward, done, info = env.step(0)
    memory.append(state)
    if len(memory) > 64:
        learn()
# --- case: five names of a step
model = Sequential([Dense(2)])
target = Sequential([Dense(2)])
done = False
while not done:
    state, reward, done, cut, info = env.step(0)
    target.set_weights(model.get_weights())  # expect: PP434
# --- case: an actor and a critic
class Agent:
    def __init__(self):
        self.actor, self.critic = Sequential([Dense(2)]), Sequential([Dense(1)])
        self.target_actor = Sequential([Dense(2)])
        self.target_critic = Sequential([Dense(1)])

    def move(self):
        self.target_actor.set_weights(self.actor.get_weights())  # expect: PP434
        self.target_critic.set_weights(self.critic.get_weights())  # expect: PP434

    def play(self):
        done = False
        while not done:
            state, reward, done, info = self.env.step(0)
            self.move()


Agent().play()
# --- case: a model of a function
def build():
    model = Sequential()
    model.add(Dense(2))
    return model


online, target = build(), build()
while not finished:
    state, reward, finished, info = env.step(0)
    target.set_weights(online.get_weights())  # expect: PP434
# --- case: through two calls
model = Sequential([Dense(2)])
target = Sequential([Dense(2)])


def copy():
    target.set_weights(model.get_weights())  # expect: PP434


def learn(state):
    copy()


finished = False
while not finished:
    state, reward, finished, info = env.step(0)
    learn(state)
# --- case: steps in a for
model = Sequential([Dense(2)])
target = Sequential([Dense(2)])
for episode in range(1000):
    state = env.reset()
    for t in range(500):
        state, reward, done, info = env.step(0)
        target.set_weights(model.get_weights())  # expect: PP434
        if done:
            break
# --- whole: a Model of the functional kind
from tensorflow import keras

x = keras.Input((4,))
model = keras.Model(x, keras.layers.Dense(2)(x))
target = keras.models.clone_model(model)
done = False
while not done:
    state, reward, done, info = env.step(0)
    w = model.get_weights()
    target.set_weights(w)  # expect: PP434
# --- case: a callback, for the layers of each batch
from tensorflow.keras.callbacks import Callback


class Clip(Callback):
    def on_train_batch_begin(self, batch, logs=None):
        for part in self.model.layers:
            if part.trainable:
                part.set_weights([w.clip(-1, 1) for w in part.get_weights()])  # expect: PP434
