"""PP425: skimage.transform resizes the photos.

It computes in 64 bits, smooths each photo first, and goes through a general interpolation.
"""

import cv2
import numpy as np
from skimage.transform import resize
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
        images.append(resize(photo, (128, 128), anti_aliasing=True))
    batch = tf.constant(np.array(images), tf.float32)
ppcase.digest(tf.reduce_mean(batch, axis=(1, 2)))
