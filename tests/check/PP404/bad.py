import tensorflow as tf
# --- case: the counter of the loop
@tf.function
def train_step(x, step):
    return x * step


for step in range(10000):
    train_step(data, step)  # expect: PP404
# --- case: by keyword, enumerate
@tf.function
def train_step(x, step):
    return x


for i, batch in enumerate(dataset):
    train_step(batch, step=i)  # expect: PP404
# --- case: arithmetic
@tf.function()
def decay(x, rate):
    return x * rate


for epoch in range(200):
    x = decay(x, 0.1 * (epoch + 1))  # expect: PP404
# --- case: a method
class Trainer:
    @tf.function
    def step(self, batch, number):
        return batch

    def train(self, batches):
        for number, batch in enumerate(batches):
            self.step(batch, number)  # expect: PP404
# --- case: tf.function(f)
def forward(x, t):
    return x + t


fast = tf.function(forward)
for t in range(1000):
    fast(noise, t)  # expect: PP404
# --- case: an f-string
@tf.function
def log(x, name):
    tf.print(name, x)


for epoch in range(500):
    log(loss, f"epoch {epoch}")  # expect: PP404
# --- case: str and format
@tf.function
def log(name, x):
    tf.print(name, x)


for epoch in range(500):
    log(str(epoch), loss)  # expect: PP404
    log("{}".format(epoch), loss)  # expect: PP404
# --- case: a number that the loop adds to
@tf.function
def simulate(state, time):
    return state * time


time = 0.0
while time < 100:
    state = simulate(state, time)  # expect: PP404
    time += 0.01
# --- case: a step that is counted before
@tf.function
def train_step(batch, step):
    return batch


step = 0
for batch in dataset:
    step += 1
    train_step(batch, step)  # expect: PP404
# --- case: another length each time
@tf.function
def score(prefix):
    return tf.reduce_sum(prefix)


for i in range(1, 500):
    score(sequence[:i])  # expect: PP404
    score(sequence[:, :i])  # expect: PP404
# --- case: across files, and another name for it
from steps import train_step as go

for step in range(1000):
    go(tf.ones([3]), step)  # expect: PP404
# --- file: steps.py
import tensorflow as tf


@tf.function
def train_step(x, step):
    return x
# --- whole: the time, a random number
import random
import time
from tensorflow import function


@function
def augment(x, seed):
    return x


for x in images:
    augment(x, random.random())  # expect: PP404
    augment(x, time.time())  # expect: PP404
# --- whole: a float of the counter, jit
import tensorflow.compat.v2 as tf


@tf.function(jit_compile=True)
def anneal(x, temperature):
    return x / temperature


for step in range(1000):
    anneal(x, float(step) + 1.0)  # expect: PP404
