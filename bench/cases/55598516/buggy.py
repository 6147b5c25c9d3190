"""Post 55598516: counting the examples in a TFRecord file.

A file of records has no table of contents, so they must be read to be counted; but nothing has to
be done in Python for each of them. reduce() counts inside the pipeline, a batch at a time, and
hands out one number.
"""

import os
import tempfile

import tensorflow as tf

import ppcase

RECORDS = 20000

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "train.tfrecord")
    with tf.io.TFRecordWriter(path) as writer:
        for number in range(RECORDS):
            writer.write(b"%060d" % number)

    records = tf.data.TFRecordDataset(path)
    for _ in ppcase.work():
        count = sum(1 for _ in records)

ppcase.digest(count)
