import numpy as np
from tensorflow import keras
# --- case: text, token by token
model = keras.models.load_model("lm.h5")
tokens = [1]
for i in range(200):
    p = model.predict(np.array([tokens]))  # expect: PP420
    tokens.append(int(np.argmax(p)))
# --- case: a window that moves
model = keras.models.load_model("lm.h5")
window = history[-24:]
for t in range(1000):
    y = model.predict(window.reshape(1, 24, 1))  # expect: PP420
    window = np.append(window[1:], y)
# --- case: by element
model = keras.models.load_model("lm.h5")
target = np.zeros((1, 1, 10))
for t in range(1000):
    out = model.predict(target)  # expect: PP420
    target[0, 0, np.argmax(out)] = 1.0
# --- case: while
model = keras.models.load_model("lm.h5")
token = 1
while token != 2:
    p = model.predict(np.array([[token]]))  # expect: PP420
    token = int(np.argmax(p))
# --- case: in a function of a program
model = keras.models.load_model("lm.h5")
def follow(tokens):
    for i in range(200):
        p = model.predict(np.array([tokens]))  # expect: PP420
        tokens.append(int(np.argmax(p)))


follow([1])
# --- whole: states go round
import numpy as np
from keras.models import Model

decoder = Model(inputs, outputs)
states = encode(text)
while True:
    token, h, c = decoder.predict([token] + states)  # expect: PP420
    states = [h, c]
    if token == end:
        break
# --- whole: one place of a whole sequence
import numpy as np
import tensorflow.compat.v1 as tf

sess = tf.Session()
done = np.zeros((8, 200), np.int32)
for j in range(200):
    given = sess.run(prediction, {x: texts, y: done})  # expect: PP420
    done[:, j] = given[:, j]
# --- whole: three axes
import numpy as np
import tensorflow.compat.v1 as tf

sess = tf.Session()
done = np.zeros((8, 200), np.int32)
for j in range(200):
    given = sess.run(g.y_hat, {g.x: texts, g.y: done})  # expect: PP420
    done[:, j, :] = given[:, j, :]
# --- whole: in place
import numpy as np
import tensorflow.compat.v1 as tf

sess = tf.Session()
done = np.zeros((8, 200), np.int32)
for j in range(200):
    done[:, j] = sess.run(prediction, {x: texts, y: done})[:, j]  # expect: PP420
# --- whole: by keyword
import numpy as np
import tensorflow.compat.v1 as tf

sess = tf.Session()
done = np.zeros((8, 200), np.int32)
for j in range(200):
    given = sess.run(prediction, feed_dict={x: texts, y: done})  # expect: PP420
    done[:, j] = given[:, j]
# --- whole: as long as another array
import numpy as np
import tensorflow.compat.v1 as tf

sess = tf.Session()
done = np.zeros((8, 200), np.int32)
for j in range(texts.shape[1]):
    given = sess.run(prediction, {x: texts, y: done})  # expect: PP420
    done[:, j] = given[:, j]
# --- case: a Keras model
model = keras.models.load_model("lm.h5")
done = np.zeros((8, 200))
for j in range(200):
    given = model.predict([texts, done])  # expect: PP420
    done[:, j] = given[:, j]
# --- whole: a model that is called
import numpy as np
import tensorflow as tf
from tensorflow import keras

model = keras.models.load_model("lm.h5")
done = np.zeros((8, 200))
for j in range(200):
    given = model(done, training=False)  # expect: PP420
    done[:, j] = given[:, j]
