import tensorflow as tf
# --- case: to Python and back for each element: only a note
class Tokenizer:
    def tokenize(self, text):
        def split(one):
            return tf.constant(self.words(one.numpy()))

        if text.shape.rank == 0:
            return tf.py_function(split, [text], tf.string)
        return tf.map_fn(lambda x: self.tokenize(x), text,  # expect: PP411 low
                         fn_output_signature=tf.RaggedTensorSpec([None], tf.string))

    def once(self, text):
        return tf.py_function(self.split_all, [text], tf.string)


a = tf.map_fn(lambda s: tf.numpy_function(shorten, [s], tf.string), texts)  # expect: PP411 low
b = tf.map_fn(lambda s: tf.strings.substr(s, 0, 3), texts)
c = tf.map_fn(lambda x: tf.py_function(draw_boxes, [x[0], x[1]], tf.uint8), (images, boxes))
# --- case: py_function
y = tf.map_fn(lambda x: tf.py_function(f, [x], tf.float32), xs)  # expect: PP411 low
# --- case: numpy_function
y = tf.map_fn(lambda x: tf.numpy_function(f, [x], tf.float32), xs)  # expect: PP411 low
# --- case: TF1's py_func
y = tf.map_fn(lambda x: tf.py_func(f, [x], tf.float32), xs)  # expect: PP411 low
# --- case: a function of the project
def one(x):
    return tf.py_function(f, [x], tf.float32)


y = tf.map_fn(one, xs)  # expect: PP411 low
# --- case: through two functions
def python(x):
    return tf.py_function(f, [x], tf.float32)


def one(x):
    return python(x) + 1


y = tf.map_fn(one, xs)  # expect: PP411 low
# --- case: by name
y = tf.map_fn(fn=lambda x: tf.py_function(f, [x], tf.float32), elems=xs)  # expect: PP411 low
# --- case: Keras' backend
from tensorflow.keras import backend as K

y = K.map_fn(lambda x: tf.py_function(f, [x], tf.float32), xs)  # expect: PP411 low
# --- whole: import from
from tensorflow import map_fn, py_function, string

y = map_fn(lambda x: py_function(f, [x], string), xs)  # expect: PP411 low
# --- case: a method
class Text:
    def one(self, x):
        return tf.numpy_function(self.split, [x], tf.string)

    def all(self, xs):
        return tf.map_fn(self.one, xs)  # expect: PP411 low
# --- case: in a layer
class Layer(tf.keras.layers.Layer):
    def call(self, xs):
        return tf.map_fn(lambda x: tf.py_function(f, [x], tf.float32), xs)  # expect: PP411 low
# --- case: contrib's name
y = tf.map_fn(lambda x: tf.contrib.eager.py_func(f, [x], tf.float32), xs)  # expect: PP411 low
