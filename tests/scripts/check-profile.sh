#!/bin/bash
# check --profile: recordings of one small program by four profilers. Shares are those that the profilers give
# (computed here by Python from the recordings), what the profile cannot tell is said, damaged files are refused.
set -eu

fail() { echo "$*"; exit 1; }
cp -r "$ROOT/tests/data/profile" project
profile() { # FILE ARGUMENT…
    ppmine check --no-config --fail-on never --profile "$@" >out 2>err || fail "$*: $(cat err)"
}

python3 - "$PPMINE" <<'END'
import json, marshal, subprocess, sys

LINES = {"project/train.py": open("project/train.py").read().split("\n")}


def check(name):
    done = subprocess.run([sys.argv[1], "-q", "check", "--no-config", "--fail-on", "never", "--all", "--format", "json",
                           "--profile", "project/" + name, "project"], capture_output=True, check=True)
    said = json.loads(done.stdout)
    return {f["rule"]: f for f in said["findings"]}, {(h["file"], h["line"]): h["share"] for h in said["hot"]}


def same(what, ours, theirs):
    assert abs(ours - theirs) < 0.01, (what, ours, theirs)


# py-spy: the share of samples in which the line is on the stack.
d = json.load(open("project/py-spy.json"))
frames, (only,) = d["shared"]["frames"], d["profiles"]
total = sum(only["weights"])
line = 1 + LINES["project/train.py"].index("        out = torch.cat([out, model(x)])")
theirs = sum(w for stack, w in zip(only["samples"], only["weights"])
             if any(frames[i]["file"].endswith("/train.py") and frames[i]["line"] == line for i in stack)) / total
found, hot = check("py-spy.json")
assert theirs > 0.2
same("py-spy", found["PP402"]["share"], theirs)
assert found["PP604"]["share"] < 0.01
(place, share), *_ = hot.items()
theirs = sum(w for stack, w in zip(only["samples"], only["weights"])
             if next((frames[i]["line"] for i in reversed(stack) if "/home/ada/project/train.py" == frames[i]["file"]),
                     0) == place[1]) / total
same("py-spy, the hottest place", share, theirs)
assert len(hot) == 5 and sorted(hot.values(), reverse=True) == list(hot.values())

# Scalene: its own percentages; the line that calls model() has that time too.
d = json.load(open("project/scalene.json"))
rows = {r["lineno"]: sum(r[k] for k in ("n_cpu_percent_python", "n_cpu_percent_c", "n_sys_percent"))
        for r in d["files"]["/home/ada/project/train.py"]["lines"]}
found, hot = check("scalene.json")
same("Scalene", found["PP402"]["share"],
     (rows[line] + rows.get(1 + LINES["project/train.py"].index("    return x * 2"), 0)) / 100)
for (file, at), share in hot.items():
    if file == "project/train.py":
        same(f"Scalene, line {at}", share, rows[at] / 100)

# cProfile: the function's cumulative time, as pstats shows it.
stats = marshal.load(open("project/cprofile.prof", "rb"))
total = sum(s[2] for s in stats.values())
found, hot = check("cprofile.prof")
(theirs,) = (s[3] / total for key, s in stats.items() if key[2] == "evaluate")
same("cProfile", found["PP402"]["share"], theirs)
assert "its function takes" in found["PP402"]["profile"]

# PyTorch's trace: evaluate has 400 of 1000 microseconds; model 200 + 80. Older releases count them from 1970.
d = json.load(open("project/trace.json"))
for event in d["traceEvents"]:
    if "ts" in event:
        event["ts"] += 1621401187223005
json.dump(d, open("project/since-1970.json", "w"))
# A second process with a thread of the same number, which does all of it in half of the time.
start = min(e["ts"] for e in d["traceEvents"] if "ts" in e)
other = [dict(e, pid=e["pid"] + 1, ts=e["ts"] - (e["ts"] - start) / 2, dur=e["dur"] / 2) for e in d["traceEvents"] if "dur" in e]
d["traceEvents"] += other
assert len(other) > 3
json.dump(d, open("project/two-processes.json", "w"))
for name in "trace.json", "since-1970.json", "two-processes.json":
    found, hot = check(name)
    same(name, found["PP402"]["share"], 0.4)
    same(name + ", model", hot["project/train.py", 16], 0.28)
END

