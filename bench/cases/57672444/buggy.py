"""Post 57672444: Session.run() gets slower from call to call.

Each image is given to functions of tf.image, which put it into the graph as a constant and build
operations behind it. By the hundredth image the graph holds a hundred images and as many copies of
the operations. With a placeholder in front, one copy prepares them all.
"""

import numpy as np
import tensorflow.compat.v1 as tf

import ppcase

tf.disable_v2_behavior()

IMAGES = 100
SIZE = 32

images = np.random.default_rng(0).random((IMAGES, SIZE, SIZE, 3), dtype=np.float32)


def prepare(image):
    image = tf.image.central_crop(image, 0.75)
    image = tf.image.adjust_contrast(tf.image.flip_left_right(image), 1.2)
    return tf.image.per_image_standardization(tf.image.resize(image, [16, 16]))


prepared = []
with tf.Session() as session, ppcase.work():
    for image in ppcase.steps(images):
        prepared.append(session.run(prepare(image)))

ppcase.digest(prepared)
