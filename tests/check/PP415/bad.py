# --- case: compile
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
model.compile(optimizer="adam", run_eagerly=True)  # expect: PP415
# --- case: positional arguments before it
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
model.compile("adam", "mse", run_eagerly=True)  # expect: PP415
# --- case: over several lines
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
model.compile(
    optimizer="adam",
    run_eagerly=True,  # expect: PP415
)
# --- case: a method
import tensorflow as tf


class Net(tf.keras.Model):
    def prepare(self):
        self.compile("adam", "mse", run_eagerly=True)  # expect: PP415
# --- case: a function that gives the model
import tensorflow as tf


def build():
    model = tf.keras.Sequential()
    model.compile("adam", run_eagerly=True)  # expect: PP415
    return model
# --- case: all functions
import tensorflow as tf

tf.config.run_functions_eagerly(True)  # expect: PP415
# --- case: all functions, by keyword
import tensorflow as tf

tf.config.run_functions_eagerly(run_eagerly=True)  # expect: PP415
# --- case: the old name
import tensorflow as tf

tf.config.experimental_run_functions_eagerly(True)  # expect: PP415
# --- case: imported by name
from tensorflow import config

config.run_functions_eagerly(True)  # expect: PP415
# --- case: compat.v2
import tensorflow.compat.v2 as tf

tf.config.run_functions_eagerly(True)  # expect: PP415
# --- case: Keras alone
from keras.models import Sequential

model = Sequential()
model.compile("adam", run_eagerly=True)  # expect: PP415
# --- case: both
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
tf.config.run_functions_eagerly(True)  # expect: PP415
model.compile("adam", run_eagerly=True)  # expect: PP415
