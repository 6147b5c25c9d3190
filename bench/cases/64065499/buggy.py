"""Post 64065499: from a range of numbers to coordinates.

A mapped function divides each number by the strides of the grid in turn. tf.unravel_index does so
for any number of indices in a single operation.
"""

import tensorflow as tf

import ppcase

GRID = (40, 30, 25)

numbers = tf.range(GRID[0] * GRID[1] * GRID[2])


def coordinates(number):
    """The place of one number in the grid."""
    plane, rest = number // (GRID[1] * GRID[2]), number % (GRID[1] * GRID[2])
    return tf.stack([plane, rest // GRID[2], rest % GRID[2]])


@tf.function
def all_coordinates(indices):
    return tf.map_fn(coordinates, indices)


for _ in ppcase.work():
    places = []
    for _ in range(6):
        places += [all_coordinates(numbers)]
    result = tf.stack(places).numpy()
ppcase.digest(result)
