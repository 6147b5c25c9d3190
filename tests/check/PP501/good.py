import tensorflow as tf
# --- case: defaults of LSTM and GRU
from tensorflow.keras.layers import GRU, LSTM

a = LSTM(64, return_sequences=True, dropout=0.2)  # lacks: nothing is seen that alone keeps it off cuDNN's kernel
b = LSTM(64, activation="tanh", recurrent_activation="sigmoid", recurrent_dropout=0.0)
c = GRU(64, tf.nn.tanh, unroll=False, reset_after=True)
d = LSTM(64, activation=choice, recurrent_dropout=rate, **options)
# --- case: TF1 has other layers for it
sess = tf.Session()
x = tf.placeholder(tf.float32)
y = tf.keras.layers.LSTM(64, recurrent_dropout=0.2)(x)
# --- case: unrolled on purpose, Keras alone: only notes
layer = tf.keras.layers.LSTM(8, unroll=True)  # expect: PP501 low
# --- file: other.py
from keras.layers import LSTM

layer = LSTM(8, recurrent_dropout=0.5)  # expect: PP501 low
# --- case: cells that are stacked, or that have to be cells
from tensorflow.keras import layers

a = layers.RNN([layers.LSTMCell(8), layers.LSTMCell(8)])
b = layers.RNN(MyCell(8))
c = layers.RNN(layers.LSTMCell(8, recurrent_dropout=0.2))
d = layers.SimpleRNN(8, activation="relu")
# --- whole: another library's layers
import torch.nn as nn
from mylayers import LSTM, BatchNormalization, Dense

layer = nn.LSTM(8, 8, dropout=0.2)
x = BatchNormalization()(Dense(8)(x))
y = LSTM(8, recurrent_dropout=0.2)
# --- whole: in an example
x = 1
# --- file: examples/imdb.py
import tensorflow as tf

layer = tf.keras.layers.LSTM(64, recurrent_dropout=0.2)  # expect: PP501 low
# --- whole: layers of a usual size
from tensorflow.keras.layers import Conv2D, Dense, Embedding, Flatten, MaxPooling2D
from tensorflow.keras.models import Sequential

model = Sequential([
    Conv2D(32, 3, activation="relu", input_shape=(28, 28, 1)),
    MaxPooling2D(2),
    Flatten(),
    Dense(1024, activation="relu"),
    Dense(10, activation="softmax"),
])
words = Sequential([Embedding(20000, 128), Embedding(100, 100), Embedding(n_words, n_words)])
# --- whole: sizes that are not known, or given twice
from tensorflow.keras.layers import Conv2D, Dense, Flatten, Input, Reshape

SIZE = 64
SIZE = read_size()
x = Flatten()(Conv2D(32, 3)(Input(shape=(SIZE, SIZE, 3))))
x = Dense(4096)(x)
y = Flatten()(Input(shape=(None, None, 3)))
y = Dense(4096)(y)
z = Dense(4096)(Flatten()(backbone(Input(shape=(512, 512, 3)))))
w = Dense(4096)(Flatten()(Conv2D(8, 3, data_format="channels_first")(Input(shape=(3, 512, 512)))))
# --- whole: kernels that are wide and moved by more than one, or along one axis, only note if neither
from tensorflow.keras.layers import Conv2D

KERNEL = 15
a = Conv2D(96, 11, strides=4)
b = Conv2D(96, (1, 15))
c = Conv2D(64, 7, strides=2)
d = Conv2D(16, KERNEL, padding="same")  # expect: PP501 low
e = Conv2D(1, 17)
# --- whole: weights and results worth a note
import numpy as np
from tensorflow import keras

images = np.random.default_rng(0).random((16, 256, 256, 3))
images += 1.0
model = keras.Sequential([
    keras.layers.Conv2D(256, 3, padding="same"),  # expect: PP501 low
    keras.layers.MaxPooling2D(8),
    keras.layers.Conv2D(32, 3, padding="same"),
    keras.layers.Flatten(),
    keras.layers.Dense(1024),  # expect: PP501 low
])
model.fit(images, labels)
# --- whole: one-hot labels of many classes only note, of few or for another loss do not
from tensorflow import keras

CLASSES = 10000
y = keras.utils.to_categorical(labels, CLASSES)  # expect: PP501 low
z = keras.utils.to_categorical(labels, 10)
model.compile("sgd", "categorical_crossentropy")
# --- whole: one-hot labels for another loss
from tensorflow import keras

y = keras.utils.to_categorical(labels, 10000)
model.compile("sgd", "sparse_categorical_crossentropy")
# --- whole: numbers that are not what they look like, or not known
import numpy as np
import tensorflow as tf

SIZES = (6000, 10)
rows = np.zeros((6000, 4))
tf.keras.layers.Embedding(SIZES[1], 6000)
tf.keras.layers.Embedding(SIZES[2], 6000)
tf.keras.layers.Embedding(SIZES[-3], 6000)
tf.keras.layers.Embedding(SIZES[read()], 6000)
tf.keras.layers.Embedding(rows.shape[1], 6000)
tf.keras.layers.Embedding(6000 // 0, 6000)
tf.keras.layers.Embedding(6000 % 7000 % 11, 6000)
tf.keras.layers.Embedding(6000 + read(), 6000)
tf.keras.layers.Embedding(len(), 6000)
tf.keras.layers.Embedding(len(read()), 6000)
tf.keras.layers.Embedding(max(6000, 1), 6000)
tf.keras.layers.Embedding(-6000, -6000)
# --- whole: settings of which nobody knows what they are
from tensorflow.keras import layers


def build(args, unroll, bias):
    a = layers.LSTM(64, unroll=unroll, use_bias=bias)
    b = layers.GRU(64, unroll=args.unroll, reset_after=not bias)
    return a, b
