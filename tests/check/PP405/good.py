from tensorflow import keras
# --- case: compiled once
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(loss="mse", optimizer="adam")
for epoch in range(100):
    model.fit(x, y, epochs=1)
# --- case: clear_session in each round
for trial in range(50):
    keras.backend.clear_session()
    model = keras.Sequential([keras.layers.Dense(trial)])  # lacks: each round has its own graph, or clears the session or the model
    model.compile("adam", "mse")
    model.fit(x, y)
# --- whole: clear_session at the end, another alias
from tensorflow.keras import backend as K
from tensorflow.keras.models import Sequential

for trial in range(50):
    model = Sequential()
    model.compile("adam", "mse")
    model.fit(x, y)
    K.clear_session()
# --- whole: del and gc
import gc
from tensorflow.keras.models import Sequential

for trial in range(50):
    model = Sequential()
    model.compile("adam", "mse")
    model.fit(x, y)
    del model
    gc.collect()
# --- whole: models that are all needed
from tensorflow.keras.models import Sequential

members = []
for trial in range(50):
    model = Sequential()
    model.compile("adam", "mse")
    model.fit(x, y)
    members.append(model)
# --- whole: a few folds
from tensorflow.keras.models import Sequential

for fold in range(5):
    model = Sequential()  # expect: PP405 low
    model.compile("adam", "mse")
    model.fit(x[fold], y[fold])
# --- whole: other models are loaded
from tensorflow.keras.models import load_model

for path in model_files:
    model = load_model(path)
    print(model.predict(x))
# --- whole: loaded when it is first needed
from tensorflow.keras.models import load_model

model = None


def predict(x):
    global model
    if model is None:
        model = load_model("m.h5")
    return model.predict(x)


for image in images:
    predict(image)
# --- whole: a fresh copy to train in each round
from tensorflow.keras.models import load_model

for sample in samples:
    model = load_model("base.h5")
    model.fit(sample.x, sample.y)
# --- whole: a cache
import functools
from tensorflow.keras.models import load_model


@functools.lru_cache(maxsize=1)
def predict_with():
    model = load_model("m.h5")
    return model.predict(x)


for image in images:
    predict_with()
# --- whole: regular expressions and other compilers
import re
from tensorflow import keras

for line in lines:
    pattern = re.compile(line)
    code = compile(line, "f", "exec")
    model.fit(line)
# --- case: compiled to try learning rates
model = keras.Sequential()
for step in range(100):
    rate = 0.1 ** step
    model.compile(loss="mse", optimizer=keras.optimizers.Adam(rate))  # expect: PP405 low
    model.fit(x, y)
# --- case: two phases
model = keras.Sequential()
for phase in ["head", "all"]:
    model.trainable = phase == "all"
    model.compile(loss="mse", optimizer="adam")
    model.fit(x, y)
# --- case: rebuilt by a method
class Search:
    def build_model(self):
        self.model = keras.Sequential()

    def go(self, samples):
        for sample in samples:
            self.build_model()
            self.model.compile(loss="mse", optimizer="adam")
            self.model.fit(sample)
# --- case: built but not trained in the loop
for size in range(100):
    model = keras.Sequential([keras.layers.Dense(size)])
    print(model.count_params())
# --- case: layers, not models
x = keras.Input((3,))
for i in range(100):
    x = keras.layers.Dense(3)(x)
model = keras.Model(x, x)
model.fit(a, b)
# --- whole: once
from tensorflow.keras.models import load_model


def main():
    model = load_model("m.h5")
    print(model.predict(x))


main()
# --- whole: its own graph
import tensorflow as tf
from keras.models import Sequential

for trial in range(100):
    with tf.Graph().as_default():
        model = Sequential()
        model.fit(x, y)
# --- whole: tests only note
x = 1
# --- file: test_models.py
from tensorflow.keras.models import load_model


def test_all():
    for image in images:
        model = load_model("m.h5")  # expect: PP405 low
        print(model.predict(image))
# --- whole: the function is called once, clears, or hands its model on
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


def once():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.fit(inputs, targets)


def cleared(rate):
    tf.keras.backend.clear_session()
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.fit(inputs, targets)
    return model.evaluate(inputs, targets)


def kept(rate):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.fit(inputs, targets)
    return model


once()
for trial in trials:
    print(cleared(trial))
    print(kept(trial))
# --- whole: eager models that a function builds only note
import tensorflow as tf


@tf.function
def f(x):
    return x


def fit(rate):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])  # expect: PP405 low
    model.fit(inputs, targets)
    return model.evaluate(inputs, targets)


for trial in trials:
    print(fit(trial))
# --- whole: the same model in each round, cleared, only notes; another one does not
import tensorflow as tf


def built(width=3):
    network = tf.keras.Sequential([tf.keras.layers.Dense(width)])
    network.compile("sgd", "mse")
    return network


for step in range(100):
    tf.keras.backend.clear_session()
    model = built()  # expect: PP405 low
    losses.append(model.fit(inputs * step).history)
for width in range(100):
    tf.keras.backend.clear_session()
    model = built(width)
    losses.append(model.fit(inputs).history)
# --- case: a web service keeps what it loaded at the first request
from flask import Flask

app = Flask(__name__)
model = None


def guess(text):
    global model
    if model is None:
        model = keras.models.load_model("spam.keras")
    return model.predict(encode(text))


@app.route("/spam", methods=["POST"])
def spam():
    return {"spam": float(guess(request.form["text"])[0])}
# --- case: not a handler: a decorator of a registry
models = Registry()


@models.get("spam")
def spam():
    model = keras.models.load_model("spam.keras")
    return model
