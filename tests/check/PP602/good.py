import torch
from torch.utils.data import DataLoader, Dataset
from torchvision import datasets, transforms
# --- case: workers
loader = DataLoader(datasets.MNIST("d"), 64, shuffle=True, num_workers=4)  # lacks: it has workers
# --- case: as many as somebody says
loader = DataLoader(datasets.MNIST("d"), 64, shuffle=True, num_workers=args.workers)
# --- case: by position
loader = DataLoader(datasets.MNIST("d"), 64, True, None, None, 2)
# --- case: arguments that are not seen
loader = DataLoader(datasets.MNIST("d"), 64, shuffle=True, **kwargs)
# --- case: chance in the transform
t = transforms.RandomCrop(24)
loader = DataLoader(datasets.MNIST("d", transform=t), 64, num_workers=2)
# --- case: files, by workers
loader = DataLoader(datasets.ImageFolder("d", transform=t), 64, num_workers=2)
# --- case: tensors
from torch.utils.data import TensorDataset

loader = DataLoader(TensorDataset(x, y), 64, shuffle=True)
# --- case: not known
def make(dataset):
    return DataLoader(dataset, 64, shuffle=True)
# --- case: rows of an array
class Items(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return self.rows[i]


loader = DataLoader(Items(rows), shuffle=True)
# --- case: a tensor of them
class Items(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return torch.tensor(self.rows[i])


loader = DataLoader(Items(rows), shuffle=True)
# --- case: on the device
from PIL import Image


class Items(Dataset):
    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        return to_tensor(Image.open(self.rows[i])).cuda()


loader = DataLoader(Items(rows), shuffle=True)
# --- whole: a loader of another library
from torch_geometric.loader import DataLoader

loader = DataLoader(data, batch_size=8, shuffle=True)
# --- case: the data set alone
data = datasets.MNIST("d", transform=t)
for x, y in data:
    print(x)
# --- whole: another module's class of the name
import torch


class DataLoader:
    pass


loader = DataLoader(1)
# --- whole: examples beside a library
# --- file: examples/1/main.py
import torchvision
from torch.utils.data import DataLoader

train = torchvision.datasets.ImageFolder("train", transform=t)
train_loader = DataLoader(train, batch_size=64)  # expect: PP602 low
# --- file: examples/2/main.py
import torch
# --- file: examples/3/main.py
import torch
# --- file: examples/4/main.py
import torch
# --- file: examples/5/main.py
import torch
# --- file: library/one.py
import torch
# --- file: library/two.py
import torch
# --- whole: a few examples alone
# --- file: examples/1/main.py
import torchvision
from torch.utils.data import DataLoader

train = torchvision.datasets.ImageFolder("train", transform=t)
train_loader = DataLoader(train, batch_size=64)  # expect: PP602 low
# --- file: examples/2/main.py
import torch
# --- case: workers of an option that is not 0 by default, or not seen
import argparse
from torch.utils.data import DataLoader
from torchvision import datasets

parser = argparse.ArgumentParser()
parser.add_argument("--nw", dest="num_workers", default=4, type=int)
parser.add_argument("--workers", type=int, required=True)
args = parser.parse_args()
loader = DataLoader(datasets.ImageFolder("train"), 64, shuffle=True, num_workers=args.num_workers)
loader = DataLoader(datasets.ImageFolder("train"), 64, shuffle=True, num_workers=args.workers)
# --- case: all of them at once
train_data = datasets.MNIST("d")
train_loader = DataLoader(train_data, batch_size=len(train_data), shuffle=True)  # lacks: its only batch is all of them
# --- case: shuffled, but for a test by its name
test_loader = DataLoader(datasets.CIFAR10("d"), 64, shuffle=True)  # expect: PP602 low
# --- case: by the name of its data
loader = DataLoader(dev_set, 64, shuffle=True)
dev_data = datasets.ImageFolder("d")
loader = DataLoader(dev_data, 64, shuffle=True)  # expect: PP602 low
# --- case: an attribute, of a long name
self.small_valloader = DataLoader(datasets.ImageFolder("d"), 64, shuffle=True)  # expect: PP602 low
# --- case: by the data that torchvision gives
loader = DataLoader(datasets.MNIST("d", train=False), 64, shuffle=True)  # expect: PP602 low
# --- case: the same by way of a name
digits = datasets.MNIST("d", train=False, transform=t)
loader = DataLoader(digits, 64, shuffle=True)  # expect: PP602 low
# --- case: in a function that says so
def make_eval_loader(folder):
    return DataLoader(datasets.ImageFolder(folder), 64, shuffle=True)  # expect: PP602 low
# --- case: a name that says neither, in a function for evaluating
def evaluate_all(folder):
    loader = DataLoader(datasets.ImageFolder(folder), 64, shuffle=True)  # expect: PP602 low
    return loader
