"""PP302: the pipeline ends in prefetch.

The next batch is decoded while the step runs.
"""

import numpy as np
import tensorflow as tf

import ppcase

ITEMS, SIDE, BATCH, EPOCHS = 512, 64, 64, 4

rng = np.random.default_rng(302)
tf.keras.utils.set_random_seed(302)
smooth = np.cumsum(np.cumsum(rng.normal(size=(ITEMS, SIDE, SIDE, 3)), axis=1), axis=2)
smooth = (smooth - smooth.min()) / (smooth.max() - smooth.min()) * 255
photos = [tf.io.encode_png(photo).numpy() for photo in smooth.astype("uint8")]
labels = rng.integers(10, size=ITEMS)


def decode(photo, label):
    """A photo and its label."""
    image = tf.image.resize(tf.io.decode_png(photo, channels=3), (48, 48), antialias=True)
    return tf.image.adjust_contrast(image / 255, 1.2), label


data = tf.data.Dataset.from_tensor_slices((photos, labels)).map(decode, num_parallel_calls=tf.data.AUTOTUNE).batch(BATCH)
data = data.prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, activation="relu", input_shape=(48, 48, 3)),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10),
])
model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
start = model.get_weights()
for _ in ppcase.work():
    model.set_weights(start)
    model.fit(data, epochs=EPOCHS, verbose=0)
ppcase.digest(*model.get_weights())
