# --- case: once
import tensorflow as tf

kept = tf.image.non_max_suppression(boxes, scores, 20)
# --- case: all classes at once
import tensorflow as tf

kept = tf.image.combined_non_max_suppression(boxes, scores, 20, 100)
# --- case: two classes
import tensorflow as tf

for c in range(2):
    kept = tf.image.non_max_suppression(boxes, scores[:, c], 20)
    found.append(kept)
# --- case: images
import tensorflow as tf

for image in images:
    kept = tf.image.non_max_suppression(boxes, scores[:, c], 20)
    found.append(kept)
# --- case: levels
import tensorflow as tf

for level in levels:
    kept = tf.image.non_max_suppression(boxes, scores[:, c], 20)
    found.append(kept)
# --- case: another function
import tensorflow as tf

for c in range(num_classes):
    kept = non_max_suppression(boxes, scores[:, c], 20)
    found.append(kept)
# --- case: map_fn
import tensorflow as tf

kept = tf.map_fn(lambda c: tf.image.non_max_suppression(boxes, scores[:, c], 20), numbers)
# --- case: after the loop
import tensorflow as tf

for c in range(num_classes):
    found.append(boxes[c])
kept = tf.image.non_max_suppression(boxes, scores, 20)
# --- case: a few names
import tensorflow as tf

for label in ["a", "b"]:
    kept = tf.image.non_max_suppression(boxes, scores[:, c], 20)
    found.append(kept)
# --- case: a function that is called once
import tensorflow as tf

def kept(boxes):
    return tf.image.non_max_suppression(boxes, scores, 20)


kept(boxes)
# --- case: in a class, once
import tensorflow as tf

class Layer:
    def call(self, boxes):
        return tf.image.non_max_suppression(boxes, self.scores, 20)
# --- case: NumPy's own
import numpy as np
import tensorflow as tf

for c in range(num_classes):
    keep = np.argsort(scores[:, c])
