"""Post 49694836: a dataset pipeline that is slower than the queue pipeline it replaces.

The function given to map() runs once for every record. Parsing a short record takes less time
than calling the function does, so nearly all that is paid for is the call. Queue pipelines used to
collect raw records and parse a batch of them at once; so does a dataset whose batch() stands
before map().
"""

import os
import tempfile

import numpy as np
import tensorflow.compat.v1 as tf

import ppcase

tf.disable_v2_behavior()

RECORDS = 2000
EPOCHS = 15
BATCH = 100
FEATURES = {
    "pixels": tf.io.FixedLenFeature([16], tf.float32),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def write_records(path):
    pixels = np.random.default_rng(0).random((RECORDS, 16), dtype=np.float32)
    with tf.io.TFRecordWriter(path) as writer:
        for number, row in enumerate(pixels):
            features = tf.train.Features(feature={
                "pixels": tf.train.Feature(float_list=tf.train.FloatList(value=row)),
                "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[number % 10])),
            })
            writer.write(tf.train.Example(features=features).SerializeToString())


def batches(path):
    records = tf.data.TFRecordDataset(path).repeat(EPOCHS)
    examples = records.batch(BATCH).map(lambda some: tf.io.parse_example(some, FEATURES))
    return tf.data.make_initializable_iterator(examples)


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "train.tfrecord")
    write_records(path)
    iterator = batches(path)
    example = iterator.get_next()
    total = tf.reduce_sum(example["pixels"], axis=0), tf.reduce_sum(example["label"])
    with tf.Session() as session:
        for _ in ppcase.work():
            session.run(iterator.initializer)
            sums, labels = [], []
            for _ in range(RECORDS * EPOCHS // BATCH):
                pixel_sum, label_sum = session.run(total)
                sums.append(pixel_sum)
                labels.append(label_sum)

ppcase.digest(sums, labels)
