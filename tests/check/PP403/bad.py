import tensorflow as tf
# --- case: a decorated function in the loop of epochs
for epoch in range(100):
    @tf.function  # expect: PP403
    def step(x):
        return tf.square(x)

    for batch in batches:
        step(batch)
# --- case: tf.function(f) in the loop
def square(x):
    return x * x


for batch in batches:
    fast = tf.function(square)  # expect: PP403
    print(fast(batch))
# --- case: called where it is made
for row in rows:
    print(tf.function(compute)(row))  # expect: PP403
# --- case: a lambda
for step in range(1000):
    value = tf.function(lambda x: x + 1)(tf.constant(step))  # expect: PP403
# --- case: in a function that the loop calls
def train_step(model, batch):
    @tf.function  # expect: PP403
    def run(x):
        return model(x)
    return run(batch)


def train(model, batches):
    for batch in batches:
        train_step(model, batch)
# --- case: in a method, across methods
class Trainer:
    def step(self, batch):
        run = tf.function(self.forward)  # expect: PP403
        return run(batch)

    def forward(self, x):
        return x

    def train(self, dataset):
        for batch in dataset:
            self.step(batch)
# --- case: with arguments
for epoch in range(50):
    @tf.function(experimental_relax_shapes=True)  # expect: PP403
    def step(x):
        return tf.exp(x)
    print(step(tf.constant(1.0)))
# --- whole: from tensorflow import function
from tensorflow import function

while True:
    @function  # expect: PP403
    def step(x):
        return x
    step(read())
# --- whole: compat.v2
import tensorflow.compat.v2 as tf

for record in records:
    @tf.function  # expect: PP403
    def parse(x):
        return tf.strings.length(x)
    parse(record)
# --- whole: a partial of tf.function
import functools
import tensorflow as tf

for step in range(1000):
    @functools.partial(tf.function, jit_compile=True)  # expect: PP403
    def forward(x):
        return x * 2
    forward(data[step])
# --- whole: across files
from steps import evaluate

for epoch in range(100):
    evaluate(epoch)
# --- file: steps.py
import tensorflow as tf


def evaluate(x):
    @tf.function  # expect: PP403
    def inner(y):
        return tf.reduce_sum(y)
    return inner(tf.ones([3]))
# --- case: a strategy runs it
for batch in batches:
    @tf.function  # expect: PP403
    def step(x):
        return x
    strategy.run(step, args=(batch,))
