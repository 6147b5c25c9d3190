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
# --- whole: layers of all kinds
import tensorflow as tf
from tensorflow.keras import layers

RATE = 0.3
UNROLL = True
WIDE = 60000
K = 25
VOCAB = 3000000
cell = layers.LSTMCell(64, activation="relu")


class Own(layers.Layer):
    pass


def build(options, shape):
    a0 = layers.LSTM(64)
    a1 = layers.LSTM(64, activation="relu")  # expect: PP501
    a2 = layers.LSTM(64, recurrent_dropout=0.2)  # expect: PP501
    a3 = layers.LSTM(64, recurrent_dropout=0)
    a4 = layers.LSTM(64, recurrent_dropout=RATE)  # expect: PP501
    a5 = layers.LSTM(64, unroll=True)  # expect: PP501 low
    a6 = layers.LSTM(64, unroll=UNROLL)  # expect: PP501 low
    a7 = layers.LSTM(64, use_bias=False)  # expect: PP501
    a8 = layers.LSTM(64, reset_after=False)
    a9 = layers.LSTM(64, recurrent_activation="hard_sigmoid")  # expect: PP501
    a10 = layers.LSTM(64, implementation=1)
    a11 = layers.LSTM(64, **options)
    a12 = layers.GRU(64)
    a13 = layers.GRU(64, activation="relu")  # expect: PP501
    a14 = layers.GRU(64, recurrent_dropout=0.2)  # expect: PP501
    a15 = layers.GRU(64, recurrent_dropout=0)
    a16 = layers.GRU(64, recurrent_dropout=RATE)  # expect: PP501
    a17 = layers.GRU(64, unroll=True)  # expect: PP501 low
    a18 = layers.GRU(64, unroll=UNROLL)  # expect: PP501 low
    a19 = layers.GRU(64, use_bias=False)  # expect: PP501
    a20 = layers.GRU(64, reset_after=False)  # expect: PP501
    a21 = layers.GRU(64, recurrent_activation="hard_sigmoid")  # expect: PP501
    a22 = layers.GRU(64, implementation=1)
    a23 = layers.GRU(64, **options)
    a24 = layers.SimpleRNN(64)
    a25 = layers.SimpleRNN(64, activation="relu")
    a26 = layers.SimpleRNN(64, recurrent_dropout=0.2)
    a27 = layers.SimpleRNN(64, recurrent_dropout=0)
    a28 = layers.SimpleRNN(64, recurrent_dropout=RATE)
    a29 = layers.SimpleRNN(64, unroll=True)
    a30 = layers.SimpleRNN(64, unroll=UNROLL)
    a31 = layers.SimpleRNN(64, use_bias=False)
    a32 = layers.SimpleRNN(64, reset_after=False)
    a33 = layers.SimpleRNN(64, recurrent_activation="hard_sigmoid")
    a34 = layers.SimpleRNN(64, implementation=1)
    a35 = layers.SimpleRNN(64, **options)
    a36 = layers.CuDNNLSTM(64)
    a37 = layers.CuDNNLSTM(64, activation="relu")
    a38 = layers.CuDNNLSTM(64, recurrent_dropout=0.2)
    a39 = layers.CuDNNLSTM(64, recurrent_dropout=0)
    a40 = layers.CuDNNLSTM(64, recurrent_dropout=RATE)
    a41 = layers.CuDNNLSTM(64, unroll=True)
    a42 = layers.CuDNNLSTM(64, unroll=UNROLL)
    a43 = layers.CuDNNLSTM(64, use_bias=False)
    a44 = layers.CuDNNLSTM(64, reset_after=False)
    a45 = layers.CuDNNLSTM(64, recurrent_activation="hard_sigmoid")
    a46 = layers.CuDNNLSTM(64, implementation=1)
    a47 = layers.CuDNNLSTM(64, **options)
    a48 = layers.RNN(layers.LSTMCell(64))  # expect: PP501
    a49 = layers.RNN(layers.GRUCell(64))  # expect: PP501
    a50 = layers.RNN(layers.StackedRNNCells([layers.LSTMCell(64)]))
    a51 = layers.RNN(cell)
    a52 = layers.RNN([layers.LSTMCell(64), layers.LSTMCell(64)])
    a53 = layers.RNN(layers.LSTMCell(64, recurrent_dropout=0.2))
    a54 = layers.RNN(Own(64))
    a55 = layers.Bidirectional(layers.LSTM(64, activation="relu"))  # expect: PP501
    a56 = layers.Dense(100000)
    a57 = layers.Dense(WIDE)
    a58 = layers.Dense(units=50000)
    a59 = layers.Dense(10)
    a60 = layers.Flatten()
    a61 = layers.Conv2D(512, 15)  # expect: PP501 low
    a62 = layers.Conv2D(64, (31, 31))  # expect: PP501 low
    a63 = layers.Conv2D(filters=64, kernel_size=31)  # expect: PP501 low
    a64 = layers.Conv2D(64, 3)
    a65 = layers.Conv2D(64, K)  # expect: PP501 low
    a66 = layers.Conv2D(64, (K, K))  # expect: PP501 low
    a67 = layers.Conv2DTranspose(64, 31)
    a68 = layers.Conv1D(64, 101)
    a69 = layers.Conv3D(64, 15)
    a70 = layers.SeparableConv2D(64, 31)
    a71 = layers.DepthwiseConv2D(31)
    a72 = layers.Embedding(10000000, 512)
    a73 = layers.Embedding(VOCAB, 512)
    a74 = layers.Conv2D(64, 3, dilation_rate=4)
    a75 = layers.LocallyConnected2D(64, 3)
    a76 = layers.Conv2D(*shape)
    return a0
