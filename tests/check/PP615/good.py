import json
import torch
from torch.utils.data import Dataset
# --- case: once
class Items(Dataset):
    def __init__(self, path):
        self.rows = json.load(open(path))  # lacks: it is not seen to run for each item of a data set

    def __len__(self):
        return 9

    def __getitem__(self, i):
        return self.rows[i]
# --- case: a file for each item
import numpy as np
import pandas as pd


class Items(Dataset):
    def __init__(self, path):
        self.path, self.file, self.paths = path, None, [path]

    def __len__(self):
        return 9

    def __getitem__(self, i):
        return np.load(self.paths[i])
# --- case: by way of a name
import numpy as np
import pandas as pd


class Items(Dataset):
    def __init__(self, path):
        self.path, self.file, self.paths = path, None, [path]

    def __len__(self):
        return 9

    def __getitem__(self, i):
        path = self.paths[i]
        return np.load(path)
# --- case: a path that is filled in
import numpy as np
import pandas as pd


class Items(Dataset):
    def __init__(self, path):
        self.path, self.file, self.paths = path, None, [path]

    def __len__(self):
        return 9

    def __getitem__(self, i):
        return np.load(f'{self.path}/{i}.npy')
# --- case: the first time
import h5py


class Items(Dataset):
    def __init__(self, path):
        self.path, self.file, self.paths = path, None, [path]

    def __len__(self):
        return 9

    def __getitem__(self, i):
        if self.file is None:
            self.file = h5py.File(self.path)
        return self.file[i]
# --- case: JSON for each item
class Items(Dataset):
    def __init__(self, path):
        self.path, self.file, self.paths = path, None, [path]

    def __len__(self):
        return 9

    def __getitem__(self, i):
        with open(self.paths[i]) as f:
            return json.load(f)
# --- case: a part of a folder
import os


class Items(Dataset):
    def __init__(self, path):
        self.path, self.file, self.paths = path, None, [path]

    def __len__(self):
        return 9

    def __getitem__(self, i):
        return os.listdir(self.paths[i])
# --- case: another method
class Items(Dataset):
    def __len__(self):
        return len(json.load(open(self.path)))
# --- case: no data set
class Table:
    def __getitem__(self, key):
        return json.load(open(self.path))[key]
# --- case: a function
def item(path, i):
    return json.load(open(path))[i]
# --- case: an index that is drawn
import numpy as np
import pandas as pd


class Items(Dataset):
    def __init__(self, path):
        self.path, self.file, self.paths = path, None, [path]

    def __len__(self):
        return 9

    def __getitem__(self, i):
        k = torch.randint(9, (1,)).item() + i
        return np.load(self.paths[k])
# --- whole: a table by its index
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

    def __getitem__(self, i):
        return torch.tensor(self.table.iloc[i].values)
# --- whole: a method that others call, too
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
        return json.load(open(self.path))

    def prepare(self):
        self.all = self.rows()

    def __getitem__(self, i):
        return self.rows()[i]
# --- whole: drawn at random
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

    def __getitem__(self, i):
        return torch.load(self.items[random.randint(0, 9)])
# --- whole: a text of its own, a part of a file, what is no file of the disk
from torch.utils.data import Dataset


class Texts(Dataset):
    def __init__(self, paths, data, source):
        self.paths, self.data, self.source = paths, data, source

    def __getitem__(self, i):
        with open(self.paths[i]) as file:
            text = file.read()
        with open(self.data, "rb") as data:
            data.seek(i * 100)
            part = data.read(100)
        return text, part, self.source.read(), connect("host").read()

    def __len__(self):
        return len(self.paths)
# --- case: the row of a table before its column, and a split of a dictionary
from datasets import load_dataset


class Lines(Dataset):
    def __init__(self):
        self.tables = load_dataset("books")
        self.table = self.tables["train"]

    def __getitem__(self, number):
        return self.table[number]["line"], self.tables["test"][number]
# --- case: the column is read once
from datasets import load_dataset


class Lines(Dataset):
    def __init__(self):
        self.lines = load_dataset("books")["train"]["line"]

    def __getitem__(self, number):
        return self.lines[number]
