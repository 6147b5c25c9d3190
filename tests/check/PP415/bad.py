import tensorflow as tf
# --- case: compile
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
model.compile(optimizer="adam", run_eagerly=True)  # expect: PP415
# --- case: positional arguments before it
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
model.compile("adam", "mse", run_eagerly=True)  # expect: PP415
# --- case: over several lines
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
model.compile(
    optimizer="adam",
    run_eagerly=True,  # expect: PP415
)
# --- case: a method
class Net(tf.keras.Model):
    def prepare(self):
        self.compile("adam", "mse", run_eagerly=True)  # expect: PP415
# --- case: a function that gives the model
def build():
    model = tf.keras.Sequential()
    model.compile("adam", run_eagerly=True)  # expect: PP415
    return model
# --- case: all functions
tf.config.run_functions_eagerly(True)  # expect: PP415
# --- case: all functions, by keyword
tf.config.run_functions_eagerly(run_eagerly=True)  # expect: PP415
# --- case: the old name
tf.config.experimental_run_functions_eagerly(True)  # expect: PP415
# --- whole: imported by name
from tensorflow import config

config.run_functions_eagerly(True)  # expect: PP415
# --- whole: compat.v2
import tensorflow.compat.v2 as tf

tf.config.run_functions_eagerly(True)  # expect: PP415
# --- whole: Keras alone
from keras.models import Sequential

model = Sequential()
model.compile("adam", run_eagerly=True)  # expect: PP415
# --- case: both
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
tf.config.run_functions_eagerly(True)  # expect: PP415
model.compile("adam", run_eagerly=True)  # expect: PP415
