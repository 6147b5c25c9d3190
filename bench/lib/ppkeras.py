"""For cases that train: what a model was trained with, whatever its batches."""

import tensorflow as tf


class Consumed:
    """How many examples a model was trained with, the largest batch of them, and their mean: trainings
    that see each example as often as each other one have the same mean."""

    def __init__(self, shape):
        self.number = tf.Variable(0, dtype=tf.int64)
        self.batch = tf.Variable(0, dtype=tf.int64)
        self.total = tf.Variable(tf.zeros(shape, tf.float64))

    def add(self, examples):
        count = tf.shape(examples, tf.int64)[0]
        self.number.assign_add(count)
        self.batch.assign(tf.maximum(self.batch, count))
        self.total.assign_add(tf.reduce_sum(tf.cast(examples, tf.float64), axis=0))

    def forget(self):
        """For what comes before the part that is measured."""
        self.number.assign(0)
        self.batch.assign(0)
        self.total.assign(tf.zeros_like(self.total))

    def mean(self):
        """Of the examples; of none it is not a number."""
        return self.total.numpy() / self.number.numpy()


def watch(model, shape):
    """Keeps what the model is trained with from now on: examples of this shape. Call it before compile()."""
    consumed, step = Consumed(shape), model.train_step

    def train_step(data):
        consumed.add(data[0])
        return step(data)

    model.train_step = train_step
    return consumed
