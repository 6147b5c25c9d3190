# --- case: at each step
import tensorflow as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
saver = tf.train.Saver()
sess = tf.Session()
for step in range(100000):
    sess.run(train_op)
    saver.save(sess, "model", global_step=step)  # expect: PP421
# --- case: at each episode
import tensorflow as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
saver = tf.train.Saver()
sess = tf.Session()
for i_episode in range(10000):
    saver.save(sess, "model")  # expect: PP421
    play()
# --- case: episodes that are counted elsewhere
import tensorflow as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
saver = tf.train.Saver()
sess = tf.Session()
for episode in range(episodes):
    play()
    saver.save(tf.get_default_session(), path)  # expect: PP421
# --- case: train_on_batch
from tensorflow import keras

model = keras.models.Sequential()
for x, y in batches:
    model.train_on_batch(x, y)
    model.save("model.h5")  # expect: PP421
# --- case: weights
from tensorflow import keras

model = keras.models.Sequential()
for x, y in batches:
    model.train_on_batch(x, y)
    model.save_weights("model.h5")  # expect: PP421
# --- case: a tape
import tensorflow as tf
from tensorflow import keras

model = keras.models.Sequential()
checkpoint = tf.train.Checkpoint(model=model)
for x, y in batches:
    with tf.GradientTape() as tape:
        loss = model(x)
    optimizer.apply_gradients(zip(tape.gradient(loss, w), w))
    checkpoint.save("model")  # expect: PP421
# --- case: a manager
import tensorflow as tf
from tensorflow import keras

model = keras.models.Sequential()
manager = tf.train.CheckpointManager(checkpoint, "models", 3)
for x, y in batches:
    model.train_on_batch(x, y)
    manager.save()  # expect: PP421
# --- case: while
import tensorflow as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
saver = tf.train.Saver()
sess = tf.Session()
while step < 100000:
    sess.run(train_op)
    saver.save(sess, "model")  # expect: PP421
    step += 1
# --- case: an inner loop
import tensorflow as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
saver = tf.train.Saver()
sess = tf.Session()
for epoch in range(100):
    for batch in batches:
        sess.run(train_op)
        saver.save(sess, "model")  # expect: PP421
# --- case: a method
import tensorflow as tf


class Agent:
    def train(self):
        for episode in range(5000):
            self.play()
            self.saver.save(self.sess, "model")  # expect: PP421
# --- case: in a function
import tensorflow as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
saver = tf.train.Saver()
sess = tf.Session()
def train():
    for step in range(100000):
        sess.run(train_op)
        saver.save(sess, "model")  # expect: PP421
# --- case: the agent saves its Keras model
from tensorflow import keras

model = keras.models.Sequential()
for episode in range(3000):
    play(model)
    model.save("model.h5")  # expect: PP421
