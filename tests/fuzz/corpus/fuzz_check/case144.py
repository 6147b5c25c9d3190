import tensorflow as tf

ds = tf.data.TFRecordDataset("x").batch(32)
ds = ds.prefetch(1)
model.fit(ds)
