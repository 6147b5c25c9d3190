"""PP424: a suppression of boxes for each class.

For 80 classes the op runs 80 times, each time over all boxes, though few classes have any box above
the threshold. One op does all classes.
"""

import numpy as np
import tensorflow as tf

import ppcase

BOXES, CLASSES, EACH = 4000, 80, 100

rng = np.random.default_rng(424)
corners = rng.random((BOXES, 2)) * 0.8
boxes = tf.constant(np.concatenate([corners, corners + 0.05 + 0.15 * rng.random((BOXES, 2))], 1), tf.float32)
scores = tf.constant(rng.random((BOXES, CLASSES)) ** 4, tf.float32)


@tf.function
def detections(boxes, scores, num_classes=CLASSES):
    """The scores of the boxes that are kept."""
    _, best, _, count = tf.image.combined_non_max_suppression(
        boxes[None, :, None], scores[None], EACH, EACH * num_classes, 0.5, 0.3, clip_boxes=False)
    return best[0, :count[0]]


for _ in ppcase.work():
    answer = detections(boxes, scores)
ppcase.digest(tf.sort(answer))
