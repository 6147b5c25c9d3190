from tensorflow.keras.models import load_model
# --- whole: the model itself
import numpy as np
from tensorflow.keras import Sequential
from tensorflow.keras.layers import Dense

generator = Sequential([Dense(64)])
for step in range(20000):
    fakes = generator(np.random.normal(size=(64, 100)), training=False)
    critic.train_on_batch(fakes, zeros)
# --- whole: predict_on_batch
from tensorflow.keras import Sequential
from tensorflow.keras.layers import Dense

generator = Sequential([Dense(64)])
for step in range(20000):
    fakes = generator.predict_on_batch(noise[step])
    critic.train_on_batch(fakes, zeros)
# --- case: once, before the loop
model = load_model("m.h5")
y = model.predict(x_test)  # lacks: no loop is seen that runs it in each round
for row in y:
    print(row)
# --- whole: now and then
from tensorflow.keras import Sequential
from tensorflow.keras.layers import Dense

generator = Sequential([Dense(64)])
for step in range(20000):
    critic.train_on_batch(rows[step], ones)
    if step % 1000 == 0:
        show(generator.predict(noise))
# --- whole: once in an epoch
from tensorflow.keras import Sequential
from tensorflow.keras.layers import Dense

model = Sequential([Dense(64)])
for epoch in range(100):
    for batch in batches:
        model.train_on_batch(batch, ones)
    history.append(score(model.predict(x_test)))
# --- whole: fit in the same loop takes longer
from tensorflow.keras import Sequential
from tensorflow.keras.layers import Dense

model = Sequential([Dense(64)])
for part in parts:
    model.fit(part, ones, epochs=5)
    scores.append(model.predict(part))
# --- case: other models in each round
for path in paths:
    model = load_model(path)
    scores.append(model.predict(x_test))
# --- whole: the models of a list
for model in [keras.models.load_model(p) for p in paths]:
    votes.append(model.predict(x_test))
# --- case: an environment
model = load_model("m.h5")
while not done:
    values = model.predict(states)
    states, rewards, done, _ = env.step(values.argmax(axis=1))  # PP416 says what helps
# --- whole: a forest of scikit-learn
from sklearn.ensemble import RandomForestClassifier
import tensorflow as tf

forest = RandomForestClassifier()
for batch in batches:
    votes.append(forest.predict(batch))
# --- case: a handful of rounds
model = load_model("m.h5")
for scale in [0.5, 1.0, 2.0]:
    maps.append(model.predict(resized(images, scale)))
# --- whole: a graph of TensorFlow 1
import tensorflow as tf

model = tf.keras.models.load_model("m.h5")
with tf.Session() as sess:
    for batch in batches:
        sess.run(train_op, {x: model.predict(batch)})
# --- case: one item, which is another matter
model = load_model("m.h5")
for image in images:
    labels.append(model.predict(image[None]))  # expect: PP401
# --- whole: a model that is known by its name
import keras


def train(generator_model, critic, steps):
    for step in range(steps):
        fakes = generator_model.predict(draw(step))  # expect: PP433 likely
        critic.train_on_batch(fakes, zeros)


train(build(), critic(), 10000)
# --- case: a function of a library, over batches
def features_of(batches, path="m.h5"):
    model = load_model(path)
    return [model.predict(batch) for batch in batches]  # expect: PP433 low
# --- whole: a predict() of the program's own
import tensorflow as tf


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(3)

    def predict(self, x):
        return self.dense(x)


net = Net()
for batch in batches:
    scores.append(net.predict(batch))
# --- case: an evaluation, batch by batch
model = load_model("m.h5")
for images, labels in batches:
    scores.append(score(model.predict(images), labels))  # expect: PP433 low
# --- case: slices of an array
model = load_model("m.h5")
for i in range(0, len(x_test), 32):
    found.extend(model.predict(x_test[i:i + 32]))  # expect: PP433 low
# --- case: items of a generator
def collect(generator, steps):
    model = load_model("m.h5")
    out = []
    for _ in range(steps):
        x, _ = next(generator)
        out.append(model.predict(x))  # expect: PP433 low
    return out


collect(generator, 500)
# --- case: a comprehension over batches
model = load_model("m.h5")
features = [model.predict(batch) for batch in batches]  # expect: PP433 low
# --- case: batch_size does not help a batch
model = load_model("m.h5")
for batch in batches:
    features.append(model.predict(batch, batch_size=64))  # expect: PP433 low
# --- case: x by its name
model = load_model("m.h5")
for batch in batches:
    features.append(model.predict(x=batch))  # expect: PP433 low
# --- case: a model of several inputs
model = load_model("m.h5")
for left, right in pairs:
    distances.append(model.predict([left, right]))  # expect: PP433 low
# --- case: parts of an image, in a function that the program calls
unet = load_model("m.h5")


def segment(tiles):
    masks = []
    for tile in tiles:
        masks.append(unet.predict(tile))  # expect: PP433 low
    return masks


segment(tiles_of("a.tif"))
# --- case: a model with convolutions, which take most of the time
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Conv2D(64, 3), tf.keras.layers.Flatten(), tf.keras.layers.Dense(4)])
for sample in samples:
    answers.append(model.predict(sample))  # expect: PP433 low
# --- case: a model of a few dense layers, whose start is most of the time
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(4)])
for sample in samples:
    answers.append(model.predict(sample))  # expect: PP433 low
