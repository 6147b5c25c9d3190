"""Post 63875039: sampling seems never to end.

A Hamiltonian sampler takes, for each sample, a number of leapfrog steps with a gradient each. Run
eagerly, every operation of every step goes through Python, and the chain takes minutes or hours.
The same function under tf.function is one graph with a loop in it.
"""

import tensorflow as tf

import ppcase

SAMPLES, LEAPS, STEP = 120, 8, 0.35


def slope(place):
    """Gradient of the log density, a normal distribution in four dimensions, by the tape."""
    with tf.GradientTape() as tape:
        tape.watch(place)
        density = -0.5 * tf.reduce_sum(tf.square(place), axis=-1)
    return tape.gradient(density, place)


def proposal(place, impulse):
    """Where the leapfrog steps lead."""
    for _ in tf.range(LEAPS):
        impulse += 0.5 * STEP * slope(place)
        place += STEP * impulse
        impulse += 0.5 * STEP * slope(place)
    return place, impulse


@tf.function
def sample(place, seed):
    """SAMPLES states of 50 chains that begin at `place`."""
    states = tf.TensorArray(tf.float32, SAMPLES)
    for i in tf.range(SAMPLES):
        impulse = tf.random.stateless_normal(tf.shape(place), [seed, i])
        goal, end = proposal(place, impulse)
        gain = 0.5 * tf.reduce_sum(place ** 2 + impulse ** 2 - goal ** 2 - end ** 2, axis=-1)
        chance = tf.random.stateless_uniform(tf.shape(gain), [seed + 1, i])
        place = tf.where((tf.math.log(chance) < gain)[:, tf.newaxis], goal, place)
        states = states.write(i, place)
    return states.stack()


for _ in ppcase.work():
    chain = sample(tf.zeros([50, 4]), 83).numpy()
ppcase.digest(chain[:2], chain.shape, [1 + chain.mean(), chain.var(), (chain ** 4).mean()])
