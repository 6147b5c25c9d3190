"""Post 51228131: inference takes longer with every call.

classify() builds operations, and it is called for every image, so the default graph grows by one
network per image. Each run() must hand the new nodes to the session, which then searches a graph
that is larger than the last time. Built once, the same operations serve every image.
"""

import numpy as np
import tensorflow.compat.v1 as tf

import ppcase

tf.disable_v2_behavior()

IMAGES = 200
LAYERS = 4
WIDTH = 64

rng = np.random.default_rng(0)
images = rng.random((IMAGES, 1, WIDTH), dtype=np.float32)
weights = [tf.Variable(rng.normal(0, 0.2, (WIDTH, WIDTH)).astype(np.float32))
           for _ in range(LAYERS)]
image = tf.placeholder(tf.float32, [1, WIDTH])


def classify(inputs):
    for weight in weights:
        inputs = tf.nn.relu(inputs @ weight)
    return tf.argmax(tf.nn.softmax(inputs), axis=1)


with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    found = []
    with ppcase.work():
        best = classify(image)
        for one in ppcase.steps(images):
            found.append(session.run(best, {image: one}))

ppcase.digest(np.concatenate(found))
