"""Post 64191241: no memory for a tensor of [3075200, 512].

32 planes of 310 x 310 make 3075200 numbers when they are flattened; a dense layer of 512 units has
as many weights for each unit, 6.3 GB in all. Pooling first leaves a small number of inputs,
as convolutional networks usually do.
"""

import numpy as np
import tensorflow as tf

import ppcase
import ppkeras

tf.keras.utils.set_random_seed(89)
SIDE = 312
pictures = np.random.default_rng(89).random((2, SIDE, SIDE, 1)).astype("float32")

with ppcase.work():
    model = tf.keras.Sequential([
        tf.keras.layers.Input((SIDE, SIDE, 1)),
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.MaxPooling2D(10),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(512, activation="relu"),
        tf.keras.layers.Dense(4, activation="softmax"),
    ])
    consumed = ppkeras.watch(model, (SIDE, SIDE, 1))
    model.compile(tf.keras.optimizers.SGD(0.01), "sparse_categorical_crossentropy")
    model.fit(pictures, np.arange(2), epochs=2, verbose=0)
# The models differ by the fix: compared is what they have in common, and what they were trained with.
answers = model.predict(pictures, verbose=0)
ppcase.digest(answers.shape, answers.sum(axis=1), (answers[0] != answers[1]).any(),
              consumed.number.numpy(), consumed.mean(),
              model.optimizer.iterations.numpy(), model.optimizer.learning_rate.numpy(),
              [layer.units for layer in model.layers if isinstance(layer, tf.keras.layers.Dense)],
              model.layers[0].get_weights()[0].shape)
