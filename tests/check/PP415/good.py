import tensorflow as tf
# --- case: default
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
model.compile("adam", "mse")
# --- case: False
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
model.compile("adam", run_eagerly=False)
# --- case: an option
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
model.compile("adam", run_eagerly=args.debug)
# --- case: None
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
model.compile("adam", run_eagerly=None)
# --- case: switched off
tf.config.run_functions_eagerly(False)
# --- case: an option for all
tf.config.run_functions_eagerly(debug)
# --- case: a pattern
import re

re.compile("run_eagerly=True")
# --- case: compiled to XLA
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
model.compile("adam", jit_compile=True)
# --- case: another True
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
model.compile("adam", weighted_metrics=True)
# --- case: a function of the same name
from library import run_functions_eagerly

run_functions_eagerly(True)
# --- whole: a test
# --- file: tests/test_model.py
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
model.compile("adam", run_eagerly=True)  # expect: PP415 low
# --- case: asked for
if tf.config.functions_run_eagerly():
    print("eager")
# --- case: a dictionary of options
model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
options = {"run_eagerly": True}
model.compile("adam", **options)
