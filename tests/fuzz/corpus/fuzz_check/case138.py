import keras
import tensorflow as tf

ds = keras.utils.image_dataset_from_directory("x")
ds = ds.map(lambda x, y: (tf.image.resize(x, [9, 9]), y), num_parallel_calls=2)  # expect: PP302
model.fit(ds)
