import json
import torch
from torch.utils.data import Dataset
# --- case: JSON
class Items(Dataset):
    def __init__(self, path):
        self.path, self.file, self.paths = path, None, [path]

    def __len__(self):
        return 9

    def __getitem__(self, i):
        with open(self.path) as f:
            rows = json.load(f)  # expect: PP615
        return rows[i]
# --- case: opened in place
class Items(Dataset):
    def __init__(self, path):
        self.path, self.file, self.paths = path, None, [path]

    def __len__(self):
        return 9

    def __getitem__(self, i):
        rows = json.load(open(self.path))  # expect: PP615
        return rows[i]
# --- case: an array
import numpy as np
import pandas as pd


class Items(Dataset):
    def __init__(self, path):
        self.path, self.file, self.paths = path, None, [path]

    def __len__(self):
        return 9

    def __getitem__(self, i):
        return np.load(self.path)[i]  # expect: PP615
# --- case: a table
import numpy as np
import pandas as pd


class Items(Dataset):
    def __init__(self, path):
        self.path, self.file, self.paths = path, None, [path]

    def __len__(self):
        return 9

    def __getitem__(self, i):
        return pd.read_csv(self.path).iloc[i]  # expect: PP615
# --- case: a literal path
import numpy as np
import pandas as pd


class Items(Dataset):
    def __init__(self, path):
        self.path, self.file, self.paths = path, None, [path]

    def __len__(self):
        return 9

    def __getitem__(self, i):
        return np.load('all.npy')[i]  # expect: PP615
# --- case: a folder
import os


class Items(Dataset):
    def __init__(self, path):
        self.path, self.file, self.paths = path, None, [path]

    def __len__(self):
        return 9

    def __getitem__(self, i):
        names = os.listdir(self.path)  # expect: PP615
        return names[i]
# --- case: a pattern
import glob


class Items(Dataset):
    def __init__(self, path):
        self.path, self.file, self.paths = path, None, [path]

    def __len__(self):
        return 9

    def __getitem__(self, i):
        return sorted(glob.glob(self.path + '/*.png'))[i]  # expect: PP615
# --- case: HDF5
import h5py


class Items(Dataset):
    def __init__(self, path):
        self.path, self.file, self.paths = path, None, [path]

    def __len__(self):
        return 9

    def __getitem__(self, i):
        with h5py.File(self.path) as f:  # expect: PP615
            return f['x'][i]
# --- case: tensors
class Items(Dataset):
    def __init__(self, path):
        self.path, self.file, self.paths = path, None, [path]

    def __len__(self):
        return 9

    def __getitem__(self, i):
        return torch.load(self.path)[i]  # expect: PP615
# --- case: a pickle
import pickle


class Items(Dataset):
    def __init__(self, path):
        self.path, self.file, self.paths = path, None, [path]

    def __len__(self):
        return 9

    def __getitem__(self, i):
        return pickle.load(open(self.path, 'rb'))[i]  # expect: PP615
# --- case: by way of a name
import numpy as np
import pandas as pd


class Items(Dataset):
    def __init__(self, path):
        self.path, self.file, self.paths = path, None, [path]

    def __len__(self):
        return 9

    def __getitem__(self, i):
        path = self.path + '/all.npy'
        return np.load(path)[i]  # expect: PP615
# --- case: a path that is joined
import os
import numpy as np
import pandas as pd


class Items(Dataset):
    def __init__(self, path):
        self.path, self.file, self.paths = path, None, [path]

    def __len__(self):
        return 9

    def __getitem__(self, i):
        return np.load(os.path.join(self.path, 'all.npy'))[i]  # expect: PP615
# --- whole: in a method for it
import json

import pandas as pd
import torch
from torch.utils.data import Dataset


class Items(Dataset):
    def __init__(self, path):
        self.path = path
        self.table = pd.read_csv(path)
        self.items = self.table.values.tolist()
        self.ids = self.table["id"].unique()

    def __len__(self):
        return len(self.ids)

    def rows(self):
        return json.load(open(self.path))  # expect: PP615

    def __getitem__(self, i):
        return self.rows()[i]
# --- whole: a text that is read whole for one line
from torch.utils.data import Dataset


class Lines(Dataset):
    def __init__(self, path):
        self.path = path

    def __getitem__(self, i):
        return open(self.path).read().split("\n")[i]  # expect: PP615

    def __len__(self):
        return 1000
# --- whole: lines that are read whole for one
from torch.utils.data import Dataset


class Lines(Dataset):
    def __init__(self, path):
        self.path = path

    def __getitem__(self, i):
        with open(self.path, encoding="utf-8") as file:
            lines = file.readlines()  # expect: PP615
        return lines[i]

    def __len__(self):
        return 1000
# --- case: the column of a table before its row
from datasets import load_dataset


class Lines(Dataset):
    def __init__(self):
        self.table = load_dataset("books")

    def __getitem__(self, number):
        return self.table["train"]["line"][number]  # expect: PP615
# --- case: one split of a table, in a loop
from datasets import load_dataset

table = load_dataset("books", split="train")
for place in range(len(table)):
    print(table["line"][place])  # expect: PP615
