#!/bin/bash
# What public reports of slow programs were about is found without any option: small programs of the same kinds, which
# are cases of the rules. (The test of a rule trusts it, this one does not.)
set -eu

python3 - "$PPMINE" "$ROOT" <<'PYTHON'
import os, subprocess, sys, tempfile
sys.path.insert(0, os.path.join(sys.argv[2], "tests/lib"))
import check_cases

KINDS = [
    ("PP102", "a schedule of the learning rate in the loop that runs it"),
    ("PP102", "nodes in the graph that the object keeps, at each call"),
    ("PP303", "prefetch before shuffle and batch, and none at the end"),
    ("PP405", "at each request of a web service, in what the handler calls"),
    ("PP412", "minimize() of a function, in a long loop"),
    ("PP423", "one state of a sample that is drawn, with an axis added"),
    ("PP434", "a callback, for the layers of each batch"),
    ("PP501", "dropout of the state, in a model that is trained"),
    ("PP603", ".item() in a part of a module that is compiled"),
    ("PP613", "the state of a module, of itself"),
    ("PP615", "the column of a table before its row"),
    ("PP616", "a column of what was appended, through a sample and zip"),
]

missed = []
for rule, title in KINDS:
    path = os.path.join(sys.argv[2], "tests/check", rule, "bad.py")
    case = next(c for c in check_cases.read_cases(path) if c.title == title)
    with tempfile.TemporaryDirectory() as folder:
        check_cases.write_files(case, folder)
        done = subprocess.run([sys.argv[1], "-q", "check", "--no-config", "--format", "csv"], cwd=folder,
                              capture_output=True, text=True, check=False)
    found = {(line.split(",")[0], int(line.split(",")[5])) for line in done.stdout.splitlines()[1:]}
    wanted = {(rule, line) for _, line, _ in case.expected(rule)}
    if not wanted <= found:
        missed.append((rule, title, sorted(wanted), sorted(found)))
assert not missed, missed
PYTHON
