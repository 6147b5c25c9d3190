import tensorflow as tf

ds = tf.data.Dataset.range(100000)
ds = ds.map(lambda x: x * x).batch(int(size))  # expect: PP201 note
