#!/bin/bash
# bench/lib/ppcase.py: what scripts print is what they did. Needs numpy, no TensorFlow. The expected
# digests and summaries are computed with struct and plain arithmetic.
set -eu

python=
for candidate in python3 /usr/bin/python3; do
    ! "$candidate" -c 'import numpy' 2>/dev/null || { python=$candidate && break; }
done
[ -n "$python" ] || { echo 'no python3-numpy' && exit 77; }

cat >said.py <<'PY'
"""Runs Python code in a process of its own; returns its marks as {key: [values…]}, in order."""
import os
import subprocess
import sys

ENVIRONMENT = {"PYTHONPATH": os.environ["ROOT"] + "/bench/lib", "PYTHONDONTWRITEBYTECODE": "1",
               "PATH": os.environ["PATH"]}


def run(code, fails=False):
    done = subprocess.run([sys.executable, "-c", "import numpy, ppcase\n" + code],
                          capture_output=True, text=True, env=ENVIRONMENT)
    assert (done.returncode != 0) == fails, done.stderr
    marks = {}
    for line in done.stdout.split("\n"):
        word, _, rest = line.partition(" ")
        if word == "ppcase":
            key, *values = rest.split()
            assert key not in marks, "twice: " + key
            marks[key] = values
    return marks, done
PY
cat >check.py <<'PY'
import hashlib
import math
import struct
import time

from said import run


def digest(code):
    return run(f"ppcase.digest({code})")[0]


def wanted(*parts):
    """(kind, shape, numbers): the digest of them."""
    sha = hashlib.sha256()
    for kind, shape, numbers in parts:
        sha.update((kind + shape).encode())
        sha.update(struct.pack(f"<{len(numbers)}{'q' if kind == 'i' else 'd'}", *numbers))
    return ["sha256:" + sha.hexdigest()]


def near(a, b):
    return abs(a - b) <= 1e-7 * max(abs(a), abs(b))


# The same numbers, however wide their type is; other numbers, shapes and orders are others.
three = wanted(("i", "(3,)", [1, 2, 300]))
for code in ("[1, 2, 300]", "numpy.array([1, 2, 300], 'i2')", "numpy.array([1, 2, 300], 'u8')",
             "numpy.array([1, 0, 2, 0, 300])[::2]", "numpy.array([1, 2, 300], '>i4')"):
    assert digest(code)["digest"] == three, code
for code in ("[1, 2, 301]", "[1, 300, 2]", "[[1, 2, 300]]", "[1.0, 2, 300]", "[1, 2], [300]"):
    assert digest(code)["digest"] != three, code
assert digest("numpy.float32(0.1), [True, False], 'é'")["digest"] == wanted(
    ("f", "()", [struct.unpack("f", struct.pack("f", 0.1))[0]]), ("i", "(2,)", [1, 0]),
    ("i", "(2,)", list("é".encode())))
for code in ("[None]", "b'x'", "object()"):
    _, done = run(f"ppcase.digest({code})", fails=True)
    assert "ppcase.digest takes numbers" in done.stderr, done.stderr

assert digest("numpy.array([1 - 2j])")["digest"] == wanted(("f", "(1, 2)", [1, -2]))


def sign(i):
    """The top bit of the i-th number of splitmix64 from 0."""
    z = i * 0x9E3779B97F4A7C15 % 2**64
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
    return -1 if z >> 63 else 1


# Values: up to 32 as they are, of more the root mean square and a sum with signs of 16 parts.
assert [float(v) for v in digest("[3, 1.5, -2]")["values"]] == [3, 1.5, -2]
assert len(digest("[i / 2 for i in range(32)]")["values"]) == 32
numbers = [math.sin(i) * 10 for i in range(69)]
values = [float(v) for v in digest(repr(numbers))["values"]]
assert len(values) == 32, values
sizes = [5] * 5 + [4] * 11  # 69 in 16 parts, the first ones larger
for i, size in enumerate(sizes):
    part = numbers[sum(sizes[:i]):sum(sizes[:i + 1])]
    rms = math.sqrt(sum(x * x for x in part) / size)
    signed = sum(sign(k + 1) * x for k, x in enumerate(part)) / math.sqrt(size)
    assert near(values[2 * i], rms) and near(values[2 * i + 1], signed + 4 * rms), (i, values)
assert digest("")["values"] == []

