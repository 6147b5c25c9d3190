import tensorflow as tf
# --- whole: compile in each epoch
from tensorflow import keras

model = keras.Sequential([keras.layers.Dense(1)])
for epoch in range(100):
    model.compile(loss="mse", optimizer="adam")  # expect: PP405
    model.fit(x, y, epochs=1)
# --- whole: a GAN that is compiled for each batch
from keras.models import Model, Sequential

generator = Sequential()
discriminator = Sequential()
gan = Model(z, discriminator(generator(z)))
for step in range(20000):
    discriminator.trainable = True
    discriminator.compile(loss="binary_crossentropy", optimizer="adam")  # expect: PP405
    discriminator.train_on_batch(real, ones)
    discriminator.trainable = False
    gan.compile(loss="binary_crossentropy", optimizer="adam")  # expect: PP405
    gan.train_on_batch(noise, ones)
# --- whole: a parameter, known by the arguments
from tensorflow.keras.optimizers import Adam


def train(model, batches):
    for x, y in batches:
        model.compile(optimizer=Adam(1e-3), loss="mae")  # expect: PP405
        model.train_on_batch(x, y)
# --- whole: the same model is loaded in the loop
from tensorflow.keras.models import load_model

for image in images:
    model = load_model("model.h5")  # expect: PP405
    print(model.predict(image))
# --- case: the path is a constant of the module
PATH = "models/best"
while True:
    net = tf.keras.models.load_model(PATH)  # expect: PP405
    print(net.predict(receive()))
# --- case: a function that loads, and is called for each item
def predict(image):
    model = tf.keras.models.load_model("model.h5")  # expect: PP405
    return model.predict(image)


labels = [predict(image) for image in images]
# --- whole: across files
from service import classify

for document in documents:
    print(classify(document))
# --- file: service.py
from keras.models import load_model

MODEL = "text.h5"


def classify(text):
    model = load_model(MODEL, compile=False)  # expect: PP405
    return model.predict(text)
# --- whole: a big pretrained network for each file
from tensorflow.keras.applications import VGG16


def features(image_files):
    out = []
    for file in image_files:
        base = VGG16(weights="imagenet", include_top=False)  # expect: PP405
        out.append(base.predict(read(file)))
    return out
# --- whole: a search over many settings
import random
from tensorflow import keras

best = 0.0
for trial in range(50):
    model = keras.Sequential()  # expect: PP405
    model.add(keras.layers.Dense(random.randint(8, 64)))
    model.compile(loss="mse", optimizer="adam")
    history = model.fit(x, y, epochs=20)
    best = max(best, max(history.history["accuracy"]))
# --- whole: a function that builds
from tensorflow.keras.layers import Dense, Input
from tensorflow.keras.models import Model


def build(units):
    inputs = Input((10,))
    return Model(inputs, Dense(units)(inputs))


def search(samples):
    results = []
    for sample in samples:
        model = build(sample)  # expect: PP405
        model.compile("adam", "mse")
        model.fit(x, y)
        results.append(model.evaluate(x_test, y_test))
    return results
# --- whole: from keras, Sequential, while
import keras
from keras import Sequential

while seconds_left() > 0:
    model = Sequential([keras.layers.Dense(3)])  # expect: PP405
    model.compile("sgd", "mse")
    model.fit(x, y)
    print(model.evaluate(x, y))
# --- case: clone_model
def vote(base, datasets):
    scores = []
    for data in datasets:
        copy = tf.keras.models.clone_model(base)  # expect: PP405
        copy.compile("sgd", "mse")
        copy.fit(data)
        scores.append(copy.evaluate(data))
    return scores
# --- whole: built and fitted in a function that a loop calls, in graph mode
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


def fit(rate):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])  # expect: PP405
    model.compile(tf.keras.optimizers.Adam(rate), "mse")
    model.fit(inputs, targets)
    return model.evaluate(inputs, targets)


for trial in trials:
    losses.append(fit(0.0001 * trial))
# --- whole: the same by a method, and from another file
import tensorflow.compat.v1 as tf


class Search:
    def score(self, width):
        inputs = tf.keras.Input((3,))
        net = tf.keras.Model(inputs, tf.keras.layers.Dense(width)(inputs))  # expect: PP405
        net.compile("sgd", "mse")
        return net.fit(x, y).history["loss"][-1]


with tf.Session() as session:
    print(session.run(tf.constant(3)))
# --- file: run.py
from main import Search

search = Search()
for sample_width in all_sample_widths:
    print(search.score(sample_width))
# --- whole: a helper that a while loop reaches
from keras.models import Sequential
import tensorflow.compat.v1 as tf

sess = tf.Session()


def train_once(config):
    model = Sequential(layers_of(config))  # expect: PP405
    model.fit(x, y)
    scores.append(model.evaluate(x, y))


def attempt():
    train_once(draw())


while not good_enough(scores):
    attempt()
# --- case: at each request of a web service, in what the handler calls
from flask import Flask

app = Flask(__name__)


def guess(text):
    model = tf.keras.models.load_model("spam.keras")  # expect: PP405
    return model.predict(encode(text))


@app.route("/spam", methods=["POST"])
def spam():
    return {"spam": float(guess(request.form["text"])[0])}
