#!/bin/bash
# check --try measures each fix with the user's own command, refuses one that changes the result, and leaves the folder as it is.
# A tensorflow of our own stands in: only its map() knows how long it takes.
set -eu

complain() {
    echo "$*"
    exit 1
}

mkdir -p project/data tmp
export TMPDIR=$PWD/tmp PYTHONDONTWRITEBYTECODE=
cd project
echo 1.5 >data/bias.txt
mkfifo data/pipe
cat >tensorflow.py <<'EOF'
import sys
import time

cost = 0.4
aside = 0.01


class Dataset:
    def __init__(self, items=()):
        self.items = list(items)

    def __iter__(self):
        return iter(self.items)

    @staticmethod
    def from_tensor_slices(items):
        return Dataset(items)

    list_files = from_tensor_slices

    def map(self, function, num_parallel_calls=None):
        time.sleep(aside if num_parallel_calls else cost)
        # One of the two is not what it was when it runs side by side.
        wrong = 1.0 if num_parallel_calls and function.__name__ == "unstable" else 0.0
        return Dataset([function(item) + wrong for item in self.items])

    def batch(self, n):
        return self

    def prefetch(self, n):
        return self


class data:
    Dataset = Dataset

    class experimental:
        AUTOTUNE = -1


class io:
    @staticmethod
    def read_file(x):
        return x

    @staticmethod
    def decode_jpeg(x):
        return x


image = io
EOF
cat >inputs.py <<'EOF'
import tensorflow as tf


def stable(path):
    return tf.io.decode_jpeg(tf.io.read_file(path)) * 2


def unstable(path):
    return tf.io.decode_jpeg(tf.io.read_file(path)) * 3


def first(items):
    return tf.data.Dataset.from_tensor_slices(items).map(stable).batch(2).prefetch(2)


def second(items):
    return tf.data.Dataset.from_tensor_slices(items).map(unstable).batch(2).prefetch(2)
EOF
cat >unused.py <<'EOF'
import tensorflow as tf
import inputs


def other(items):
    return tf.data.Dataset.from_tensor_slices(items).map(inputs.stable).batch(2).prefetch(2)
EOF
cat >train.py <<'EOF'
import os

import inputs

bias = float(open("data/bias.txt").read())
assert not os.path.exists("checkpoint"), "left by an earlier run"
loss = sum(inputs.first([0.5, 0.25])) + sum(inputs.second([0.5, 0.25])) + bias
print("loss: %.6f" % loss)
with open("checkpoint", "w") as out:
    out.write("%r\n" % loss)
EOF
before=$(find . -type f ! -path '*__pycache__*' -exec sha256sum {} + | sort)

# try ARGUMENT…: with three runs of each
try() {
    rc=0
    ppmine check --try --all --select PP301 --runs 3 "$@" >out 2>err || rc=$?
}

# verdict PLACE: what is said of it
verdict() {
    jq -r --arg place "$1" '.[] | select(.place == $place) | .result' out
}

ppmine check --all --select PP301 --diff >all.diff 2>/dev/null || :
[ "$(grep -c '^+.*num_parallel_calls' all.diff)" -eq 3 ] || complain "not three fixes: $(cat all.diff)"
rm -f all.diff

try -f json --same 'loss: [0-9.]+' --patch ../fast.patch -- "$(command -v python3)" train.py
[ "$rc" -eq 0 ] || complain "exit code $rc: $(cat out err)"
[ "$(verdict inputs.py:13)" = faster ] || complain "the fix that helps: $(cat out)"
[ "$(verdict inputs.py:17)" = 'another result' ] || complain "the fix that changes the loss: $(cat out)"
[ "$(verdict unused.py:6)" = 'not read' ] || complain "the fix of a file that is not run: $(cat out)"
jq -e '.[0] | .times_faster > 1.2 and .low > 1 and .low <= .times_faster and .times_faster <= .high and .seconds_before > .seconds_after' out >/dev/null ||
    complain "figures: $(cat out)"
grep -q "loss: 7.250000', not 'loss: 5.250000" out || complain "why it was refused: $(cat out)"

