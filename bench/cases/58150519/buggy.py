"""Post 58150519: no memory left for a tensor.

The buffer of prefetch() counts what goes through it, and after batch() these are batches. A buffer of
hundreds holds more or less the whole data set, decoded, while the model still trains on its first
batches. Two batches are enough to prepare one while another is trained on.
"""

import tensorflow as tf

import ppcase

STEPS = 240
BATCH = 32
SIDE = 96

tf.keras.utils.set_random_seed(0)


def picture(number):
    """A picture of floating-point numbers, and whether it is bright."""
    seed = tf.stack([number, 7])
    noise = tf.random.stateless_uniform((SIDE // 8, SIDE // 8, 3), seed)
    return tf.repeat(tf.repeat(noise, 8, axis=0), 8, axis=1), tf.cast(tf.reduce_mean(noise) > 0.5, tf.int32)


data = tf.data.Dataset.range(STEPS * BATCH).map(picture, num_parallel_calls=2)
data = data.batch(BATCH).prefetch(STEPS)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(8, 5, activation="relu", input_shape=(SIDE, SIDE, 3)),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(2, activation="softmax"),
])
model.compile(tf.keras.optimizers.SGD(0.5), "sparse_categorical_crossentropy")

with ppcase.work():
    history = model.fit(data, verbose=0)

ppcase.digest(int(model.optimizer.iterations.numpy()), history.history["loss"], *model.get_weights())
