# --- case: one element, which is everything
import numpy as np
import tensorflow as tf

images = np.random.default_rng(0).random((1024, 32, 32, 1))
labels = np.arange(1024) % 2
dataset = tf.data.Dataset.from_tensors((images, labels))  # expect: PP307
model.fit(dataset, epochs=3)
# --- case: the same without labels, right in the call
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential()
model.fit(tf.data.Dataset.from_tensors(np.zeros((60000, 784))))  # expect: PP307
# --- case: the same, through a function
import numpy as np
import tensorflow as tf


def training_data():
    x = np.zeros((60000, 784))
    return tf.data.Dataset.from_tensors((x, x))  # expect: PP307


model.fit(training_data())
# --- case: ones
import numpy as np
import tensorflow as tf

data = np.ones((1000, 10))
model.fit(tf.data.Dataset.from_tensors(data))  # expect: PP307
# --- case: a tensor
import tensorflow as tf

x = tf.zeros([4096, 8])
model.fit(tf.data.Dataset.from_tensors((x, y)))  # expect: PP307
# --- case: a dataset in a variable, fitted by keyword
import numpy as np
import tensorflow as tf

x = np.zeros((2000, 3))
ds = tf.data.Dataset.from_tensors(x)  # expect: PP307
model.fit(x=ds)
# --- case: import from
import numpy as np
from tensorflow.data import Dataset
import tensorflow

model.fit(Dataset.from_tensors(np.empty((9000, 2))))  # expect: PP307
# --- case: compat.v2
import numpy as np
import tensorflow.compat.v2 as tf

model.fit(tf.data.Dataset.from_tensors(np.full((9000, 2), 1.0)), epochs=9)  # expect: PP307
# --- case: a number of rows with a name
import numpy as np
import tensorflow as tf

ROWS = 10 * 1000
data = np.zeros((ROWS, 7))
model.fit(tf.data.Dataset.from_tensors(data))  # expect: PP307
# --- case: copied and converted
import numpy as np
import tensorflow as tf

data = np.zeros((5000, 7)).astype('float32')
model.fit(tf.data.Dataset.from_tensors((data, data)))  # expect: PP307
# --- case: reshaped
import numpy as np
import tensorflow as tf

data = np.arange(50000).reshape((5000, 10))
model.fit(tf.data.Dataset.from_tensors(data))  # expect: PP307
# --- case: in a method
import numpy as np
import tensorflow as tf


class Trainer:
    def run(self):
        x = np.random.normal(size=(6000, 4))
        ds = tf.data.Dataset.from_tensors((x, x))  # expect: PP307
        self.model.fit(ds, epochs=3)
# --- whole: shapes by indexing, reshaping and drawing
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
first = 0
rows = np.zeros((600, 4))
stacked = np.zeros((6, 1000, 4))
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.fit(tf.data.Dataset.from_tensors(stacked[0]))  # expect: PP307
model.fit(tf.data.Dataset.from_tensors(stacked[first]))  # expect: PP307
model.fit(tf.data.Dataset.from_tensors(stacked[2, ..., 0]))  # expect: PP307
model.fit(tf.data.Dataset.from_tensors(rows[:, None]))  # expect: PP307
model.fit(tf.data.Dataset.from_tensors(rows[:, np.newaxis, 1]))  # expect: PP307
model.fit(tf.data.Dataset.from_tensors(np.expand_dims(rows, -1)))  # expect: PP307
model.fit(tf.data.Dataset.from_tensors(np.expand_dims(rows, axis=1)))  # expect: PP307
model.fit(tf.data.Dataset.from_tensors(rows.astype("float32").copy()))  # expect: PP307
model.fit(tf.data.Dataset.from_tensors(stacked.reshape(6000, 4)))  # expect: PP307
model.fit(tf.data.Dataset.from_tensors(stacked.reshape((6000, 4))))  # expect: PP307
model.fit(tf.data.Dataset.from_tensors(np.reshape(stacked, (6000, 4))))  # expect: PP307
model.fit(tf.data.Dataset.from_tensors(rng.random((600, 3))))  # expect: PP307
model.fit(tf.data.Dataset.from_tensors(rng.normal(0, 1, (600, 3))))  # expect: PP307
model.fit(tf.data.Dataset.from_tensors(rng.integers(0, 9, size=(600, 3))))  # expect: PP307
model.fit(tf.data.Dataset.from_tensors(np.random.randn(600, 3)))  # expect: PP307
model.fit(tf.data.Dataset.from_tensors(np.arange(600)))  # expect: PP307
model.fit(tf.data.Dataset.from_tensors(np.ones_like(rows)))  # expect: PP307
