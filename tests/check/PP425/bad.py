from skimage.transform import resize
import tensorflow as tf
# --- case: skimage resize
for path in paths:
    image = load(path)
    image = resize(image, (64, 64))  # expect: PP425
# --- whole: skimage rescale
from skimage.transform import rescale
import tensorflow as tf

for path in paths:
    image = load(path)
    image = rescale(image, 0.5)  # expect: PP425
# --- whole: skimage rotate
from skimage import transform
import tensorflow as tf

for path in paths:
    image = load(path)
    image = transform.rotate(image, 10)  # expect: PP425
# --- whole: scipy
from scipy.misc import imresize
import tensorflow as tf

for path in paths:
    image = load(path)
    image = imresize(image, (64, 64))  # expect: PP425
# --- whole: scipy by its module
import scipy.misc
import tensorflow as tf

for path in paths:
    image = load(path)
    image = scipy.misc.imresize(image, (64, 64))  # expect: PP425
# --- whole: matplotlib
from matplotlib.colors import rgb_to_hsv
import tensorflow as tf

for path in paths:
    image = load(path)
    image = rgb_to_hsv(image)  # expect: PP425
# --- whole: grey
from skimage.color import rgb2gray
import tensorflow as tf

for path in paths:
    image = load(path)
    image = rgb2gray(image)  # expect: PP425
# --- whole: Lab
from skimage import color
import tensorflow as tf

for path in paths:
    image = load(path)
    image = color.rgb2lab(image)  # expect: PP425
# --- whole: back again, the first of two
from matplotlib.colors import hsv_to_rgb, rgb_to_hsv
import tensorflow as tf

for path in paths:
    image = load(path)
    image = rgb_to_hsv(image)  # expect: PP425
    image = hsv_to_rgb(image)
# --- case: in a function
def prepare(image):
    return resize(image, (64, 64))  # expect: PP425


for image in images:
    prepare(image)
# --- case: in a comprehension
small = [resize(image, (64, 64)) for image in images]  # expect: PP425
# --- case: over numbers
for i in range(len(paths)):
    image = load(path)
    image = resize(image, (64, 64))  # expect: PP425
# --- whole: Keras
from skimage.transform import resize
import keras

for path in paths:
    image = load(path)
    image = resize(image, (64, 64))  # expect: PP425
