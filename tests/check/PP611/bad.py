import pickle
import numpy as np
import torch
# --- case: a pickle
for frame in frames:
    colors = pickle.load(open("palette", "rb"))  # expect: PP611
    draw(frame, colors)
# --- case: an array
for batch in loader:
    mean = np.load("mean.npy")  # expect: PP611
    model(batch - mean)
# --- case: weights
for images in images_list:
    state = torch.load("a.pt")  # expect: PP611
    run(images, state)
# --- case: a function of the project
def load_names(path):
    with open(path) as f:
        return f.read().split()


while True:
    names = load_names("names.txt")  # expect: PP611
    show(names)
# --- whole: a table
import pandas as pd
import torch

for step in range(1000):
    rows = pd.read_csv('rows.csv')  # expect: PP611
    use(rows)
# --- case: behind a branch
for frame in frames:
    if frame.ok:
        colors = pickle.load(open("palette", "rb"))  # expect: PP611
# --- whole: JSON
import json

import torch

for batch in loader:
    names = json.load(open('names.json'))  # expect: PP611
# --- case: text of numbers
for step in range(100):
    w = np.loadtxt("w.txt")  # expect: PP611
# --- whole: an image
import cv2
import torch

for frame in frames:
    logo = cv2.imread("logo.png")  # expect: PP611
# --- case: with a mode
for sample in samples:
    x = np.load("x.npy", mmap_mode="r")  # expect: PP611
# --- whole: TensorFlow
import numpy as np
import tensorflow as tf

for step in range(1000):
    w = np.load('w.npy')  # expect: PP611
    train(w)
# --- case: in an inner loop
for batch in loader:
    for part in (1, 2):
        mean = np.load("mean.npy")  # expect: PP611
# --- whole: a path that does not change
import numpy as np
import torch

def render(model, loader, path):
    for x in loader:
        means = np.load(path)  # expect: PP611
        show(model(x) + torch.from_numpy(means))
# --- whole: in a method that the loop calls
import os

import numpy as np
import torch


class Sampler:
    def __init__(self, folder):
        self.folder = folder

    def features(self, x):
        clusters = np.load(os.path.join(self.folder, "clusters.npy"))  # expect: PP611
        return torch.from_numpy(clusters[x])


def render(loader, folder):
    sampler = Sampler(folder)
    for x in loader:
        show(sampler.features(x))
