import tensorflow as tf
from other import train

train(tf.data.TFRecordDataset("x").batch(4))
