import numpy as np
import tensorflow as tf
# --- case: as many steps as there are examples
EXAMPLES, BATCH = 3200, 32
STEPS = 3200
points = np.zeros((STEPS, 32))
dataset = tf.data.Dataset.from_tensor_slices((points, labels)).batch(BATCH).repeat()
model.fit(dataset, steps_per_epoch=STEPS)  # expect: PP308
# --- whole: the same by len() and by shape
import tensorflow as tf

dataset = tf.data.Dataset.from_tensor_slices((x_train, y_train)).shuffle(99).batch(64).repeat()
model.fit(dataset, epochs=3, steps_per_epoch=len(x_train))  # expect: PP308
model.fit(dataset, epochs=3, steps_per_epoch=y_train.shape[0])  # expect: PP308
# --- case: the number of rows as it is written
x = np.zeros((5000, 3))
ds = tf.data.Dataset.from_tensor_slices(x).batch(50)
model.fit(ds, steps_per_epoch=5000)  # expect: PP308
# --- case: shape[0]
ds = tf.data.Dataset.from_tensor_slices(points).shuffle(9).batch(32).repeat()
model.fit(ds, steps_per_epoch=points.shape[0])  # expect: PP308
# --- case: len of the labels
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
model.fit(ds, epochs=10, steps_per_epoch=len(y))  # expect: PP308
# --- case: mapped in between
ds = tf.data.Dataset.from_tensor_slices((x, y)).map(scale).batch(32).prefetch(1)
model.fit(ds, steps_per_epoch=len(x))  # expect: PP308
# --- case: a batch size with a name
BATCH = 64
ds = tf.data.Dataset.from_tensor_slices(x).batch(BATCH).repeat()
model.fit(ds, steps_per_epoch=len(x))  # expect: PP308
# --- case: the pipeline in the call
model.fit(tf.data.Dataset.from_tensor_slices(x).batch(9), steps_per_epoch=len(x))  # expect: PP308
# --- whole: import from
from tensorflow.data import Dataset
import tensorflow

ds = Dataset.from_tensor_slices((a, b)).batch(8)
model.fit(ds, steps_per_epoch=len(b))  # expect: PP308
# --- case: in a function, over rows of the module
rows = np.ones((700, 2))


def train():
    ds = tf.data.Dataset.from_tensor_slices(rows).batch(10)
    model.fit(ds, steps_per_epoch=len(rows))  # expect: PP308
# --- case: in a method
class Trainer:
    def train(self, x):
        ds = tf.data.Dataset.from_tensor_slices(x).batch(20)
        self.model.fit(ds, steps_per_epoch=len(x))  # expect: PP308
# --- case: validation beside it
ds = tf.data.Dataset.from_tensor_slices(x).batch(20)
model.fit(ds, validation_data=other, steps_per_epoch=len(x))  # expect: PP308
