import tensorflow as tf


def run(files, train_step):
    data = tf.data.TFRecordDataset(files).batch(8)  # expect: PP302
    for i, batch in enumerate(data):
        train_step(batch)
