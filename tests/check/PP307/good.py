# --- case: one batch that is meant
import numpy as np
import tensorflow as tf

model.fit(tf.data.Dataset.from_tensors((np.zeros((64, 784)), np.zeros(64))))  # lacks: it is not known to have so many rows that a batch of all is wrong
model.fit(tf.data.Dataset.from_tensors((x, y)))
model.fit(tf.data.Dataset.from_tensors(np.zeros((60000, 784))).unbatch().batch(32))
model.predict(tf.data.Dataset.from_tensors(np.zeros((60000, 784))))
# --- case: sliced
import numpy as np
import tensorflow as tf

model.fit(tf.data.Dataset.from_tensor_slices(np.zeros((60000, 4))).batch(32))
# --- case: few rows
import numpy as np
import tensorflow as tf

model.fit(tf.data.Dataset.from_tensors(np.zeros((100, 4))))
# --- case: rows that are not known
import tensorflow as tf

model.fit(tf.data.Dataset.from_tensors(load()))
# --- case: taken apart again
import numpy as np
import tensorflow as tf

ds = tf.data.Dataset.from_tensors(np.zeros((60000, 4))).unbatch().batch(32)
model.fit(ds)
# --- case: for prediction, at once
import numpy as np
import tensorflow as tf

model.predict(tf.data.Dataset.from_tensors(np.zeros((60000, 4))))
# --- case: for evaluation, at once
import numpy as np
import tensorflow as tf

model.evaluate(tf.data.Dataset.from_tensors((np.zeros((6000, 4)), np.zeros(6000))))
# --- case: one picture
import numpy as np
import tensorflow as tf

ds = tf.data.Dataset.from_tensors(np.zeros((1, 1024, 1024, 3)))
model.fit(ds)
# --- case: looked at
import numpy as np
import tensorflow as tf

for x in tf.data.Dataset.from_tensors(np.zeros((6000, 4))):
    print(x.shape)
# --- case: mapped first
import numpy as np
import tensorflow as tf

ds = tf.data.Dataset.from_tensors(np.zeros((6000, 4))).flat_map(split)
model.fit(ds)
# --- case: nobody trains on it
import numpy as np
import tensorflow as tf

ds = tf.data.Dataset.from_tensors(np.zeros((6000, 4)))
# --- case: another object's fit
import numpy as np
import tensorflow as tf

scaler.fit(np.zeros((6000, 4)))
# --- whole: shapes that are not known, or have few rows
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
places = read_places()
rows = np.zeros((600, 4))
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.fit(tf.data.Dataset.from_tensors(rows[3]))
model.fit(tf.data.Dataset.from_tensors(rows[places]))
model.fit(tf.data.Dataset.from_tensors(rows[read_places()]))
model.fit(tf.data.Dataset.from_tensors(rows[None]))
model.fit(tf.data.Dataset.from_tensors(rows[0:9]))
model.fit(tf.data.Dataset.from_tensors(rows[0, 1, 2]))
model.fit(tf.data.Dataset.from_tensors(np.expand_dims(rows, 0)))
model.fit(tf.data.Dataset.from_tensors(np.expand_dims(rows, 9)))
model.fit(tf.data.Dataset.from_tensors(np.expand_dims(places, 1)))
model.fit(tf.data.Dataset.from_tensors(rows.reshape(-1, 2)))
model.fit(tf.data.Dataset.from_tensors(rows.reshape((*places, 4))))
model.fit(tf.data.Dataset.from_tensors(np.zeros((len(places), 4))))
model.fit(tf.data.Dataset.from_tensors(rng.random((6, 3))))
model.fit(tf.data.Dataset.from_tensors(rng.choice(rows, 600)))
model.fit(tf.data.Dataset.from_tensors(np.arange(0, 600, 100)))
model.fit(tf.data.Dataset.from_tensors(places.random((600, 3))))
