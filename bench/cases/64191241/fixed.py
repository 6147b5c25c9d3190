"""Post 64191241: no memory for a tensor of [3075200, 512].

32 planes of 310 x 310 make 3075200 numbers when they are flattened; a dense layer of 512 units has
as many weights for each unit, 6.3 GB in all. Pooling first leaves a small number of inputs,
as convolutional networks usually do.
"""

import numpy as np
import tensorflow as tf

import ppcase

tf.keras.utils.set_random_seed(89)
picture = np.random.default_rng(89).random((1, 312, 312, 1)).astype("float32")

with ppcase.work():
    model = tf.keras.Sequential([
        tf.keras.layers.Input((312, 312, 1)),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(10),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(512, activation="relu"),
        tf.keras.layers.Dense(4, activation="softmax"),
    ])
    answer = model(picture).numpy()
ppcase.digest([answer.size, round(float(answer.sum()), 3)])
