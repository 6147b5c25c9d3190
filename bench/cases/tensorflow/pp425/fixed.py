"""PP425: OpenCV resizes the photos.

INTER_AREA takes the mean of the points that fall together, in one pass.
"""

import cv2
import numpy as np
import tensorflow as tf

import ppcase

ITEMS, SIDE = 100, 256

rng = np.random.default_rng(425)
smooth = np.cumsum(np.cumsum(rng.normal(size=(ITEMS, SIDE, SIDE, 3)), axis=1), axis=2)
photos = ((smooth - smooth.min()) / (smooth.max() - smooth.min()) * 255).astype("uint8")
cv2.setNumThreads(1)
for _ in ppcase.work():
    images = []
    for photo in photos:
        images.append(cv2.resize(photo, (128, 128), interpolation=cv2.INTER_AREA) / 255.0)
    batch = tf.constant(np.array(images), tf.float32)
ppcase.digest(tf.reduce_mean(batch, axis=(1, 2)))
