# --- case: one
import cv2
import numpy as np
import tensorflow as tf

image = cv2.imread(path)
# --- case: a few
import cv2
import numpy as np
import tensorflow as tf

images = []
for path in ["a", "b"]:
    images.append(cv2.imread(path))
# --- case: written, not kept
import cv2
import numpy as np
import tensorflow as tf

images = []
for path in paths:
    image = cv2.imread(path)
    cv2.imwrite("small/" + path, image)
# --- case: shown
import cv2
import numpy as np
import tensorflow as tf

images = []
for path in paths:
    image = cv2.imread(path)
    plt.imshow(image)
# --- case: between training steps: PP417
import cv2
import keras

model = keras.models.Sequential()
images = []
for path in paths:
    image = cv2.imread(path)
    images.append(image)
    model.train_on_batch(image, y)
# --- case: arrays
import cv2
import numpy as np
import tensorflow as tf

images = []
for path in paths:
    images.append(np.load(path))
# --- case: a camera
import cv2
import numpy as np
import tensorflow as tf

while True:
    images.append(cv2.imread(path))
# --- case: a pool
import cv2
import numpy as np
import tensorflow as tf

images = pool.map(cv2.imread, paths)
# --- case: now and then
import cv2
import numpy as np
import tensorflow as tf

images = []
for path in paths:
    if keep(path):
        images.append(cv2.imread(path))
# --- case: a data set
import cv2
import numpy as np
import tensorflow as tf

images = tf.data.Dataset.from_tensor_slices(paths).map(decode, num_parallel_calls=8)
# --- case: no framework
import cv2

images = []
for path in paths:
    images.append(cv2.imread(path))
# --- case: names only
import cv2
import numpy as np
import tensorflow as tf

images = []
for path in paths:
    images.append(path)
# --- case: predicted, not kept
import cv2
import numpy as np
import tensorflow as tf

images = []
for path in paths:
    image = cv2.imread(path)
    print(model.predict(image))
# --- case: a batch of a Sequence
import cv2
import keras


class Batches(keras.utils.Sequence):
    def __getitem__(self, i):
        images = []
        for path in self.paths[i * 32:(i + 1) * 32]:
            images.append(cv2.imread(path))
        return images
