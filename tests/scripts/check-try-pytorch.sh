#!/bin/bash
# What check --try changes for the rules of PyTorch: a command that keeps the program that it was given shows each change,
# and that it is still Python. PyTorch is not needed.
set -eu

mkdir tmp project
export TMPDIR=$PWD/tmp PYTHONDONTWRITEBYTECODE=
cd project

# proposes RULE LINE… <PROGRAM: each LINE is in the program after the change, and was not before
proposes() {
    local rule=$1 line
    shift
    rm -rf ./*.py "$seen"
    mkdir "$seen"
    cat >train.py
    ppmine check --try --all --select "$rule" --runs 3 -f json --same 'text: .*' -- \
        python3 -c "$keep" "$seen" >out 2>err || :
    rm -f "$seen/$(sha256sum <train.py | cut -d' ' -f1)"
    for line; do
        cat "$seen"/* 2>/dev/null | grep -qxF -- "$line" ||
            { echo "$rule: no line '$line': $(cat "$seen"/* out err)" && exit 1; }
        ! grep -qxF -- "$line" train.py || { echo "$rule: '$line' is there before" && exit 1; }
    done
    [ $# -gt 0 ] || grep -q 'none of the findings has a change to try' err ||
        { echo "$rule: proposed all the same: $(cat out)" && exit 1; }
}

seen=$TMPDIR/../seen
keep='
import ast, hashlib, sys
text = open("train.py", "rb").read()
ast.parse(text)
open(sys.argv[1] + "/" + hashlib.sha256(text).hexdigest(), "wb").write(text)
print("text: kept")
'

proposes PP603 '    s += loss.detach().double()' 's = float(s)' <<'END'
import torch
s, d = 0, torch.device("cuda")
for x, y in loader:
    loss = f(net(x.to(d)), y)
    loss.backward()
    s += loss.item()
print(s)
END
# The sum is read in the loop, or nothing comes after it.
proposes PP603 <<'END'
import torch
s, d = 0, torch.device("cuda")
for x, y in loader:
    loss = f(net(x.to(d)), y)
    loss.backward()
    s += loss.item()
    bar.update(s)
print(s)
END
proposes PP603 <<'END'
import torch
s, d = 0, torch.device("cuda")
for x, y in loader:
    loss = f(net(x.to(d)), y)
    loss.backward()
    s += loss.item()
END
proposes PP613 '    s += loss.detach() * 2' <<'END'
import torch
s = 0
for x, y in loader:
    loss = f(net(x), y)
    loss.backward()
    s += loss * 2
END
proposes PP613 '    s.append(loss.detach())' <<'END'
import torch
s = []
for x, y in loader:
    loss = f(net(x), y)
    loss.backward()
    s.append(loss)
END
proposes PP616 '    x = torch.tensor(np.array([np.ones(3), np.ones(3)]), dtype=torch.float)' <<'END'
import numpy as np
import torch
def f():
    x = torch.tensor([np.ones(3), np.ones(3)], dtype=torch.float)
END
# NumPy is not there by that name.
proposes PP616 <<'END'
import numpy
import torch
def f():
    x = torch.tensor([numpy.ones(3), numpy.ones(3)])
END
proposes PP618 '        self.rows = np.zeros((n, 4), dtype=np.float32)' <<'END'
import numpy as np
import torch
class ReplayMemory:
    def __init__(self, n):
        self.rows = np.zeros((n, 4))
    def push(self, row):
        self.rows[self.at] = row
END
proposes PP618 '        self.rows = np.zeros((n, 4), np.float32)' <<'END'
import numpy as np
import torch
class ReplayMemory:
    def __init__(self, n):
        self.rows = np.zeros((n, 4), np.float64)
    def push(self, row):
        self.rows[self.at] = row
END
proposes PP619 'torch.autograd.set_detect_anomaly(False)' <<'END'
import torch
torch.autograd.set_detect_anomaly(True)
for x, y in loader:
    f(net(x), y).backward()
END
proposes PP619 '    pass' <<'END'
import torch
for x, y in loader:
    f(net(x), y).backward()
    torch.cuda.empty_cache()
END