# One number of 30000 that is wrong, two that changed places, and rounding: a tolerance of 1e-4 tells them apart.
def change(code):
    """The largest relative change of the values."""
    start = "a = numpy.random.default_rng(1).random(30000)\n"
    old, new = (run(start + c + "\nppcase.digest(a)")[0]["values"] for c in ("", code))
    return max(abs(float(x) - float(y)) / abs(float(x)) for x, y in zip(old, new))


assert change("a[7] *= 2") > 2e-4 and change("a[7] = 0") > 2e-4 and change("a[[7, 8]] = a[[8, 7]]") > 2e-4
assert change("a = a[::-1]") > 1e-2 and change("a = a.astype('float32')") < 1e-7

# What is exact: kinds, shapes, integers and texts, but not the values of floating point.
exact = digest("[1.5, 2], 3, 'x'")["exact"]
assert digest("[9.5, 2], 3, 'x'")["exact"] == exact
for code in ("[1.5, 2, 3], 3, 'x'", "[1, 2], 3, 'x'", "[1.5, 2], 4, 'x'", "[1.5, 2], 3, 'y'", "[[1.5, 2]], 3, 'x'"):
    assert digest(code)["exact"] != exact, code

# The marked part: its time, and its own peak, not that of what was before.
marks, _ = run("""
import time
large = b'x' * (150 << 20)
del large
with ppcase.work():
    part = b'x' * (50 << 20)
    del part
    end = time.perf_counter() + 0.3
    while time.perf_counter() < end:
        pass
""")
assert 0.3 <= float(marks["work_seconds"][0]) < 30, marks
added = int(marks["work_peak_rss_kb"][0]) - int(marks["work_rss_before_kb"][0])
refused = "cannot reset the peak" in run("with ppcase.work(): pass")[1].stderr
# The kernel counts pages in batches.
assert 48 << 10 <= added < (60 << 10) or refused, added
marks, _ = run("with ppcase.work(): raise RuntimeError('of no use')", fails=True)
assert float(marks["work_seconds"][0]) >= 0 and "work_peak_rss_kb" in marks, marks

# Rounds: the first one is not timed, others follow until they took 0.2 s, one at least; the median counts.
marks, done = run("""
import time
times = []
for round in ppcase.work():
    times.append(time.time())
    time.sleep(2 if round == 0 else 0.5 if round == 1 else 0.09)
print("rounds", round, "second began", times[1])
""")
assert "rounds 1 " in done.stdout and 0.5 <= float(marks["work_seconds"][0]) < 2, marks
assert "work_rounds" not in marks and list(marks)[1] == "work_began", marks
assert abs(float(marks["work_began"][0]) - float(done.stdout.split()[-1])) < 0.5, (marks, done.stdout)
marks, done = run("""
import time
for round in ppcase.work():
    time.sleep(0.06 if round % 2 else 0.03)
print("rounds", round)
""")
n = int(marks["work_rounds"][0])
assert 3 <= n <= 5 and f"rounds {n}" in done.stdout and 0.03 <= float(marks["work_seconds"][0]) < 0.3, marks
marks, _ = run("for round in ppcase.work():\n  if round: raise RuntimeError('of no use')", fails=True)
assert float(marks["work_seconds"][0]) >= 0 and "work_peak_rss_kb" in marks, marks

# Steps: one figure each, in order; what breaks off has those it made.
marks, _ = run("""
import time
held = []
for i in ppcase.steps(range(5)):
    held.append(b'x' * (20 << 20))
    end = time.perf_counter() + (0.2 if i == 3 else 0)
    while time.perf_counter() < end:
        pass
""")
seconds = [float(v) for v in marks["step_seconds"]]
resident = [int(v) for v in marks["step_rss_kb"]]
assert len(seconds) == len(resident) == 5 and seconds[3] >= 0.2, marks
assert all(19 << 10 <= b - a <= 22 << 10 for a, b in zip(resident, resident[1:])), resident
marks, _ = run("for i in ppcase.steps(range(9)):\n  if i == 4: break")
assert len(marks["step_seconds"]) == len(marks["step_rss_kb"]) == 4, marks
marks, _ = run("for i in ppcase.steps([]): pass")
assert marks["step_seconds"] == [], marks

# From the start of the process, imports included: not more than it took from outside, to a tick.
begin = time.monotonic()
marks, _ = run("import time; time.sleep(0.5); ppcase.ready()")
assert 0.49 <= float(marks["ready"][0]) <= time.monotonic() - begin + 0.02, marks

# A bar without an end of line is no part of a mark.
marks, _ = run("import sys; sys.stdout.write('50 % [===   ]'); ppcase.digest([1])")
assert marks["digest"] == wanted(("i", "(1,)", [1])), marks
PY
"$python" check.py
