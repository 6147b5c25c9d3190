import numpy as np
import tensorflow as tf


def f(data):
    for row in data:
        print(np.zeros(3), row)
