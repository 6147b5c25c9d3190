import tensorflow as tf
# --- case: recurrent dropout
model = tf.keras.Sequential([tf.keras.layers.LSTM(64, recurrent_dropout=0.2)])  # expect: PP501
# --- whole: another activation
from tensorflow.keras.layers import LSTM, Dense
from tensorflow.keras.models import Sequential

model = Sequential()
model.add(LSTM(50, activation="relu", input_shape=(3, 1)))  # expect: PP501
model.add(Dense(1))
# --- whole: an activation by position
from tensorflow.keras import layers

x = layers.GRU(32, "sigmoid", return_sequences=True)(x)  # expect: PP501
# --- whole: hard_sigmoid
import tensorflow.keras as keras

layer = keras.layers.LSTM(8, recurrent_activation="hard_sigmoid")  # expect: PP501
# --- case: the gate's order of GRU
from tensorflow.keras.layers import GRU, Bidirectional

layer = Bidirectional(GRU(units=16, reset_after=False))  # expect: PP501
# --- whole: no bias
import tensorflow.compat.v2 as tf

layer = tf.keras.layers.LSTM(128, use_bias=False, name="decoder")  # expect: PP501
# --- case: a cell in RNN
encoder = tf.keras.layers.RNN(tf.keras.layers.LSTMCell(256), return_state=True)  # expect: PP501
# --- case: a function of tf.nn, a constant of the module
from tensorflow.keras.layers import LSTM

DROP = 0.3


class Tagger(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.a = LSTM(64, activation=tf.nn.relu)  # expect: PP501
        self.b = LSTM(64, dropout=DROP, recurrent_dropout=DROP)  # expect: PP501
# --- case: an embedding as wide as its vocabulary
WORDS = 20000
WIDTH = WORDS
model = tf.keras.Sequential([
    tf.keras.layers.Embedding(WORDS, WIDTH),  # expect: PP501
    tf.keras.layers.GlobalAveragePooling1D(),
])
other = tf.keras.layers.Embedding(input_dim=5000, output_dim=5000)  # expect: PP501
# --- whole: a dense layer behind the flattened image
from tensorflow import keras

model = keras.Sequential([
    keras.layers.Input((312, 312, 1)),
    keras.layers.Conv2D(32, 3, activation="relu"),
    keras.layers.Flatten(),
    keras.layers.Dense(512, activation="relu"),  # expect: PP501
    keras.layers.Dense(4),
])
# --- whole: the same by add() and by calls
from tensorflow.keras.layers import Conv2D, Dense, Flatten, Input, MaxPooling2D
from tensorflow.keras.models import Sequential

SIZE = 512
model = Sequential()
model.add(Conv2D(64, (3, 3), padding="same", input_shape=(SIZE, SIZE, 3)))  # expect: PP501 low
model.add(MaxPooling2D((2, 2)))
model.add(Flatten())
model.add(Dense(128))  # expect: PP501

inputs = Input(shape=(224, 224, 3))
x = Conv2D(16, 3, strides=2, padding="same")(inputs)
x = Flatten()(x)
x = Dense(256)(x)  # expect: PP501 low
x = Dense(2048)(x)
# --- case: dropout of the state, in a model that is trained
model = tf.keras.Sequential([tf.keras.layers.GRU(8, recurrent_dropout=0.4), tf.keras.layers.Dense(1)])  # expect: PP501
model.compile("adam", "mse")
model.fit(texts, marks, epochs=4)
# --- whole: numbers that are computed
import numpy as np
import tensorflow as tf

SIZES = (6000, 10)
rows = np.zeros((6000, 4))
tf.keras.layers.Embedding(2000 * 3, 6000)  # expect: PP501
tf.keras.layers.Embedding(7000 - 1000, (5000 + 1000))  # expect: PP501
tf.keras.layers.Embedding(12001 // 2, 6000)  # expect: PP501
tf.keras.layers.Embedding(SIZES[0], 6000)  # expect: PP501
tf.keras.layers.Embedding(SIZES[-2], 6000)  # expect: PP501
tf.keras.layers.Embedding(rows.shape[0], 6000)  # expect: PP501
tf.keras.layers.Embedding(len(rows), int(6000))  # expect: PP501
