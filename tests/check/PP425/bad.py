# --- case: skimage resize
from skimage.transform import resize
import tensorflow as tf

for path in paths:
    image = load(path)
    image = resize(image, (64, 64))  # expect: PP425
# --- case: skimage rescale
from skimage.transform import rescale
import tensorflow as tf

for path in paths:
    image = load(path)
    image = rescale(image, 0.5)  # expect: PP425
# --- case: skimage rotate
from skimage import transform
import tensorflow as tf

for path in paths:
    image = load(path)
    image = transform.rotate(image, 10)  # expect: PP425
# --- case: scipy
from scipy.misc import imresize
import tensorflow as tf

for path in paths:
    image = load(path)
    image = imresize(image, (64, 64))  # expect: PP425
# --- case: scipy by its module
import scipy.misc
import tensorflow as tf

for path in paths:
    image = load(path)
    image = scipy.misc.imresize(image, (64, 64))  # expect: PP425
# --- case: matplotlib
from matplotlib.colors import rgb_to_hsv
import tensorflow as tf

for path in paths:
    image = load(path)
    image = rgb_to_hsv(image)  # expect: PP425
# --- case: grey
from skimage.color import rgb2gray
import tensorflow as tf

for path in paths:
    image = load(path)
    image = rgb2gray(image)  # expect: PP425
# --- case: Lab
from skimage import color
import tensorflow as tf

for path in paths:
    image = load(path)
    image = color.rgb2lab(image)  # expect: PP425
# --- case: back again, the first of two
from matplotlib.colors import hsv_to_rgb, rgb_to_hsv
import tensorflow as tf

for path in paths:
    image = load(path)
    image = rgb_to_hsv(image)  # expect: PP425
    image = hsv_to_rgb(image)
# --- case: in a function
from skimage.transform import resize
import tensorflow as tf


def prepare(image):
    return resize(image, (64, 64))  # expect: PP425


for image in images:
    prepare(image)
# --- case: in a comprehension
from skimage.transform import resize
import tensorflow as tf

small = [resize(image, (64, 64)) for image in images]  # expect: PP425
# --- case: over numbers
from skimage.transform import resize
import tensorflow as tf

for i in range(len(paths)):
    image = load(path)
    image = resize(image, (64, 64))  # expect: PP425
# --- case: Keras
from skimage.transform import resize
import keras

for path in paths:
    image = load(path)
    image = resize(image, (64, 64))  # expect: PP425
