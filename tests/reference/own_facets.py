"""Codings of a study with facets of its own, and what follows from them, without a word of ppmine.

    python3 own_facets.py sheet SEED >sheet.csv     two coders, one after the other
    python3 own_facets.py alpha sheet.csv           Krippendorff's alpha of the facet fix, MASI distance
    python3 own_facets.py count sheet.csv           how often ann gave each fix, first or later
"""
import csv, random, sys
from itertools import product

SEVERITY = ["minor", "major", "fatal"]
FIX = ["rewrite", "cache", "flag", "upgrade"]


def make(seed):
    dice = random.Random(seed)
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["problem_id", "coder", "is_judged", "severity", "fix1", "fix2", "fix3"])
    for coder in ("ann", "bob"):
        truth = random.Random(7)
        for post in range(1, 61):
            fixes = truth.sample(FIX, truth.randint(1, 3))
            if coder == "bob" and dice.random() < 0.5:
                fixes = dice.sample(FIX, dice.randint(1, 3))
            if dice.random() < 0.1:
                out.writerow([post, coder, "no", "", "", "", ""])
            else:
                out.writerow([post, coder, "yes", dice.choice(SEVERITY),
                              *(fixes + ["", "", ""])[:3]])


def sets(rows):
    """Of each post, the set of fixes of each coder who gave one."""
    found = {}
    for row in rows:
        fixes = frozenset(row[c] for c in row if c.startswith("fix") and row[c])
        if fixes:
            found.setdefault(row["problem_id"], {})[row["coder"]] = fixes
    return found


def masi(a, b):
    """Passonneau 2006: Jaccard times 1, 2/3, 1/3 or 0, as a distance."""
    if a == b:
        return 0.0
    shape = 2 / 3 if a < b or b < a else 1 / 3 if a & b else 0
    return 1 - len(a & b) / len(a | b) * shape


def alpha(rows):
    units = [list(u.values()) for u in sets(rows).values() if len(u) > 1]
    values = [v for u in units for v in u]
    n = len(values)
    seen = sum(masi(a, b) / (len(u) - 1) for u in units for a, b in product(u, u)) / n
    by_chance = sum(masi(a, b) for a, b in product(values, values)) / (n * (n - 1))
    return 1 - seen / by_chance


def main():
    what, argument = sys.argv[1:]
    if what == "sheet":
        return make(int(argument))
    with open(argument, newline="") as file:
        rows = list(csv.DictReader(file))
    if what == "alpha":
        print(f"{alpha(rows):.9f}")
    else:
        given = [fix for u in sets(rows).values() for fix in u.get("ann", ())]
        for fix in FIX:
            print(f"{fix} {given.count(fix)}")


main()
