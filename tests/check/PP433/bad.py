from tensorflow.keras.models import load_model
# --- whole: fakes of a generator, beside train_on_batch
import numpy as np
from tensorflow.keras import Sequential
from tensorflow.keras.layers import Dense

generator = Sequential([Dense(64)])
critic = Sequential([Dense(1)])
for step in range(20000):
    noise = np.random.normal(size=(64, 100))
    fakes = generator.predict(noise)  # expect: PP433
    critic.train_on_batch(fakes, zeros)
# --- whole: methods of a class, an epoch that is a step
import numpy as np
from tensorflow.keras import Sequential
from tensorflow.keras.layers import Dense


class Gan:
    def __init__(self):
        self.generator = Sequential([Dense(64)])
        self.critic = Sequential([Dense(1)])

    def train(self, epochs):
        for epoch in range(epochs):
            rows = x_train[np.random.randint(0, len(x_train), 64)]
            fakes = self.generator.predict(np.random.normal(size=(64, 100)))  # expect: PP433
            self.critic.train_on_batch(rows, ones)
            self.critic.train_on_batch(fakes, zeros)


Gan().train(20000)
# --- whole: a tape in the same loop
import tensorflow as tf

teacher = tf.keras.Sequential([tf.keras.layers.Dense(10)])
student = tf.keras.Sequential([tf.keras.layers.Dense(10)])
for x in tf.data.Dataset.from_tensor_slices(rows).batch(32):
    soft = teacher.predict(x)  # expect: PP433
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(student(x) - soft))
    optimizer.apply_gradients(zip(tape.gradient(loss, student.trainable_variables), student.trainable_variables))
# --- whole: only the first of two
from tensorflow.keras import Sequential
from tensorflow.keras.layers import Dense

a = Sequential([Dense(3)])
b = Sequential([Dense(3)])
for i in range(10000):
    fake_b = a.predict(real_a[i * 8:(i + 1) * 8])  # expect: PP433
    fake_a = b.predict(real_b[i * 8:(i + 1) * 8])
    critic.train_on_batch(fake_b, zeros)
# --- case: an evaluation, batch by batch
model = load_model("m.h5")
for images, labels in batches:
    scores.append(score(model.predict(images), labels))  # expect: PP433
# --- case: slices of an array
model = load_model("m.h5")
for i in range(0, len(x_test), 32):
    found.extend(model.predict(x_test[i:i + 32]))  # expect: PP433
# --- case: items of a generator
def collect(generator, steps):
    model = load_model("m.h5")
    out = []
    for _ in range(steps):
        x, _ = next(generator)
        out.append(model.predict(x))  # expect: PP433
    return out


collect(generator, 500)
# --- case: a comprehension over batches
model = load_model("m.h5")
features = [model.predict(batch) for batch in batches]  # expect: PP433
# --- case: batch_size does not help a batch
model = load_model("m.h5")
for batch in batches:
    features.append(model.predict(batch, batch_size=64))  # expect: PP433
# --- case: x by its name
model = load_model("m.h5")
for batch in batches:
    features.append(model.predict(x=batch))  # expect: PP433
# --- case: a model of several inputs
model = load_model("m.h5")
for left, right in pairs:
    distances.append(model.predict([left, right]))  # expect: PP433
# --- case: parts of an image, in a function that the program calls
unet = load_model("m.h5")


def segment(tiles):
    masks = []
    for tile in tiles:
        masks.append(unet.predict(tile))  # expect: PP433
    return masks


segment(tiles_of("a.tif"))
