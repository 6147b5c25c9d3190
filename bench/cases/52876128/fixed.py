"""Post 52876128: training slows down because parameters are copied between two networks.

assign() does not copy anything: it adds an operation to the graph, which copies when it is run.
Called at every step it makes the graph grow without end, and a grown graph has to be looked
through anew by each run(). The list of operations made before the loop can be run every time.
"""

import numpy as np
import tensorflow.compat.v1 as tf

import ppcase

tf.disable_v2_behavior()

STEPS = 80
LAYERS = 6
WIDTH = 32


def network(inputs, seed):
    rng = np.random.default_rng(seed)
    weights = [tf.Variable(rng.normal(0, 0.2, (WIDTH, WIDTH)).astype(np.float32))
               for _ in range(LAYERS)]
    for weight in weights:
        inputs = tf.tanh(inputs @ weight)
    return inputs, weights


states = np.random.default_rng(1).normal(size=(STEPS, 16, WIDTH)).astype(np.float32)
state = tf.placeholder(tf.float32, [None, WIDTH])
online, online_weights = network(state, seed=2)
target, target_weights = network(state, seed=3)
loss = tf.reduce_mean(tf.square(online - 0.9 * tf.stop_gradient(target)))
train = tf.train.GradientDescentOptimizer(0.05).minimize(loss, var_list=online_weights)

with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    losses = []
    with ppcase.work():
        copy = [to.assign(of) for to, of in zip(target_weights, online_weights)]
        for batch in states:
            losses.append(session.run([loss, train], {state: batch})[0])
            session.run(copy)

    ppcase.digest(losses, *session.run(online_weights + target_weights))
