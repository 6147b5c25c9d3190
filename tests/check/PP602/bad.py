import torch
from torch.utils.data import DataLoader, Dataset
from torchvision import datasets, transforms
# --- case: torchvision's data set in place
loader = DataLoader(datasets.MNIST("d", transform=transforms.ToTensor()), batch_size=64, shuffle=True)  # expect: PP602
# --- case: by way of a name
train = datasets.ImageFolder("train", transform=t)
train_loader = DataLoader(train, batch_size=64)  # expect: PP602
# --- case: no workers, said so
loader = DataLoader(datasets.CIFAR10("d"), 32, True, num_workers=0)  # expect: PP602
# --- case: the sixth by position
loader = DataLoader(datasets.CIFAR10("d"), 32, True, None, None, 0)  # expect: PP602
# --- case: images that are read
from PIL import Image


class Items(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return Image.open(self.rows[i])


loader = DataLoader(Items(rows), shuffle=True)  # expect: PP602
# --- case: with OpenCV
import cv2


class Items(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return cv2.imread(self.rows[i])


loader = DataLoader(Items(rows), shuffle=True)  # expect: PP602
# --- case: a transform of the project
class Items(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.transform(self.rows[i])


loader = DataLoader(Items(rows), shuffle=True)  # expect: PP602
# --- case: tokens
class Items(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.tokenizer(self.rows[i])


loader = DataLoader(Items(rows), shuffle=True)  # expect: PP602
# --- case: in a function that is called
from PIL import Image


def read(path):
    return Image.open(path)


class Items(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return read(self.rows[i])


loader = DataLoader(Items(rows), shuffle=True)  # expect: PP602
# --- case: a part of it
from torch.utils.data import Subset

train = Subset(datasets.CIFAR10("d", transform=t), range(100))
train_loader = DataLoader(train, 10)  # expect: PP602
# --- whole: a dotted name
import torch
import torchvision

loader = torch.utils.data.DataLoader(dataset=torchvision.datasets.FashionMNIST("d"), batch_size=8, shuffle=True)  # expect: PP602
# --- case: a sampler
loader = DataLoader(datasets.SVHN("d"), 8, sampler=s)  # expect: PP602
# --- case: arrays that are loaded
import numpy as np


class Items(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return np.load(self.rows[i])


loader = DataLoader(Items(rows), shuffle=True)  # expect: PP602
# --- case: another for the test
train_loader = DataLoader(datasets.MNIST("d"), shuffle=True)  # expect: PP602
test_loader = DataLoader(datasets.MNIST("d", train=False), shuffle=False)  # expect: PP602 low
# --- case: converted again, by workers
train_loader = DataLoader(datasets.CIFAR10("d"), 8)  # expect: PP602
loader = DataLoader(datasets.MNIST("d", transform=transforms.ToTensor()), 64, shuffle=True, num_workers=2)  # expect: PP602
# --- case: tried out, besides
from PIL import Image


class Items(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return Image.open(self.rows[i])


def loader_of(rows):
    return DataLoader(Items(rows), shuffle=True)  # expect: PP602


if __name__ == '__main__':
    for x in DataLoader(Items(rows), shuffle=True):  # expect: PP602 low
        print(x)
# --- whole: a course is what its project is for
# --- file: tutorials/1/main.py
import torchvision
from torch.utils.data import DataLoader

train = torchvision.datasets.ImageFolder("train", transform=t)
train_loader = DataLoader(train, batch_size=64)  # expect: PP602
# --- file: tutorials/2/main.py
import torch
# --- file: tutorials/3/main.py
import torch
# --- file: tutorials/4/main.py
import torch
# --- file: tutorials/5/main.py
import torch
# --- case: training data of a test by hand, and names that only begin alike
train_test_loader = DataLoader(datasets.CIFAR10("d"), 64, shuffle=True)  # expect: PP602
device_loader = DataLoader(datasets.CIFAR10("d"), 64, shuffle=True)  # expect: PP602
value_loader = DataLoader(datasets.CIFAR10("d"), 64, shuffle=True)  # expect: PP602
# --- case: a function whose name speaks of a test, which makes the loader of training
def run_test(folder):
    train_loader = DataLoader(datasets.ImageFolder(folder), 64, shuffle=True)  # expect: PP602
    return train_loader
# --- case: a name that says neither, in a function that trains, whatever it is called
def test_one(folder):
    loader = DataLoader(datasets.ImageFolder(folder), 64, shuffle=True)  # expect: PP602
    for x, y in loader:
        criterion(net(x), y).backward()
# --- case: workers of an option that is 0 by default
import argparse
from torch.utils.data import DataLoader
from torchvision import datasets

parser = argparse.ArgumentParser()
parser.add_argument("--nw", dest="num_workers", default=0, type=int)
args = parser.parse_args()
loader = DataLoader(datasets.ImageFolder("train"), 64, shuffle=True, num_workers=args.num_workers)  # expect: PP602
