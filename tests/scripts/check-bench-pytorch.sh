#!/bin/bash
# Each rule for PyTorch has a pair in bench/cases/pytorch, named after it: the rule has a finding of medium or high
# impact in buggy.py, all of which are gone in fixed.py, and check says nothing else of either.
set -eu

python3 - "$PPMINE" "$ROOT" <<'EOF'
import csv
import os
import re
import subprocess
import sys

ppmine, root = sys.argv[1:]
cases = os.path.join(root, "bench", "cases", "pytorch")
LOW = {"pp608"}  # what the rule says has low impact


def findings(path):
    done = subprocess.run([ppmine, "-q", "check", "--no-config", "--all", "--format", "csv", path],
                          stdout=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{path}: exit code {done.returncode}")
    return [(row["rule"], row["impact"]) for row in csv.DictReader(done.stdout.decode().splitlines())]


listed = subprocess.run([ppmine, "check", "--rules"], stdout=subprocess.PIPE, check=True).stdout.decode()
wanted = {rule.lower() for rule in re.findall(r"^PP6[0-9][0-9]", listed, re.M)} | {"pp402"}
found = {name for name in os.listdir(cases) if os.path.exists(os.path.join(cases, name, "case.ini"))}
failed = [f"{name}: no pair in bench/cases/pytorch" for name in sorted(wanted - found)]
failed += [f"{name}: a pair of no rule" for name in sorted(found - wanted)]
for name in sorted(found):
    buggy, fixed = (findings(os.path.join(cases, name, side + ".py")) for side in ("buggy", "fixed"))
    if not buggy or any(rule != name.upper() for rule, _ in buggy):
        failed.append(f"{name}/buggy.py: {buggy}")
    if any(impact == "low" for _, impact in buggy) != (name in LOW):
        failed.append(f"{name}/buggy.py: impact {buggy}")
    if fixed:
        failed.append(f"{name}/fixed.py: {fixed}")
print("\n".join(failed) or f"{len(found)} pairs")
sys.exit(bool(failed) or len(found) < 20)
EOF