# The patch is what helps, and only that; it says what was measured.
grep -q '^Make the run [1-9][0-9.]* times faster$' ../fast.patch || complain "$(cat ../fast.patch)"
grep -q "printed 'loss: \[0-9.\]+'" ../fast.patch || complain "$(cat ../fast.patch)"
[ "$(grep -c '^+.*num_parallel_calls' ../fast.patch)" -eq 1 ] || complain "$(cat ../fast.patch)"
cp -r . ../patched
(cd ../patched && rm -rf .git && git init -q . && git apply ../fast.patch) || complain "git apply refuses the patch"
grep -q 'map(stable, num_parallel_calls' ../patched/inputs.py || complain "the patch changes another line"

# A file that must be the same; digits within a tolerance.
try -f csv --same-file checkpoint --tolerance 50 inputs.py -- python3 train.py
grep -q '^inputs.py:17,PP301,[^,]*,faster' out || complain "--tolerance 50: $(cat out err)"
grep -q '^,,all that help,faster' out || complain "no row for both: $(cat out)"
sed -i 's/^cost = .*/cost = 0.01/' tensorflow.py
try -f csv --same-file checkpoint inputs.py -- python3 train.py
grep -q '^inputs.py:17,PP301,[^,]*,another result' out || complain "--same-file: $(cat out err)"

# Nothing of the project changed, and nothing is left.
sed -i 's/^cost = .*/cost = 0.4/' tensorflow.py
after=$(find . -type f ! -path '*__pycache__*' ! -name out ! -name err -exec sha256sum {} + | sort)
[ "$before" = "$after" ] || complain "the folder changed: $(diff <(echo "$before") <(echo "$after"))"
[ -z "$(ls -A "$TMPDIR")" ] || complain "left in TMPDIR: $(ls -AR "$TMPDIR")"

# What cannot be measured is said at once.
sed -i 's/^cost = .*/cost = 0.01/' tensorflow.py
says() { # says RC WORDS ARGUMENT…
    local wanted=$1 words=$2
    shift 2
    try "$@"
    [ "$rc" -eq "$wanted" ] || complain "$*: exit code $rc, expected $wanted: $(cat err)"
    grep -qF -- "$words" err || complain "$*: no word of '$words': $(cat err)"
}
says 2 'the command to measure follows --' --same loss
says 2 'say what must stay the same' -- python3 train.py
says 2 'nothing that the command prints matches' --same 'accuracy: .*' -- python3 train.py
says 2 'is not an extended regular expression' --same '(' -- python3 train.py
says 3 'fails without any change: exit code 3' --same loss -- python3 -c 'raise SystemExit(3)'
says 3 'gives another result each time' --same 'loss: .*' -- sh -c 'echo loss: $$'
says 3 'writes no file other' --same-file other -- python3 train.py
says 2 'changes no files' --fix --same loss -- python3 train.py

# A command that changes its mind in its fourth run, which is one without the fix: the fix is not blamed.
cat >moody.py <<'EOF'
import os

count = os.environ["TMPDIR"] + "/../count"
with open(count, "a+") as file:
    file.write("x")
    file.seek(0)
    runs = len(file.read())
import inputs
print("loss: %d" % (9 if runs == 4 else 1))
EOF
says 3 'without any change, the command does not do the same each time' --same 'loss: .*' inputs.py -- python3 moody.py
rm -f moody.py
[ "$(wc -c <../count)" -eq 4 ] || complain "it stopped after $(wc -c <../count) runs, expected 4"

# Fixes that make nothing faster: exit code 1. They make it slower here, so that noise does not look like a gain.
sed -i 's/^aside = .*/aside = 0.3/' tensorflow.py
try -f csv --same loss -- python3 train.py
[ "$rc" -eq 1 ] || complain "nothing helps, but exit code $rc: $(cat out err)"
sed -i 's/^aside = .*/aside = 0.01/' tensorflow.py

# The command runs in a copy of this folder: a file outside of it would not be the one that is changed.
mkdir ../elsewhere
cd ../elsewhere
says 3 "../project/inputs.py is not in $PWD" --same loss ../project/inputs.py -- true
grep -q 'call check from the folder of the project' err || complain "no word of what to do: $(cat err)"
cp ../project/inputs.py inputs.py
echo 'print("loss: 1")' >train.py
try -f csv --same loss inputs.py ../project/inputs.py -- python3 train.py
grep -q 'changes to files outside of this folder, such as ../project/inputs.py, are not tried' err ||
    complain "no word of the file that is not tried: $(cat err)"