# By default: the likely finding that takes time is shown, the certain one that takes none is not.
profile project/py-spy.json project
grep -q 'PP402 medium, likely' out || fail "a likely finding is hidden: $(cat out)"
! grep -q PP604 out || fail "a certain finding that takes no time is shown: $(cat out)"
grep -q 'left out: 2 that take less than 1 %' err || fail "it is not said: $(cat err)"
grep -q 'profile: speedscope; [0-9.]* % of its time is in the files checked, 0.0 % in their import' err || fail "$(cat err)"
share=$(sed -n 's/^    profile: \([0-9.]*\) % .*/\1/p' out) gain=$(sed -n 's/.*at most \([0-9.]*\)×.*/\1/p' out)
awk -v s="$share" -v g="$gain" 'BEGIN { d = g - 1 / (1 - s / 100); exit !(s > 0 && d < 0.01 && d > -0.01) }' || fail "the gain: $(cat out)"
grep -A1 'train.py:[0-9]*: [0-9.]* % of the time, in the loop of line 30, in shuffle, called from line 43$' out |
    grep -q '^ *> order\[i\], ' ||
    fail "the hottest places: $(cat out)"
profile project/trace.json project
grep -q 'train.py:16: 28.0 % of the time, waits for the GPU, in model' out || fail "the GPU: $(cat out)"
for format in csv html sarif github; do
    profile project/py-spy.json --format "$format" project
    grep -q 'a fix gains at most' out || fail "$format does not say it: $(cat out)"
done

# The code changed since: nothing is promised.
run=$PWD
mkdir ../after # away from the project as it was
cp -r project ../after/moved
cd ../after
sed -i '1i # a line more' moved/train.py
for file in py-spy.json scalene.json cprofile.prof trace.json; do
    profile "moved/$file" --all moved
    grep -q 'PP402' out && ! grep -q 'train.py.*gains at most' out || fail "$file, after a change: $(cat out)"
    grep -A5 'PP402' out | grep -q 'does not tell: the file changed' || fail "$file, after a change: $(cat out)"
done
cd "$run"

# Pipelines, graphs and workers: the profile shows their time elsewhere.
mkdir tf
cat >tf/train.py <<'END'
import tensorflow as tf
ds = tf.data.TFRecordDataset("x").map(lambda r: tf.io.decode_png(r))
END
printf '{"elapsed_time_sec": 1, "files": {"tf/train.py": {"lines": [{"lineno": 2, "n_cpu_percent_c": 30.5}]}}}' >tf.json
profile tf.json tf
grep -q 'PP301 high' out && grep -q 'profile: waits here' out && ! grep -q 'gains at most' out || fail "a pipeline: $(cat out)"

# Imports are no place to mend: they are summed up, and not among the hottest.
python3 - <<'END'
import json
d = json.load(open("project/py-spy.json"))
d["shared"]["frames"].append({"name": "<module>", "file": "/home/ada/project/train.py", "line": 1})
only = d["profiles"][0]
only["samples"].append([len(d["shared"]["frames"]) - 1])
only["weights"].append(sum(only["weights"]))
json.dump(d, open("project/imports.json", "w"))
END
profile project/imports.json project
grep -q 'files checked, 50.0 % in their import statements' err && ! grep -q 'train.py:1:' out || fail "imports: $(cat out err)"

# py-spy 0.4 names functions by all that is around them: the same shares.
profile project/py-spy.json --format json project
mv out plain
sed -E 's/("name": ?")(forward|rnn)"/\1Net.\2"/; s/("name": ?")(shuffle|evaluate|model|batches|cat|train)"/\1train.<locals>.\2"/' project/py-spy.json >project/named.json
! cmp -s project/py-spy.json project/named.json || fail "no name was changed"
profile project/named.json --format json project
cmp plain out || fail "functions with the names around them"

# A finding that points at the head of a function has the time of the function: none is spent in the head.
mkdir eager
cp "$ROOT/bench/cases/tensorflow/pp412/buggy.py" eager/train.py
head=$(grep -n '^def train_step' eager/train.py | cut -d: -f1)
python3 - "$head" <<'END'
import json, marshal, sys
head = int(sys.argv[1])
marshal.dump({("eager/train.py", head, "train_step"): (9, 9, 6.25, 6.25, {}),
              ("eager/train.py", 1, "<module>"): (1, 1, 3.75, 10.0, {})}, open("eager.prof", "wb"))
lines = [{"lineno": head + at, "n_cpu_percent_c": 12.5} for at in (1, 2, 3, 4)] + [{"lineno": 1, "n_cpu_percent_c": 50}]
json.dump({"elapsed_time_sec": 1, "files": {"eager/train.py": {"lines": lines}}}, open("eager.json", "w"))
END
profile eager.json eager
grep -q 'profile: 50.0 % of the time; a fix gains at most 2.00×' out || fail "a function, by lines: $(cat out)"
profile eager.prof eager
grep -q 'profile: its function takes 62.5 % of the time' out || fail "a function, by functions: $(cat out)"

# The caller that ran is named, not the first in the code, and also where a library is between the two. Scalene knows none.
mkdir callers
cat >callers/train.py <<'END'
import torch
def work(x):
    return x.sort()
def unused():
    work(torch.zeros(3))
