import cv2
import numpy as np
import tensorflow as tf
# --- case: one
image = cv2.imread(path)
# --- case: a few
images = []
for path in ["a", "b"]:
    images.append(cv2.imread(path))
# --- case: written, not kept
images = []
for path in paths:
    image = cv2.imread(path)
    cv2.imwrite("small/" + path, image)
# --- case: shown
images = []
for path in paths:
    image = cv2.imread(path)
    plt.imshow(image)
# --- whole: between training steps: PP417
import cv2
import keras

model = keras.models.Sequential()
images = []
for path in paths:
    image = cv2.imread(path)
    images.append(image)
    model.train_on_batch(image, y)
# --- case: arrays
images = []
for path in paths:
    images.append(np.load(path))
# --- case: a camera
while True:
    images.append(cv2.imread(path))
# --- case: a pool
images = pool.map(cv2.imread, paths)
# --- case: now and then
images = []
for path in paths:
    if keep(path):
        images.append(cv2.imread(path))
# --- case: a data set
images = tf.data.Dataset.from_tensor_slices(paths).map(decode, num_parallel_calls=8)
# --- whole: no framework
import cv2

images = []
for path in paths:
    images.append(cv2.imread(path))
# --- case: names only
images = []
for path in paths:
    images.append(path)
# --- case: predicted, not kept
images = []
for path in paths:
    image = cv2.imread(path)
    print(model.predict(image))
# --- whole: a batch of a Sequence
import cv2
import keras


class Batches(keras.utils.Sequence):
    def __getitem__(self, i):
        images = []
        for path in self.paths[i * 32:(i + 1) * 32]:
            images.append(cv2.imread(path))
        return images
