import tensorflow as tf


class Model:
    def __init__(self):
        self.sess = tf.Session()
        self.logits = tf.placeholder(tf.float32)

    def step(self, data):
        return self.sess.run(tf.nn.softmax(self.logits), {self.logits: data})  # expect: PP103

    def train(self, data):
        for batch in data:
            self.step(batch)
