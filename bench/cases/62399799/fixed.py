"""Post 62399799: what works in the parent does not in its subprocess.

fork() copies the parent's memory, but neither its context on a device nor its threads. The worker
believes that the runtime is set up: with a GPU it cannot use the device, and on a CPU it hands its
work to threads that do not exist in it, and waits for ever. A spawned worker begins afresh.
"""

import multiprocessing

import numpy as np
import tensorflow as tf

import ppcase

SIDE = 600


def energy(matrix):
    """A product large enough to be shared out among threads."""
    return tf.reduce_mean(tf.square(tf.matmul(matrix, matrix)))


def result(seed):
    """What parent and worker both compute."""
    matrix = np.random.default_rng(seed).normal(size=(SIDE, SIDE)).astype("float32")
    return float(energy(tf.constant(matrix)))


def work(seed, pipe):
    """The worker's part."""
    pipe.send(result(seed))


def main():
    """Use TensorFlow here first, then in a worker."""
    context = multiprocessing.get_context("spawn")
    with ppcase.work():
        first = result(37)
        here, there = context.Pipe()
        worker = context.Process(target=work, args=(38, there), daemon=True)
        worker.start()
        second = here.recv()
        worker.join()
    ppcase.digest([first, second])


if __name__ == "__main__":
    main()