# --- each
def model0_NTH():
    model = tf.keras.Sequential()
    model.add(layers.InputLayer([512, 512, 3]))
    model.add(layers.Flatten())
    model.add(EACH)
    return model


def chain0_NTH():
    return tf.keras.Sequential([layers.InputLayer(input_shape=[512, 512, 3]), layers.Flatten(), EACH])  # HERE


def functional0_NTH():
    x = inputs = layers.Input([512, 512, 3])
    x = layers.Flatten()(x)
    x = EACH(x)  # HERE
    return tf.keras.Model(inputs, x)
# --- of
layers.Dense(4096)  # here: PP501
layers.Flatten()
layers.LSTM(512)
layers.Conv2D(512, 9)
layers.TimeDistributed(layers.Dense(512))
# --- each
def model1_NTH():
    model = tf.keras.Sequential()
    model.add(layers.InputLayer([512, 512, 3]))
    model.add(layers.GlobalAveragePooling2D())
    model.add(EACH)
    return model


def chain1_NTH():
    return tf.keras.Sequential([layers.InputLayer(input_shape=[512, 512, 3]), layers.GlobalAveragePooling2D(), EACH])  # HERE


def functional1_NTH():
    x = inputs = layers.Input([512, 512, 3])
    x = layers.GlobalAveragePooling2D()(x)
    x = EACH(x)  # HERE
    return tf.keras.Model(inputs, x)
# --- of
layers.Dense(4096)
layers.Flatten()
layers.LSTM(512)
layers.Conv2D(512, 9)
layers.TimeDistributed(layers.Dense(512))
# --- each
def model2_NTH():
    model = tf.keras.Sequential()
    model.add(layers.InputLayer([512, 512, 3]))
    model.add(layers.Conv2D(512, 3, padding="same"))
    model.add(EACH)
    return model


def chain2_NTH():
    return tf.keras.Sequential([layers.InputLayer(input_shape=[512, 512, 3]), layers.Conv2D(512, 3, padding="same"), EACH])  # expect: PP501 low


def functional2_NTH():
    x = inputs = layers.Input([512, 512, 3])
    x = layers.Conv2D(512, 3, padding="same")(x)  # expect: PP501 low
    x = EACH(x)  # HERE
    return tf.keras.Model(inputs, x)
