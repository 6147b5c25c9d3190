#!/bin/bash
# check --try --sandbox: the command, and what it starts, has no network and writes in its copies and its $TMPDIR alone;
# without the option it does what its user can do. Where the system has no sandbox it is refused, and not run.
set -eu

complain() {
    echo "$*"
    exit 1
}

mkdir -p project/data outside tmp
sleep 1000 &
export OTHER=$!
trap 'kill $OTHER' EXIT
export TMPDIR=$PWD/tmp PYTHONDONTWRITEBYTECODE= OUTSIDE=$PWD/outside
cd project
cat >train.py <<'EOF'
import os
import resource
import socket
import subprocess
import sys
import tempfile

import tensorflow as tf


def tried(what):
    try:
        what()
        return "done"
    except OSError as e:
        return type(e).__name__


def write(path):
    with open(path, "a") as f:
        f.write("x")


def load(path):
    return tf.io.decode_jpeg(tf.io.read_file(path))


ds = tf.data.Dataset.from_tensor_slices(["a"]).map(load).batch(2).prefetch(2)
write("here")
with tempfile.TemporaryFile() as f:
    f.write(b"x")
print("outside:", tried(lambda: write(os.environ["OUTSIDE"] + "/a")))
print("child:", subprocess.run([sys.executable, "-c", "import os; open(os.environ['OUTSIDE'] + '/b', 'a')"], stderr=-3).returncode)
kept = os.environ["OUTSIDE"] + "/kept"
print("removed:", tried(lambda: os.unlink(kept)))
if not os.path.exists(kept):
    write(kept)  # for the next run
os.chmod(kept, 0o777)
os.utime(kept, (0, 0))
other = int(os.environ["OTHER"])
print("signal:", tried(lambda: os.kill(other, 0)))
print("limit:", tried(lambda: resource.prlimit(other, resource.RLIMIT_NOFILE)))
print("network:", tried(lambda: socket.socket(socket.AF_INET).close()))
print("local:", tried(lambda: socket.socket(socket.AF_UNIX).close()))
print("loss: 0.5")
EOF
cat >tensorflow.py <<'EOF'
class Dataset:
    @staticmethod
    def from_tensor_slices(items):
        return Dataset()

    def map(self, function, num_parallel_calls=None):
        return self

    def batch(self, n):
        return self

    def prefetch(self, n):
        return self


class data:
    Dataset = Dataset

    class experimental:
        AUTOTUNE = -1


class io:
    read_file = decode_jpeg = None
EOF
# try_it WORD…: runs it, and sets rc; what --same matches must be printed
try_it() {
    rc=0
    : >"$OUTSIDE/kept"
    chmod 600 "$OUTSIDE/kept"
    rm -f "$OUTSIDE/a" "$OUTSIDE/b"
    "$PPMINE" check --try --no-config --all --select PP301 --runs 3 "$@" train.py -- python3 train.py >../out 2>../err || rc=$?
}

if ! "$PPMINE" --version | grep -q '^sandbox: Landlock, seccomp'; then
    try_it --same 'loss: .*' --sandbox
    [ "$rc" = 2 ] || complain "it ran without the sandbox that was asked for: $(cat ../err)"
    [ ! -e "$OUTSIDE/a" ] || complain "it was run all the same"
    exit 0
fi
try_it --same '^(outside|removed|network|local|signal|limit): done$' --same '^child: 0$'
[ "$rc" -le 1 ] || complain "exit $rc: $(cat ../err)"
[ -e "$OUTSIDE/a" ] && [ -e "$OUTSIDE/b" ] && [ "$(stat -c '%a %Y' "$OUTSIDE/kept")" = '777 0' ] ||
    complain "a weak test: the command does nothing"
# Landlock keeps signals since its version 6.
signal=done
[ "$(python3 -c 'import ctypes; print(ctypes.CDLL(None).syscall(444, None, 0, 1))')" -lt 6 ] || signal=PermissionError
try_it --same '^outside: PermissionError$' --same '^child: 1$' --same '^removed: PermissionError$' \
    --same '^network: PermissionError$' --same '^local: PermissionError$' --same '^limit: PermissionError$' \
    --same "^signal: $signal\$" --sandbox
[ "$rc" -le 1 ] || complain "exit $rc: $(cat ../err)"
[ ! -e "$OUTSIDE/a" ] && [ ! -e "$OUTSIDE/b" ] && [ -e "$OUTSIDE/kept" ] || complain "it changed what is outside"
[ "$(stat -c %a "$OUTSIDE/kept")" = 600 ] && [ "$(stat -c %Y "$OUTSIDE/kept")" != 0 ] ||
    complain "it changed the mode or the time of what is outside"
rc=0
PPMINE_NO_SANDBOX=1 "$PPMINE" check --try --no-config --all --select PP301 --sandbox --same 'loss: .*' train.py -- python3 train.py >../out 2>../err || rc=$?
[ "$rc" -gt 1 ] && [ ! -e "$OUTSIDE/a" ] || complain "it ran without the sandbox that was asked for"
