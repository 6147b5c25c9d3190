from skimage.transform import resize
import tensorflow as tf
# --- whole: OpenCV
import cv2
import tensorflow as tf

for path in paths:
    image = load(path)
    image = cv2.resize(image, (64, 64))
# --- case: one picture
image = resize(load(path), (64, 64))
# --- case: a few pictures
for path in ["a", "b"]:
    image = load(path)
    image = resize(image, (64, 64))
# --- case: a function that is called once
def prepare(image):
    return resize(image, (64, 64))


prepare(image)
# --- whole: another resize
from tools import resize
import tensorflow as tf

for path in paths:
    image = load(path)
    image = resize(image, (64, 64))
# --- whole: TensorFlow
import numpy
import tensorflow as tf

for path in paths:
    image = load(path)
    image = tf.image.resize(image, (64, 64))
# --- whole: Pillow
from PIL import Image
import tensorflow as tf

for path in paths:
    image = load(path)
    image = image.resize((64, 64))
# --- case: now and then
for step in range(10000):
    if step % 100 == 0:
        show(resize(image, (64, 64)))
# --- whole: no framework
from skimage.transform import resize

for path in paths:
    image = resize(load(path), (64, 64))
# --- whole: a filter
from skimage.filters import gaussian
import tensorflow as tf

for path in paths:
    image = load(path)
    image = gaussian(image)
# --- case: nobody calls it
def prepare(image):
    return resize(image, (64, 64))
# --- whole: matplotlib colours of a plot
from matplotlib.colors import to_rgb
import tensorflow as tf

for path in paths:
    image = load(path)
    colour = to_rgb("red")
