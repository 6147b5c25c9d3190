import numpy as np
import tensorflow as tf
# --- case: as many steps as there are batches
dataset = tf.data.Dataset.from_tensor_slices((x_train, y_train)).batch(64).repeat()
model.fit(dataset, steps_per_epoch=len(x_train) // 64)  # lacks: it is not known to be the number of examples
model.fit(dataset, steps_per_epoch=x_train.shape[0] / 64)
model.fit(dataset, steps_per_epoch=1000)
model.fit(dataset, steps_per_epoch=len(x_test))
one = tf.data.Dataset.from_tensor_slices((x_train, y_train)).batch(1).repeat()
model.fit(one, steps_per_epoch=len(x_train))
model.fit(generator, steps_per_epoch=len(x_train))
# --- case: divided by the size of a batch
ds = tf.data.Dataset.from_tensor_slices(x).batch(20).repeat()
model.fit(ds, steps_per_epoch=len(x) // 20)
# --- case: no steps given
model.fit(tf.data.Dataset.from_tensor_slices(x).batch(20))
# --- case: not batched
model.fit(tf.data.Dataset.from_tensor_slices(x), steps_per_epoch=len(x))
# --- case: batches of one
model.fit(tf.data.Dataset.from_tensor_slices(x).batch(1), steps_per_epoch=len(x))
# --- case: the length of something else
ds = tf.data.Dataset.from_tensor_slices(x).batch(20)
model.fit(ds, steps_per_epoch=len(files))
# --- case: another number
x = np.zeros((5000, 3))
ds = tf.data.Dataset.from_tensor_slices(x).batch(50)
model.fit(ds, steps_per_epoch=100)
# --- case: windows of the rows
ds = tf.data.Dataset.from_tensor_slices(x).window(5).flat_map(pack).batch(9)
model.fit(ds, steps_per_epoch=len(x))
# --- case: taken apart again
ds = tf.data.Dataset.from_tensor_slices(x).batch(20).unbatch()
model.fit(ds, steps_per_epoch=len(x))
# --- case: several files at a time
ds = tf.data.Dataset.from_tensor_slices(names).interleave(tf.data.TFRecordDataset).batch(9)
model.fit(ds, steps_per_epoch=len(names))
# --- case: arrays, not a data set
model.fit(x, y, batch_size=32, steps_per_epoch=len(x))
# --- case: records
ds = tf.data.TFRecordDataset(names).batch(32)
model.fit(ds, steps_per_epoch=len(names))
