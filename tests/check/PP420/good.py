import numpy as np
from tensorflow import keras
# --- case: items that do not depend on one another
model = keras.models.load_model("lm.h5")
for image in batches:
    print(model.predict(image))  # lacks: it is not seen to be predict() of a Keras model on what it gave in an earlier round
# --- case: a game
model = keras.models.load_model("lm.h5")
while not end:
    action = np.argmax(model.predict(state))
    state, reward, end, info = env.step(action)
# --- case: a camera
model = keras.models.load_model("lm.h5")
while True:
    ok, frame = video.read()
    frame = model.predict(frame)
# --- case: the model is called
model = keras.models.load_model("lm.h5")
for i in range(200):
    token = np.argmax(model(np.array([[token]]), training=False))
# --- case: predict_on_batch
model = keras.models.load_model("lm.h5")
for i in range(200):
    token = np.argmax(model.predict_on_batch(np.array([[token]])))
# --- case: a handful
model = keras.models.load_model("lm.h5")
for i in range(5):
    token = np.argmax(model.predict(np.array([[token]])))
# --- case: it trains
model = keras.models.load_model("lm.h5")
for i in range(500):
    target = model.predict(target)
    model.fit(x, target)
# --- whole: another library
import numpy as np
from sklearn.svm import SVR

model = SVR()
for i in range(500):
    x = model.predict(x)
# --- whole: the places of another array
import numpy as np
import tensorflow.compat.v1 as tf

sess = tf.Session()
done = np.zeros((8, 200), np.int32)
found = np.zeros((8, 200))
for j in range(200):
    given = sess.run(prediction, {x: texts[j]})
    found[:, j] = given[:, j]
# --- whole: all places are kept
import numpy as np
import tensorflow.compat.v1 as tf

sess = tf.Session()
done = np.zeros((8, 200), np.int32)
for j in range(200):
    given = sess.run(prediction, {x: texts, y: done})
    done[:] = given
# --- whole: after the loop
import numpy as np
import tensorflow.compat.v1 as tf

sess = tf.Session()
done = np.zeros((8, 200), np.int32)
for j in range(200):
    done[:, j] = first[:, j]
given = sess.run(prediction, {x: texts, y: done})
# --- case: the answer ends the loop
model = keras.models.load_model("lm.h5")
for batch in batches:
    if model.predict(batch).mean() > 0.5:
        break
# --- case: an image that is shown
model = keras.models.load_model("lm.h5")
image = start
for i in range(500):
    image = model.predict(image)
    plt.imshow(image[0])
# --- case: the answer of another model, and an object between the two
proposer = keras.models.load_model("rpn.h5")
classifier = keras.models.load_model("head.h5")


class Detector:
    def __init__(self, decoder):
        self.decoder = decoder

    def measure(self, image, n):
        for _ in range(n):
            boxes = self.decoder.propose(proposer.predict(image))
            scores = classifier.predict(boxes)
            self.decoder.finish(scores, boxes)


Detector(decoder).measure(image, 1000)
