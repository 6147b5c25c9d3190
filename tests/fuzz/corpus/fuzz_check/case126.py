import tensorflow as tf


class Table:
    def map(self, f):
        return [f(x) for x in self.rows]


dataset = Table()
rows = dataset.map(lambda x: tf.square(x))