# --- of
layers.Dense(4096)
layers.Flatten()
layers.LSTM(512)
layers.Conv2D(512, 9)  # here: PP501 low
layers.TimeDistributed(layers.Dense(512))
# --- each
def model3_NTH():
    model = tf.keras.Sequential()
    model.add(layers.InputLayer([512, 512, 3]))
    model.add(layers.MaxPooling2D())
    model.add(EACH)
    return model


def chain3_NTH():
    return tf.keras.Sequential([layers.InputLayer(input_shape=[512, 512, 3]), layers.MaxPooling2D(), EACH])  # HERE


def functional3_NTH():
    x = inputs = layers.Input([512, 512, 3])
    x = layers.MaxPooling2D()(x)
    x = EACH(x)  # HERE
    return tf.keras.Model(inputs, x)
# --- of
layers.Dense(4096)
layers.Flatten()
layers.LSTM(512)
layers.Conv2D(512, 9)  # here: PP501 low
layers.TimeDistributed(layers.Dense(512))
# --- each
def model4_NTH():
    model = tf.keras.Sequential()
    model.add(layers.InputLayer([512, 512, 3]))
    model.add(layers.Dense(4096))
    model.add(EACH)
    return model


def chain4_NTH():
    return tf.keras.Sequential([layers.InputLayer(input_shape=[512, 512, 3]), layers.Dense(4096), EACH])  # HERE


def functional4_NTH():
    x = inputs = layers.Input([512, 512, 3])
    x = layers.Dense(4096)(x)
    x = EACH(x)  # HERE
    return tf.keras.Model(inputs, x)
# --- of
layers.Dense(4096)
layers.Flatten()
layers.LSTM(512)
layers.Conv2D(512, 9)  # here: PP501 low
layers.TimeDistributed(layers.Dense(512))
# --- each
def model5_NTH():
    model = tf.keras.Sequential()
    model.add(layers.InputLayer([512, 512, 3]))
    model.add(layers.Reshape([4, 1000]))
    model.add(EACH)
    return model


def chain5_NTH():
    return tf.keras.Sequential([layers.InputLayer(input_shape=[512, 512, 3]), layers.Reshape([4, 1000]), EACH])  # HERE


def functional5_NTH():
    x = inputs = layers.Input([512, 512, 3])
    x = layers.Reshape([4, 1000])(x)
    x = EACH(x)  # HERE
    return tf.keras.Model(inputs, x)
# --- of
layers.Dense(4096)
layers.Flatten()
layers.LSTM(512)
layers.Conv2D(512, 9)
layers.TimeDistributed(layers.Dense(512))
# --- each
def model6_NTH():
    model = tf.keras.Sequential()
    model.add(layers.InputLayer([512, 512, 3]))
    model.add(layers.Embedding(100, 512))
    model.add(EACH)
    return model


def chain6_NTH():
    return tf.keras.Sequential([layers.InputLayer(input_shape=[512, 512, 3]), layers.Embedding(100, 512), EACH])  # HERE


def functional6_NTH():
    x = inputs = layers.Input([512, 512, 3])
    x = layers.Embedding(100, 512)(x)
    x = EACH(x)  # HERE
    return tf.keras.Model(inputs, x)
# --- of
layers.Dense(4096)
layers.Flatten()
layers.LSTM(512)
layers.Conv2D(512, 9)
layers.TimeDistributed(layers.Dense(512))
# --- each
def model7_NTH():
    model = tf.keras.Sequential()
    model.add(layers.InputLayer([512, 512, 3]))
    model.add(layers.LSTM(64, return_sequences=True))
    model.add(EACH)
    return model


def chain7_NTH():
    return tf.keras.Sequential([layers.InputLayer(input_shape=[512, 512, 3]), layers.LSTM(64, return_sequences=True), EACH])  # HERE


def functional7_NTH():
    x = inputs = layers.Input([512, 512, 3])
    x = layers.LSTM(64, return_sequences=True)(x)
    x = EACH(x)  # HERE
    return tf.keras.Model(inputs, x)
# --- of
layers.Dense(4096)
layers.Flatten()
layers.LSTM(512)
layers.Conv2D(512, 9)
layers.TimeDistributed(layers.Dense(512))