def trains():
    work(torch.zeros(5))
def tests():
    work(torch.zeros(5))
END
python3 - <<'END'
import json, marshal
file, library = "callers/train.py", "/x/site-packages/y.py"
frames = [{"name": "trains", "file": file, "line": 7}, {"name": "call", "file": library, "line": 1},
          {"name": "work", "file": file, "line": 3}, {"name": "tests", "file": file, "line": 9}]
json.dump({"shared": {"frames": frames}, "profiles": [{"samples": [[0, 1, 2], [3, 2]], "weights": [3, 1]}]},
          open("callers.json", "w"))
work, trains, tests = ((file, line, name) for line, name in ((2, "work"), (6, "trains"), (8, "tests")))
marshal.dump({work: (9, 9, 8.0, 8.0, {trains: (6, 6, 6.0, 6.0), tests: (3, 3, 2.0, 2.0)}),
              trains: (1, 1, 1.0, 7.0, {}), tests: (1, 1, 1.0, 3.0, {})}, open("callers.prof", "wb"))
json.dump({"traceEvents": [dict(cat="python_function", tid=1, ts=ts, dur=dur, name=f"{file}({line}): {name}")
                           for ts, dur, line, name in ((1, 4, 6, "trains"), (2, 3, 2, "work"), (6, 2, 8, "tests"),
                                                       (6, 1, 2, "work"))]}, open("callers.trace", "w"))
json.dump({"elapsed_time_sec": 1, "files": {file: {"lines": [{"lineno": 3, "n_cpu_percent_c": 90}]}}},
          open("callers.scalene", "w"))
END
for row in 'json:3: 100.0 %, 7 (75 % of its time)' 'prof:2: 80.0 %, 6 (75 % of its time)' \
    'trace:2: 57.1 %, 6 (75 % of its time)' 'scalene:3: 90.0 %, 5 and 2 other places'; do
    profile "callers.${row%%:*}" callers
    at=${row#*:}
    grep -q "train.py:${at%%,*} of the time, in work, called from line ${at#*, }\$" out || fail "callers, $row: $(cat out err)"
done

# What backward() does for the ops of a forward pass is in another line: the bound has it. A loop that an op replaces counts
# whole. A graph that grows slows what runs later: no bound.
mkdir forward
cat >forward/train.py <<'END'
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.LSTM(4, 4)
    def forward(self, x, state):
        for t in range(x.size(0)):
            y, state = self.rnn(x[t].view(1, 1, -1), state)
            print(t)
        return y
def train(net, optimizer, loader):
    total = 0
    for x, state in loader:
        loss = net(x, state).sum()
        loss.backward()
        total += loss
        optimizer.step()
END
python3 - <<'END'
import json
lines = [{"lineno": at, "n_cpu_percent_c": share} for at, share in ((9, 10), (10, 5), (16, 45), (17, 20), (18, 20))]
json.dump({"elapsed_time_sec": 1, "files": {"forward/train.py": {"lines": lines}}}, open("forward.json", "w"))
END
profile forward.json --all forward
grep -q 'profile: 15.0 % of the time, backward() 45.0 %, some of it for this; a fix gains at most 2.50×$' out || fail "forward: $(cat out)"
grep -A9 'PP613' out | grep -q 'does not tell: what it leaves behind' || fail "a graph that is kept: $(cat out)"

# What is not a profile is refused by name.
refused() { # WORDS FILE
    local rc=0
    ppmine check --no-config --profile "$2" project >out 2>err || rc=$?
    [ "$rc" -eq 3 ] && grep -q "$1" err || fail "$2: exit code $rc: $(cat err)"
}
head -c 900 project/cprofile.prof >half; refused 'damaged' half
head -c 900 project/py-spy.json >half; refused 'not valid JSON' half
gzip -c project/trace.json >packed; refused 'compressed' packed
echo '{"a": 1}' >other; refused 'no profiler that is known' other
echo '{"traceEvents": []}' >empty; refused 'no stacks' empty
echo '{"elapsed_time_sec": 1, "files": {"/x/other.py": {"lines": [{"lineno": 1, "n_cpu_percent_c": 9}]}}}' >other; refused 'another program' other
: >nothing; refused 'damaged' nothing
rc=0; ppmine check --profile nowhere project 2>err || rc=$?; [ "$rc" -eq 6 ] || fail "a file that is not there: $rc"

# A file of the profile that may be either of two is named, and its time is given to neither.
mkdir -p both/a both/b && cp project/train.py both/a && cp project/train.py both/b && cp project/py-spy.json . && rm -r project
rc=0; ppmine check --no-config --profile py-spy.json both >out 2>err || rc=$?
[ "$rc" -eq 3 ] && grep -q '/home/ada/project/train.py may be any of several files' err || fail "two files: $rc: $(cat err)"
