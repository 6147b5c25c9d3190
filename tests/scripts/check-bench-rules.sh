#!/bin/bash
# Rules have pairs in bench/cases/pytorch and bench/cases/tensorflow, named after them: the rule has a finding of medium
# or high impact in buggy.py, all of which are gone in fixed.py, and check says nothing else of either. Each rule for
# PyTorch has one, and each rule of TensorFlow that no case of a post shows, but for those that are named below.
set -eu

python3 - "$PPMINE" "$ROOT" <<'EOF'
import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile

ppmine, root = sys.argv[1:]
LOW = {"pp302"}  # what the rule says has low impact
NONE = {"pp406"}  # no pair: a processor does not wait for what it fetches


def findings(path):
    # Alone: the other script of the pair is no part of its project.
    with tempfile.TemporaryDirectory(dir=".") as alone:
        copy = shutil.copy(path, alone)
        done = subprocess.run([ppmine, "-q", "check", "--no-config", "--all", "--format", "csv", copy],
                              stdout=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{path}: exit code {done.returncode}")
    return [(row["rule"], row["impact"]) for row in csv.DictReader(done.stdout.decode().splitlines())]


def failures(family, wanted, allowed):
    """What is wrong with the pairs of a family, which has those of all the wanted rules; how many it has."""
    cases = os.path.join(root, "bench", "cases", family)
    found = {name for name in os.listdir(cases) if os.path.exists(os.path.join(cases, name, "case.ini"))}
    of = {name: name.partition("_")[0] for name in found}  # "pp301_batch" is a second pair of PP301
    failed = [f"{name}: no pair in bench/cases/{family}" for name in sorted(wanted - set(of.values()))]
    failed += [f"{family}/{name}: a pair of no rule for it" for name in sorted(found) if of[name] not in allowed]
    for name in sorted(found):
        buggy, fixed = (findings(os.path.join(cases, name, side + ".py")) for side in ("buggy", "fixed"))
        if not buggy or any(rule != of[name].upper() for rule, _ in buggy):
            failed.append(f"{family}/{name}/buggy.py: {buggy}")
        if any(impact == "low" for _, impact in buggy) != (name in LOW):
            failed.append(f"{family}/{name}/buggy.py: impact {buggy}")
        if fixed:
            failed.append(f"{family}/{name}/fixed.py: {fixed}")
    return failed, len(found)


listed = subprocess.run([ppmine, "check", "--rules"], stdout=subprocess.PIPE, check=True).stdout.decode()
rules = {rule.lower() for rule in re.findall(r"^PP[0-9]{3}", listed, re.M)}
with open(os.path.join(root, "tests", "data", "check-bench-cases.txt"), encoding="utf-8") as table:
    seen = {rule.lower() for rule in re.findall(r"PP[0-9]{3}", table.read())}
torch = {rule for rule in rules if rule.startswith("pp6")} | {"pp402"}
tensorflow = rules - torch | {"pp402"}
failed, n_torch = failures("pytorch", torch, torch)
more, n_tensorflow = failures("tensorflow", tensorflow - seen - NONE, tensorflow)
failed += more + [f"{name}: no such rule" for name in sorted(NONE - rules)]
with open(os.path.join(root, "bench", "cases", "README.md"), encoding="utf-8") as page:
    said = {rule.lower() for rule in re.findall(r"(PP[0-9]{3}) has no\spair", page.read())}
failed += [] if said == NONE else [f"bench/cases/README.md says that {said} have no pair"]
print("\n".join(failed) or f"{n_torch} and {n_tensorflow} pairs")
sys.exit(bool(failed) or n_torch < 16 or n_tensorflow < 15)
EOF
