#!/bin/bash
# What bench/cases/README.md tells of the two readers of the pairs is what bench/faithful.csv and the case files say.
set -eu

exec python3 -B - "$ROOT" <<'PYTHON'
import collections, configparser, csv, glob, os, re, sys

root = sys.argv[1]
readme = " ".join(open(f"{root}/bench/cases/README.md").read().split())
fidelity, reasons = {}, {}
for path in glob.glob(f"{root}/bench/cases/[0-9]*/case.ini"):
    case = configparser.RawConfigParser()
    case.read(path)
    fidelity[os.path.basename(os.path.dirname(path))] = case["origin"]["fidelity"]
    reasons[os.path.basename(os.path.dirname(path))] = case["origin"].get("reason", "")
verdicts = collections.defaultdict(dict)
for row in csv.DictReader(open(f"{root}/bench/faithful.csv")):
    assert row["faithful"] in "01" and (row["faithful"] == "1") == (row["fails"] == ""), row
    assert re.fullmatch("a?b?c?d?e?", row["fails"]) and row["reason"], row
    side = 1 if row["reader"] in "13" else 2
    assert side not in verdicts[row["problem_id"]], row
    verdicts[row["problem_id"]][side] = int(row["faithful"])
assert verdicts.keys() == fidelity.keys() and all(len(v) == 2 for v in verdicts.values())

pairs = [(v[1], v[2]) for v in verdicts.values()]
n, first, second = len(pairs), sum(a for a, _ in pairs), sum(b for _, b in pairs)
both, agree = sum(a & b for a, b in pairs), sum(a == b for a, b in pairs)
chance = (first * second + (n - first) * (n - second)) / n ** 2
kappa = (agree / n - chance) / (1 - chance)
assert first == second, "the README tells one number for both"
faithful = [i for i, f in fidelity.items() if f == "faithful"]
for words in (f"{len(faithful)} of the {n} are faithful and {n - len(faithful)} are stand-ins",
              f"Each side calls {first} of the {n} faithful; {both} are faithful to both",
              f"They agree on {agree} (Cohen's kappa {kappa:.3f})"):
    assert words in readme, "bench/cases/README.md does not say: " + words
for i in faithful:
    assert all(verdicts[i].values()), f"{i} is called faithful, and a reader says it is not"
# What a pair measures has a reason: the published symptom, or it is said that there is none.
symptoms = {row["problem_id"]: row["symptom1"] for row in csv.DictReader(open(f"{root}/studies/dlperf/problems.csv"))}
for i in faithful:
    assert ("no symptom is published; time is assumed" in reasons[i]) == (symptoms[i] == "unknown"), f"{i}: {symptoms[i]}, {reasons[i]}"
accepted = sorted(i for i, f in fidelity.items() if f != "faithful" and all(verdicts[i].values()))
assert f"both accept are stand-ins ({', '.join(accepted)})" in readme, accepted
PYTHON
