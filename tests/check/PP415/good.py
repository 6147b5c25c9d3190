# --- case: default
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
model.compile("adam", "mse")
# --- case: False
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
model.compile("adam", run_eagerly=False)
# --- case: an option
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
model.compile("adam", run_eagerly=args.debug)
# --- case: None
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
model.compile("adam", run_eagerly=None)
# --- case: switched off
import tensorflow as tf

tf.config.run_functions_eagerly(False)
# --- case: an option for all
import tensorflow as tf

tf.config.run_functions_eagerly(debug)
# --- case: a pattern
import tensorflow as tf

import re

re.compile("run_eagerly=True")
# --- case: compiled to XLA
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
model.compile("adam", jit_compile=True)
# --- case: another True
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
model.compile("adam", weighted_metrics=True)
# --- case: a function of the same name
import tensorflow as tf

from library import run_functions_eagerly

run_functions_eagerly(True)
# --- case: a test
# --- file: tests/test_model.py
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
model.compile("adam", run_eagerly=True)  # expect: PP415 low
# --- case: asked for
import tensorflow as tf

if tf.config.functions_run_eagerly():
    print("eager")
# --- case: a dictionary of options
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
options = {"run_eagerly": True}
model.compile("adam", **options)
