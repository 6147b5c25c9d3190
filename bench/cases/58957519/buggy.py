"""Post 58957519: fit() hangs while it waits for the result of a worker process.

With use_multiprocessing, fit() forks its workers and takes batches from a pool's AsyncResult. A
forked child has the memory of its parent, but none of its threads: an operation of TensorFlow that
was started before waits there for a thread pool without threads. The result never comes, and get()
has no time limit. The post met such a wait in an old release; threads do not fork.
"""

import numpy as np
import tensorflow as tf

import ppcase

BATCHES = 8
BATCH = 16
SIZE = 64
WORKERS = 2


@tf.function
def shrink(images):
    return tf.image.per_image_standardization(tf.image.resize(images, [32, 32]))


class Batches(tf.keras.utils.Sequence):
    def __len__(self):
        return BATCHES

    def __getitem__(self, index):
        images = np.random.default_rng(index).random((BATCH, SIZE, SIZE, 3), dtype=np.float32)
        return shrink(images).numpy(), np.arange(BATCH) % 2


tf.keras.utils.set_random_seed(0)
model = tf.keras.Sequential([
    tf.keras.layers.Flatten(input_shape=(32, 32, 3)),
    tf.keras.layers.Dense(1),
])
model.compile("sgd", tf.keras.losses.BinaryCrossentropy(from_logits=True))

with ppcase.work():
    history = model.fit(Batches(), shuffle=False, workers=WORKERS, use_multiprocessing=True,
                        verbose=0)

ppcase.digest(history.history["loss"], *model.get_weights())
