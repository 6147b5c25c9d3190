#!/bin/bash
# What grows with the square of its input ends a long study: eight times as many codes cost eight times as much time of
# the processor, more or less, and not 64 times, in what reads, writes and merges codebooks.
set -eu
. "$ROOT/tests/lib/dump.sh"
need python3
cat > growth.py <<'PYTHON'
import os, shutil, subprocess, sys

PPMINE = os.environ["PPMINE"]
FEW, TIMES, MOST = 1500, 8, 24  # codes; how many more; how much more they may cost: the square is 64
CHANGE = ["--by", "ann", "--why", "a test"]


def seconds(*command, may=(0,)):
    """Of the processor."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=open("err", "w"))
    _, how, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(how)
    if child.returncode not in may:
        sys.exit(f"{command}: exit {child.returncode}: {open('err').read(300)}")
    return used.ru_utime + used.ru_stime


def study(n, category="C", rules=0):
    shutil.rmtree("work", ignore_errors=True)
    os.makedirs("work/study")
    for name, rows in {
        "study.ini": ["name = growth", "tags = a"], "keywords.txt": ["slow"],
        "codebook.csv": ["facet,category,code,short_name,definition,aliases"]
        + [f"symptom,{category.format(i)},code {i} of all,,what {i} means," for i in range(n)]
        + ["root cause,,bug,,,", "stage,,training,,,"],
        "disambiguation.csv": ["facet,code,versus,rule"]
        + [f"symptom,code {i} of all,code {i + 1} of all,rule {i}" for i in range(rules)],
    }.items():
        with open("work/study/" + name, "w") as out:
            out.writelines(row + "\n" for row in rows)
    seconds(PPMINE, "-d", "work/a.db", "init", "--study", "work/study")


def load(n, header, row, may=(0,)):
    with open("work/file.csv", "w") as out:
        out.write(header + "\n")
        out.writelines(row.format(i, i + 1) + "\n" for i in range(n))
    return seconds(PPMINE, "-d", "work/a.db", "codebook", "load", "work/file.csv", *CHANGE, may=may)


def unknown(n):
    study(n)
    return load(n, "facet,code,definition", "symptom,what {} is not,text", may=(1,))


def definitions(n):
    study(n)
    return load(n, "facet,code,definition", "symptom,code {} of all,another text")


def pairs(n):
    study(n, rules=n - 1)
    return load(n - 1, "facet,code,versus,rule", "symptom,code {} of all,code {} of all,another rule")


def categories(n):
    study(n, category="category {}")
    return load(n, "facet,category,code,definition", "symptom,category {},,another text")


def project(n):
    study(n, category="Above > category {}")
    return seconds(PPMINE, "-d", "work/a.db", "export", "--qdpx", "work/a.qdpx")


def read_project(n):
    study(n)
    seconds(PPMINE, "-d", "work/a.db", "export", "--qdpx", "work/a.qdpx")
    return seconds(PPMINE, "init", "--from", "--study", "work/back", "work/a.qdpx")


def merged(n):
    n //= 3  # SQLite looks for codes that were merged into each code that is replaced
    study(n)
    shutil.copy("work/a.db", "work/b.db")
    load(n, "facet,code,definition", "symptom,code {} of all,another text")
    return seconds(PPMINE, "-d", "work/b.db", "label", "merge", "work/a.db")


wrong = 0
for act in (unknown, definitions, pairs, categories, project, read_project, merged):
    few, many = act(FEW), act(FEW * TIMES)
    bad = many > MOST * max(few, 0.02)
    wrong += bad
    print(f"{act.__name__}: {few:.3f} s, {many:.3f} s{': more than ' + str(MOST) + ' times' if bad else ''}")
sys.exit(wrong > 0)
PYTHON
python3 growth.py
