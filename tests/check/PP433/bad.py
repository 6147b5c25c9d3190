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
# --- case: slices of an array, to train with
model = load_model("m.h5")
for i in range(0, len(x_train), 32):
    critic.train_on_batch(model.predict(x_train[i:i + 32]), zeros)  # expect: PP433
# --- case: items of a generator, to train with
def feed(generator, critic, steps):
    model = load_model("m.h5")
    for _ in range(steps):
        x, _ = next(generator)
        fakes = model.predict(x)  # expect: PP433
        critic.train_on_batch(fakes, zeros)


feed(batches(), build(), 500)
# --- case: batch_size does not help a batch that is trained with
model = load_model("m.h5")
for batch in batches:
    critic.train_on_batch(model.predict(batch, batch_size=64), zeros)  # expect: PP433
# --- case: x by its name, beside training
model = load_model("m.h5")
for batch in batches:
    fakes = model.predict(x=batch)  # expect: PP433
    critic.train_on_batch(fakes, zeros)
# --- case: a model of several inputs, beside training
model = load_model("m.h5")
for left, right in pairs:
    critic.train_on_batch(model.predict([left, right]), zeros)  # expect: PP433
# --- case: a loss of batches, by a tape
import tensorflow as tf

model = load_model("m.h5")
for images, labels in batches:
    teacher = model.predict(images)  # expect: PP433
    with tf.GradientTape() as tape:
        loss = distance(student(images), teacher)
    optimizer.apply_gradients(zip(tape.gradient(loss, student.weights), student.weights))
# --- case: another model's train_on_batch() before it
model = load_model("m.h5")
for images, labels in batches:
    critic.train_on_batch(images, labels)
    scores.append(model.predict(images))  # expect: PP433
# --- case: two epochs of batches
model = load_model("m.h5")
for epoch in range(100):
    for images, labels in batches:
        fakes = model.predict(labels)  # expect: PP433
        critic.train_on_batch(fakes, zeros)
