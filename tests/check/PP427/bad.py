import cv2
import numpy as np
import tensorflow as tf
# --- case: appended
images = []
for path in paths:
    image = cv2.imread(path)  # expect: PP427
    images.append(image)
# --- case: in place
images = []
for path in paths:
    images.append(cv2.imread(path))  # expect: PP427
# --- case: resized in between
images = []
for path in paths:
    image = cv2.imread(path)  # expect: PP427
    image = cv2.resize(image, (64, 64))
    images.append(image)
# --- case: into an array
images = []
for i, path in enumerate(paths):
    images[i] = cv2.imread(path)  # expect: PP427
# --- case: into an array later
images = []
for i, path in enumerate(paths):
    image = cv2.imread(path)  # expect: PP427
    images[i] = image / 255
# --- whole: Pillow
from PIL import Image
import numpy as np
import tensorflow as tf

images = []
for path in paths:
    image = Image.open(path)  # expect: PP427
    images.append(np.array(image))
# --- case: a comprehension
images = [cv2.imread(path) for path in paths]  # expect: PP427
# --- whole: Keras
import keras

images = []
for path in paths:
    image = keras.utils.load_img(path)  # expect: PP427
    images.append(image)
# --- whole: sounds
import librosa
import tensorflow as tf

images = []
for path in paths:
    sound, rate = librosa.load(path)  # expect: PP427
    images.append(sound)
# --- whole: scikit-image
from skimage import io
import tensorflow as tf

images = []
for path in paths:
    images.append(io.imread(path))  # expect: PP427
# --- case: listed
images = []
for name in os.listdir("data"):
    image = cv2.imread("data/" + name)  # expect: PP427
    images.append(image)
# --- case: folders
images = []
for folder in folders:
    for path in glob.glob(folder):
        images.append(cv2.imread(path))  # expect: PP427
# --- case: in a function
def load(paths):
    images = []
    for path in paths:
        images.append(cv2.imread(path))  # expect: PP427
    return np.array(images)
