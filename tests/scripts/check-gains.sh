#!/bin/bash
# A finding of high or medium impact says what fixing such code gained in the benchmark, from the least to
# the most of the cases in check/rules/gains.csv; findings of low impact, and a rule that no case shows, say
# nothing.
set -eu

python3 - "$PPMINE" "$ROOT" <<'EOF'
import csv
import json
import os
import shutil
import subprocess
import sys

program, root = sys.argv[1:]
WORDS = {"faster": ("time", "work_time", "cpu_time", "init_time"),
         "less slowdown from step to step": ("step_growth",),
         "less memory growth": ("memory_growth",),
         "less memory": ("peak_memory", "peak_memory_total")}


def factor(value):
    return f"{value:.1f}" if value < 10 else f"{value:.0f}"


def said(rows):
    ratios = [row[:2] for row in rows]
    where = ", ".join(dict.fromkeys(word for row in rows for word in row[2:] if word))
    parts = []
    for words, metrics in WORDS.items():
        found = sorted(r for metric, r in ratios if metric in metrics)
        if len(found) == 1:
            parts.append(f"{factor(found[0])}× {words}")
        elif found:
            parts.append(f"{factor(found[0])}–{factor(found[-1])}× {words}")
    return ", ".join(parts) + f" after the fix in our benchmark ({where})" if parts else ""


with open(os.path.join(root, "check", "rules", "gains.csv"), encoding="utf-8") as file:
    gains = [(row["rule"], row["metric"], float(row["ratio"]), row["framework"], row["processors"] + " processors",
              row["changes"]) for row in csv.DictReader(file)]
os.mkdir("code")  # not below tests/, where all would be of low impact
for rule in os.listdir(os.path.join(root, "tests", "check")):
    path = os.path.join(root, "tests", "check", rule, "bad.py")
    if os.path.exists(path):
        shutil.copy(path, os.path.join("code", rule.lower() + ".py"))


def answer_with(*options):
    done = subprocess.run([program, "-q", "check", "--all", "--format", "json", *options, "code"],
                          capture_output=True, text=True)
    return json.loads(done.stdout)


answer = answer_with("--trust", "PP")
if [f["message"] for f in answer["findings"]] != [f["message"] for f in answer_with()["findings"]]:
    sys.exit("--trust changes more than what is certain")
with_gain, without = set(), set()
for f in answer["findings"]:
    expected = ""
    if f["impact"] != "low":
        expected = said([row[1:] for row in gains if row[0] == f["rule"]])
        (with_gain if expected else without).add(f["rule"])
    if f.get("gain", "") != expected:
        sys.exit(f"{f['file']}:{f['line']}: {f['impact']} {f.get('gain')!r}, expected: {expected!r}")
if len(with_gain) < 8 or not without:
    sys.exit(f"with a gain only {with_gain}, without {without}: the test says nothing")
# Pairs that switch off what the framework has on are those that gains.csv says so of.
for name in ("pytorch", "tensorflow"):
    for case in os.listdir(os.path.join(root, "bench", "cases", name)):
        path = os.path.join(root, "bench", "cases", name, case, "fixed.py")
        if os.path.exists(path) and ".enabled = False" in open(path, encoding="utf-8").read() and not any(
                row[0] == case.upper() and row[5] for row in gains):
            sys.exit(f"{case} changes a default, and gains.csv does not say it")
EOF
