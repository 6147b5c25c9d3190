import tensorflow as tf
# --- case: made once, before the loop
@tf.function
def step(x):
    return tf.square(x)


for batch in batches:
    step(batch)
# --- case: made once, in the function that has the loop
def train(model, batches):
    @tf.function
    def step(x):
        return model(x)

    fast = tf.function(model.evaluate)
    for batch in batches:
        step(batch)
        fast(batch)


train(m, b)
# --- case: one for each model
for width in range(100):
    model = tf.keras.Sequential([tf.keras.layers.Dense(width)])

    @tf.function
    def step(x):
        return model(x)
    step(data)
# --- case: a trial that builds what it trains
def run_trial(rate):
    model = build_model()
    optimizer = tf.keras.optimizers.Adam(rate)

    @tf.function
    def step(x):
        return model(x)
    for batch in batches:
        step(batch)


for trial in range(100):
    run_trial(trial)
# --- case: kept, in a list
steps = []
for sample in samples:
    @tf.function
    def step(x):
        return x
    steps.append(step)
# --- case: kept, by returning it
def make(scale):
    @tf.function
    def step(x):
        return x * scale
    return step


table = [make(step) for step in range(100)]
# --- case: made when it is first needed
class Trainer:
    fast = None

    def step(self, x):
        if self.fast is None:
            self.fast = tf.function(self.forward)
        return self.fast(x)

    def train(self, batches):
        for batch in batches:
            self.step(batch)
# --- whole: a cache
import functools
import tensorflow as tf


@functools.lru_cache(None)
def stepper(size):
    @tf.function
    def step(x):
        return tf.reshape(x, [size])
    return step(tf.ones([size]))


for batch in batches:
    stepper(3)
# --- case: a handful
for name in ["a", "b"]:
    @tf.function
    def step(x):
        return x
    print(step(name))
for i in range(3):
    print(tf.function(compute)(i))
# --- case: no tf.function
def function(f):
    return f


for batch in batches:
    @function
    def step(x):
        return x
    step(batch)
# --- case: inside another tf.function: traced with it
@tf.function
def outer(batches):
    for batch in batches:
        @tf.function
        def inner(x):
            return x
        inner(batch)
# --- case: called in the loop of a function that a loop calls: one trace for many rounds
def evaluate(network, batches):
    @tf.function
    def score(x):
        return network(x)
    return [score(batch) for batch in batches]


for epoch in range(100):
    evaluate(network, batches)
# --- case: a function that no loop calls
def main():
    @tf.function
    def step(x):
        return x
    step(1)


main()
# --- case: a method of a class, decorated once
class Trainer:
    @tf.function
    def step(self, x):
        return x

    def train(self, batches):
        for batch in batches:
            self.step(batch)
# --- whole: tests only note
x = 1
# --- file: step_test.py
import tensorflow as tf


def test_steps():
    for step in range(100):
        @tf.function  # expect: PP403 low
        def f(x):
            return x
        f(step)
# --- case: the loop is in the graph itself
class Trainer(tf.Module):
    def make(self, steps, train):
        def step(iterator):
            run = tf.function(lambda data: train(data), jit_compile=True)
            return run(next(iterator))

        def many(iterator):
            for _ in tf.range(steps):
                out = step(iterator)
            return out

        return tf.function(many)
