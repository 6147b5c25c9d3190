import tensorflow as tf


class Agent:
    def __init__(self):
        self.state = tf.zeros([3])

    def step(self):
        self.state = self.state + 1

    def run(self, steps):
        for i in range(steps):
            self.step()
            print(tf.reduce_sum(self.state))
