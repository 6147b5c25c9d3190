# --- case: now and then
import tensorflow as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
saver = tf.train.Saver()
sess = tf.Session()
for step in range(100000):
    sess.run(train_op)
    if step % 1000 == 0:
        saver.save(sess, "model")
# --- case: each epoch
import tensorflow as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
saver = tf.train.Saver()
sess = tf.Session()
for epoch in range(100):
    for batch in batches:
        sess.run(train_op)
    saver.save(sess, "model")
# --- case: after the loop
import tensorflow as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
saver = tf.train.Saver()
sess = tf.Session()
for step in range(100000):
    sess.run(train_op)
saver.save(sess, "model")
# --- case: when it is the best
import tensorflow as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
saver = tf.train.Saver()
sess = tf.Session()
for episode in range(10000):
    if play() > best:
        saver.save(sess, "model")
# --- case: a few episodes
import tensorflow as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
saver = tf.train.Saver()
sess = tf.Session()
for episode in range(20):
    play()
    saver.save(sess, "model")
# --- case: a picture
import tensorflow as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
saver = tf.train.Saver()
sess = tf.Session()
for step in range(100000):
    sess.run(train_op)
    image.save("last.png")
# --- case: a figure
import tensorflow as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
saver = tf.train.Saver()
sess = tf.Session()
for step in range(100000):
    sess.run(train_op)
    figure.save(path)
# --- case: another model in each round
from tensorflow import keras

model = keras.models.Sequential()
for name in names:
    model.fit(x, y)
    model.save(name)
# --- case: converted, not trained
import tensorflow as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
saver = tf.train.Saver()
sess = tf.Session()
for path in paths:
    saver.restore(sess, path)
    saver.save(sess, path + ".new")
# --- case: at the end of training
import tensorflow as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
saver = tf.train.Saver()
sess = tf.Session()
for step in range(100000):
    sess.run(train_op)
    if step == last:
        saver.save(sess, "model")
        break
# --- case: every so often, by continue
import tensorflow as tf

train_op = tf.train.AdamOptimizer().minimize(loss)
saver = tf.train.Saver()
sess = tf.Session()
for step in range(100000):
    sess.run(train_op)
    if step % 100 != 0:
        continue
    saver.save(sess, "model")
# --- case: fit saves by itself
from tensorflow import keras

model = keras.models.Sequential()
model.fit(x, y, callbacks=[keras.callbacks.ModelCheckpoint("model.h5")])
