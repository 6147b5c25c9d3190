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
# --- whole: models in loops
import gc
import tensorflow as tf
import tensorflow_hub as hub

base = tf.keras.Sequential([tf.keras.layers.Dense(3)])


def build():
    return tf.keras.Sequential([tf.keras.layers.Dense(3)])


def model_predict(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Sequential([tf.keras.layers.Dense(3)])
        found.append(m.predict(x))
    return found


def model_fit(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Sequential([tf.keras.layers.Dense(3)])  # expect: PP405
        m.fit(x, x)
    return found


def model_both(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Sequential([tf.keras.layers.Dense(3)])  # expect: PP405
        m.compile("adam", "mse")
        m.fit(x, x)
        found.append(m.predict(x))
    return found


def model_kept(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Sequential([tf.keras.layers.Dense(3)])
        found.append(m)
    return found


def model_kept_in(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Sequential([tf.keras.layers.Dense(3)])
        kept[i] = m
    return found


def model_kept_pair(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Sequential([tf.keras.layers.Dense(3)])
        kept = [m, x]
    return found


def model_yielded(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Sequential([tf.keras.layers.Dense(3)])
        yield m
    return found


def model_cleared(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Sequential([tf.keras.layers.Dense(3)])
        found.append(m.predict(x))
        tf.keras.backend.clear_session()
    return found


def model_collected(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Sequential([tf.keras.layers.Dense(3)])
        found.append(m.predict(x))
        del m
        gc.collect()
    return found


def model_added(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Sequential([tf.keras.layers.Dense(3)])
        group.add(m)
    return found


def model_returned(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Sequential([tf.keras.layers.Dense(3)])
        return m.predict(x)
    return found


def model_called(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Sequential([tf.keras.layers.Dense(3)])
        found.append(m(x))
    return found


def model_weights(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Sequential([tf.keras.layers.Dense(3)])
        m.load_weights("w")
        found.append(m.predict(x))
    return found


def model_lists(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Sequential([tf.keras.layers.Dense(3)])
        kept.append((i, m))
    return found


def model_dict(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Sequential([tf.keras.layers.Dense(3)])
        kept.append({"m": m})
    return found


def model_nothing(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Sequential([tf.keras.layers.Dense(3)])
        pass
    return found


def loaded_predict(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model("m")  # expect: PP405
        found.append(m.predict(x))
    return found


def loaded_fit(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model("m")
        m.fit(x, x)
    return found


def loaded_both(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model("m")
        m.compile("adam", "mse")
        m.fit(x, x)
        found.append(m.predict(x))
    return found


def loaded_kept(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model("m")  # expect: PP405
        found.append(m)
    return found


def loaded_kept_in(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model("m")  # expect: PP405
        kept[i] = m
    return found


def loaded_kept_pair(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model("m")  # expect: PP405
        kept = [m, x]
    return found


def loaded_yielded(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model("m")  # expect: PP405
        yield m
    return found


def loaded_cleared(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model("m")
        found.append(m.predict(x))
        tf.keras.backend.clear_session()
    return found


def loaded_collected(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model("m")
        found.append(m.predict(x))
        del m
        gc.collect()
    return found


def loaded_added(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model("m")  # expect: PP405
        group.add(m)
    return found


def loaded_returned(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model("m")
        return m.predict(x)
    return found


def loaded_called(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model("m")  # expect: PP405
        found.append(m(x))
    return found


def loaded_weights(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model("m")
        m.load_weights("w")
        found.append(m.predict(x))
    return found


def loaded_lists(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model("m")  # expect: PP405
        kept.append((i, m))
    return found


def loaded_dict(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model("m")  # expect: PP405
        kept.append({"m": m})
    return found


def loaded_nothing(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model("m")  # expect: PP405
        pass
    return found


def path_predict(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(path)  # expect: PP405
        found.append(m.predict(x))
    return found


def path_fit(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(path)
        m.fit(x, x)
    return found


def path_both(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(path)
        m.compile("adam", "mse")
        m.fit(x, x)
        found.append(m.predict(x))
    return found


def path_kept(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(path)  # expect: PP405
        found.append(m)
    return found


def path_kept_in(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(path)  # expect: PP405
        kept[i] = m
    return found


def path_kept_pair(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(path)  # expect: PP405
        kept = [m, x]
    return found


def path_yielded(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(path)  # expect: PP405
        yield m
    return found


def path_cleared(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(path)
        found.append(m.predict(x))
        tf.keras.backend.clear_session()
    return found


def path_collected(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(path)
        found.append(m.predict(x))
        del m
        gc.collect()
    return found


def path_added(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(path)  # expect: PP405
        group.add(m)
    return found


def path_returned(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(path)
        return m.predict(x)
    return found


def path_called(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(path)  # expect: PP405
        found.append(m(x))
    return found


def path_weights(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(path)
        m.load_weights("w")
        found.append(m.predict(x))
    return found


def path_lists(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(path)  # expect: PP405
        kept.append((i, m))
    return found


def path_dict(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(path)  # expect: PP405
        kept.append({"m": m})
    return found


def path_nothing(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(path)  # expect: PP405
        pass
    return found


def given_predict(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(names[i])
        found.append(m.predict(x))
    return found


def given_fit(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(names[i])
        m.fit(x, x)
    return found


def given_both(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(names[i])
        m.compile("adam", "mse")
        m.fit(x, x)
        found.append(m.predict(x))
    return found


def given_kept(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(names[i])
        found.append(m)
    return found


def given_kept_in(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(names[i])
        kept[i] = m
    return found


def given_kept_pair(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(names[i])
        kept = [m, x]
    return found


def given_yielded(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(names[i])
        yield m
    return found


def given_cleared(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(names[i])
        found.append(m.predict(x))
        tf.keras.backend.clear_session()
    return found


def given_collected(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(names[i])
        found.append(m.predict(x))
        del m
        gc.collect()
    return found


def given_added(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(names[i])
        group.add(m)
    return found


def given_returned(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(names[i])
        return m.predict(x)
    return found


def given_called(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(names[i])
        found.append(m(x))
    return found


def given_weights(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(names[i])
        m.load_weights("w")
        found.append(m.predict(x))
    return found


def given_lists(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(names[i])
        kept.append((i, m))
    return found


def given_dict(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(names[i])
        kept.append({"m": m})
    return found


def given_nothing(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.load_model(names[i])
        pass
    return found


def pre_predict(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.applications.VGG16()  # expect: PP405
        found.append(m.predict(x))
    return found


def pre_fit(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.applications.VGG16()
        m.fit(x, x)
    return found


def pre_both(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.applications.VGG16()
        m.compile("adam", "mse")
        m.fit(x, x)
        found.append(m.predict(x))
    return found


def pre_kept(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.applications.VGG16()  # expect: PP405
        found.append(m)
    return found


def pre_kept_in(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.applications.VGG16()  # expect: PP405
        kept[i] = m
    return found


def pre_kept_pair(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.applications.VGG16()  # expect: PP405
        kept = [m, x]
    return found


def pre_yielded(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.applications.VGG16()  # expect: PP405
        yield m
    return found


def pre_cleared(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.applications.VGG16()
        found.append(m.predict(x))
        tf.keras.backend.clear_session()
    return found


def pre_collected(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.applications.VGG16()
        found.append(m.predict(x))
        del m
        gc.collect()
    return found


def pre_added(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.applications.VGG16()  # expect: PP405
        group.add(m)
    return found


def pre_returned(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.applications.VGG16()
        return m.predict(x)
    return found


def pre_called(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.applications.VGG16()  # expect: PP405
        found.append(m(x))
    return found


def pre_weights(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.applications.VGG16()
        m.load_weights("w")
        found.append(m.predict(x))
    return found


def pre_lists(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.applications.VGG16()  # expect: PP405
        kept.append((i, m))
    return found


def pre_dict(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.applications.VGG16()  # expect: PP405
        kept.append({"m": m})
    return found


def pre_nothing(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.applications.VGG16()  # expect: PP405
        pass
    return found


def hub_predict(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.load("u")
        found.append(m.predict(x))
    return found


def hub_fit(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.load("u")
        m.fit(x, x)
    return found


def hub_both(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.load("u")
        m.compile("adam", "mse")
        m.fit(x, x)
        found.append(m.predict(x))
    return found


def hub_kept(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.load("u")
        found.append(m)
    return found


def hub_kept_in(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.load("u")
        kept[i] = m
    return found


def hub_kept_pair(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.load("u")
        kept = [m, x]
    return found


def hub_yielded(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.load("u")
        yield m
    return found


def hub_cleared(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.load("u")
        found.append(m.predict(x))
        tf.keras.backend.clear_session()
    return found


def hub_collected(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.load("u")
        found.append(m.predict(x))
        del m
        gc.collect()
    return found


def hub_added(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.load("u")
        group.add(m)
    return found


def hub_returned(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.load("u")
        return m.predict(x)
    return found


def hub_called(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.load("u")
        found.append(m(x))
    return found


def hub_weights(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.load("u")
        m.load_weights("w")
        found.append(m.predict(x))
    return found


def hub_lists(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.load("u")
        kept.append((i, m))
    return found


def hub_dict(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.load("u")
        kept.append({"m": m})
    return found


def hub_nothing(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.load("u")
        pass
    return found


def hub_layer_predict(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.KerasLayer("u")
        found.append(m.predict(x))
    return found


def hub_layer_fit(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.KerasLayer("u")
        m.fit(x, x)
    return found


def hub_layer_both(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.KerasLayer("u")
        m.compile("adam", "mse")
        m.fit(x, x)
        found.append(m.predict(x))
    return found


def hub_layer_kept(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.KerasLayer("u")
        found.append(m)
    return found


def hub_layer_kept_in(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.KerasLayer("u")
        kept[i] = m
    return found


def hub_layer_kept_pair(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.KerasLayer("u")
        kept = [m, x]
    return found


def hub_layer_yielded(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.KerasLayer("u")
        yield m
    return found


def hub_layer_cleared(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.KerasLayer("u")
        found.append(m.predict(x))
        tf.keras.backend.clear_session()
    return found


def hub_layer_collected(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.KerasLayer("u")
        found.append(m.predict(x))
        del m
        gc.collect()
    return found


def hub_layer_added(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.KerasLayer("u")
        group.add(m)
    return found


def hub_layer_returned(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.KerasLayer("u")
        return m.predict(x)
    return found


def hub_layer_called(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.KerasLayer("u")
        found.append(m(x))
    return found


def hub_layer_weights(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.KerasLayer("u")
        m.load_weights("w")
        found.append(m.predict(x))
    return found


def hub_layer_lists(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.KerasLayer("u")
        kept.append((i, m))
    return found


def hub_layer_dict(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.KerasLayer("u")
        kept.append({"m": m})
    return found


def hub_layer_nothing(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = hub.KerasLayer("u")
        pass
    return found


def functional_predict(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Model(x, x)
        found.append(m.predict(x))
    return found


def functional_fit(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Model(x, x)  # expect: PP405
        m.fit(x, x)
    return found


def functional_both(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Model(x, x)  # expect: PP405
        m.compile("adam", "mse")
        m.fit(x, x)
        found.append(m.predict(x))
    return found


def functional_kept(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Model(x, x)
        found.append(m)
    return found


def functional_kept_in(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Model(x, x)
        kept[i] = m
    return found


def functional_kept_pair(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Model(x, x)
        kept = [m, x]
    return found


def functional_yielded(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Model(x, x)
        yield m
    return found


def functional_cleared(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Model(x, x)
        found.append(m.predict(x))
        tf.keras.backend.clear_session()
    return found


def functional_collected(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Model(x, x)
        found.append(m.predict(x))
        del m
        gc.collect()
    return found


def functional_added(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Model(x, x)
        group.add(m)
    return found


def functional_returned(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Model(x, x)
        return m.predict(x)
    return found


def functional_called(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Model(x, x)
        found.append(m(x))
    return found


def functional_weights(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Model(x, x)
        m.load_weights("w")
        found.append(m.predict(x))
    return found


def functional_lists(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Model(x, x)
        kept.append((i, m))
    return found


def functional_dict(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Model(x, x)
        kept.append({"m": m})
    return found


def functional_nothing(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.Model(x, x)
        pass
    return found


def built_predict(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = build()
        found.append(m.predict(x))
    return found


def built_fit(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = build()  # expect: PP405
        m.fit(x, x)
    return found


def built_both(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = build()  # expect: PP405
        m.compile("adam", "mse")
        m.fit(x, x)
        found.append(m.predict(x))
    return found


def built_kept(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = build()
        found.append(m)
    return found


def built_kept_in(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = build()
        kept[i] = m
    return found


def built_kept_pair(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = build()
        kept = [m, x]
    return found


def built_yielded(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = build()
        yield m
    return found


def built_cleared(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = build()
        found.append(m.predict(x))
        tf.keras.backend.clear_session()
    return found


def built_collected(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = build()
        found.append(m.predict(x))
        del m
        gc.collect()
    return found


def built_added(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = build()
        group.add(m)
    return found


def built_returned(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = build()
        return m.predict(x)
    return found


def built_called(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = build()
        found.append(m(x))
    return found


def built_weights(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = build()
        m.load_weights("w")
        found.append(m.predict(x))
    return found


def built_lists(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = build()
        kept.append((i, m))
    return found


def built_dict(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = build()
        kept.append({"m": m})
    return found


def built_nothing(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = build()
        pass
    return found


def clone_predict(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.clone_model(base)
        found.append(m.predict(x))
    return found


def clone_fit(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.clone_model(base)  # expect: PP405
        m.fit(x, x)
    return found


def clone_both(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.clone_model(base)  # expect: PP405
        m.compile("adam", "mse")
        m.fit(x, x)
        found.append(m.predict(x))
    return found


def clone_kept(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.clone_model(base)
        found.append(m)
    return found


def clone_kept_in(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.clone_model(base)
        kept[i] = m
    return found


def clone_kept_pair(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.clone_model(base)
        kept = [m, x]
    return found


def clone_yielded(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.clone_model(base)
        yield m
    return found


def clone_cleared(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.clone_model(base)
        found.append(m.predict(x))
        tf.keras.backend.clear_session()
    return found


def clone_collected(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.clone_model(base)
        found.append(m.predict(x))
        del m
        gc.collect()
    return found


def clone_added(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.clone_model(base)
        group.add(m)
    return found


def clone_returned(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.clone_model(base)
        return m.predict(x)
    return found


def clone_called(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.clone_model(base)
        found.append(m(x))
    return found


def clone_weights(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.clone_model(base)
        m.load_weights("w")
        found.append(m.predict(x))
    return found


def clone_lists(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.clone_model(base)
        kept.append((i, m))
    return found


def clone_dict(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.clone_model(base)
        kept.append({"m": m})
    return found


def clone_nothing(images, names, path, x, kept, group, found=[]):
    for i, x in enumerate(images):
        m = tf.keras.models.clone_model(base)
        pass
    return found


def first(images, other, make, re, m=None, found=[]):
    for i, x in enumerate(images):
        if i == 0:
            m = tf.keras.models.load_model("m")
        found.append(m.predict(x))
    return found


def none(images, other, make, re, m=None, found=[]):
    for i, x in enumerate(images):
        if m is None:
            m = tf.keras.models.load_model("m")
        found.append(m.predict(x))
    return found


def try(images, other, make, re, m=None, found=[]):
    for i, x in enumerate(images):
        try:
            found.append(m.predict(x))
        except ValueError:
            m = tf.keras.models.load_model("m")
    return found


def compiled(images, other, make, re, m=None, found=[]):
    for i, x in enumerate(images):
        base.compile("adam", "mse")  # expect: PP405
        base.fit(x, x)
    return found


def compiled_kw(images, other, make, re, m=None, found=[]):
    for i, x in enumerate(images):
        base.compile(loss="mse", optimizer="adam")  # expect: PP405
        base.fit(x, x)
    return found


def compiled_optimizer(images, other, make, re, m=None, found=[]):
    for i, x in enumerate(images):
        other.compile(optimizer="adam")  # expect: PP405
        other.fit(x, x)
    return found


def compiled_other(images, other, make, re, m=None, found=[]):
    for i, x in enumerate(images):
        other.compile("a")
        other.fit(x, x)
    return found


def compiled_changed(images, other, make, re, m=None, found=[]):
    for i, x in enumerate(images):
        base.compile(optimizer=make(i))  # expect: PP405 low
        base.fit(x, x)
    return found


def compiled_once(images, other, make, re, m=None, found=[]):
    for i, x in enumerate(images):
        if i == 0:
            base.compile("adam", "mse")
        base.fit(x, x)
    return found


def compiled_only(images, other, make, re, m=None, found=[]):
    for i, x in enumerate(images):
        base.compile("adam", "mse")
    return found


def frozen(images, other, make, re, m=None, found=[]):
    for i, x in enumerate(images):
        base.trainable = False
        base.compile("adam", "mse")  # expect: PP405
        base.fit(x, x)
    return found


def regex(images, other, make, re, m=None, found=[]):
    for i, x in enumerate(images):
        re.compile("a").match(x)
    return found

