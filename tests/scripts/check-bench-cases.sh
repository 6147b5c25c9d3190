#!/bin/bash
# How many of the benchmark's cases check sees: a rule sees a case when it has more findings, or
# graver ones, in buggy.py than in fixed.py. The table of what it sees is kept beside the tests, so
# that no change loses a case, or claims one, without saying so.
set -eu

python3 - "$PPMINE" "$ROOT/bench/cases" "$ROOT/tests/data/check-bench-cases.txt" <<'EOF'
import collections, csv, os, shutil, subprocess, sys

ppmine, cases, table = sys.argv[1:]

def worth(row):
    return "warning" if row["impact"] != "low" and row["certainty"] == "certain" else "note"

def findings(case, name):
    """Of the file in a folder of its own: a whole project would be read for each."""
    path = os.path.join(cases, case, name)
    shutil.copy(path, "alone.py")
    done = subprocess.run([ppmine, "-q", "check", "--no-config", "--all", "--format", "csv", "alone.py"],
                          stdout=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{path}: exit code {done.returncode}")
    rows = csv.DictReader(done.stdout.decode().splitlines())
    return collections.Counter((row["rule"], worth(row)) for row in rows)

def sees(case):
    buggy, fixed = (findings(case, name + ".py") for name in ("buggy", "fixed"))
    seen = []
    for rule in sorted({rule for rule, _ in buggy}):
        notes, warnings = (buggy[rule, s] - fixed[rule, s] for s in ("note", "warning"))
        if warnings > 0 or (warnings == 0 and notes > 0):
            seen.append(rule if warnings > 0 else rule + " (note)")
    return ", ".join(seen) or "none"

with open(table, encoding="utf-8") as file:
    expected = dict(line.rstrip("\n").split(": ", 1) for line in file
                    if line.strip() and not line.startswith("#"))
found = {case: sees(case) for case in sorted(os.listdir(cases))
         if os.path.exists(os.path.join(cases, case, "case.ini"))}
for case in sorted(expected.keys() | found.keys()):
    if expected.get(case) != found.get(case):
        print(f"{case}: the table has {expected.get(case)!r}, check says {found.get(case)!r}")
seen = sum(rules != "none" for rules in found.values())
warned = sum(any(not rule.endswith("(note)") for rule in rules.split(", ")) and rules != "none"
             for rules in found.values())
print(f"{seen} of {len(found)} cases are seen, {warned} of them by default")
if os.environ.get("WRITE_TABLE"):
    with open(table, "w", encoding="utf-8") as file:
        file.write("# Which rules see which case of bench/cases; see tests/scripts/check-bench-cases.sh.\n")
        file.writelines(f"{case}: {rules}\n" for case, rules in found.items())
elif expected != found:
    sys.exit(f"{table} no longer tells what check sees")
assert len(found) > 50
EOF
