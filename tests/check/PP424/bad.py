# --- case: over classes
import tensorflow as tf

for c in range(num_classes):
    kept = tf.image.non_max_suppression(boxes, scores[:, c], 20)  # expect: PP424
    found.append(kept)
# --- case: by the axis of the scores
import tensorflow as tf

for c in range(scores.shape[1]):
    kept = tf.image.non_max_suppression(boxes, scores[:, c], 20)  # expect: PP424
    found.append(kept)
# --- case: classes
import tensorflow as tf

for c in classes:
    kept = tf.image.non_max_suppression(boxes, scores[:, c], 20)  # expect: PP424
    found.append(kept)
# --- case: labels
import tensorflow as tf

for label in labels:
    kept = tf.image.non_max_suppression(boxes, scores[:, c], 20)  # expect: PP424
    found.append(kept)
# --- case: eighty
import tensorflow as tf

for class_id in range(80):
    kept = tf.image.non_max_suppression(boxes, scores[:, c], 20)  # expect: PP424
    found.append(kept)
# --- case: compat.v1
import tensorflow.compat.v1 as tf

for c in range(num_classes):
    kept = tf.image.non_max_suppression(boxes, scores[:, c], 20)  # expect: PP424
    found.append(kept)
# --- case: with scores
import tensorflow as tf

for c in range(num_classes):
    kept = tf.image.non_max_suppression_with_scores(boxes, scores[:, c], 20)  # expect: PP424
    found.append(kept)
# --- case: from tensorflow
from tensorflow import image

for c in range(num_classes):
    kept = image.non_max_suppression(boxes, scores[:, c], 20)  # expect: PP424
    found.append(kept)
# --- case: in a comprehension
import tensorflow as tf

kept = [tf.image.non_max_suppression(boxes, scores[:, c], 20) for c in range(num_classes)]  # expect: PP424
# --- case: in a function
import tensorflow as tf

def kept(boxes, scores, num_classes):
    found = []
    for c in range(num_classes):
        found.append(tf.image.non_max_suppression(boxes, scores[:, c], 20))  # expect: PP424
    return found
# --- case: a nested function
import tensorflow as tf

def kept(boxes, scores, num_classes):
    def of_class(c):
        return tf.image.non_max_suppression(boxes, scores[:, c], 20)  # expect: PP424

    return [of_class(c) for c in range(num_classes)]
# --- case: the config has the classes
import tensorflow as tf

for c in range(config.num_classes):
    kept = tf.image.non_max_suppression(boxes, scores[:, c], 20)  # expect: PP424
    found.append(kept)
