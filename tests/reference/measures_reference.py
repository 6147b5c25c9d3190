#!/usr/bin/python3
"""What measures of agreement must come to: writes tests/data/agreement/measures.csv.

Values are worked out in fractions, item by item, from the papers that base/stat/coefficient.h names. Bounds
are worked out from lists of items, each with its probability, whose variance is computed as it is defined.
Needs nothing but Python.

    measures_reference.py [FILE]

Ratings are one string per coder, joined by '/': a letter is a code, '.' is missing. An empty field has no value.
"""

import itertools
import random
import sys
from fractions import Fraction
from math import sqrt
from pathlib import Path
from statistics import NormalDist

MEASURES = ["percent", "kappa", "pi", "pabak", "ac1", "fleiss", "alpha"]
SCALES = ["nominal", "linear", "quadratic", "ordinal", "ratio"]
VALUES = [Fraction(v) for v in ("1", "2", "4", "5", "8")]
LEAST = 20
Z = NormalDist().inv_cdf(0.975)


def distance(scale, units):
    """Of two codes."""
    all_ratings = [v for u in units if len(u) > 1 for v in u]

    def ordinal(a, b):
        low, high = sorted((VALUES[a], VALUES[b]))
        between = sum(low < VALUES[v] < high for v in all_ratings)
        ends = sum(VALUES[v] in (low, high) for v in all_ratings)
        return (between + Fraction(ends, 2)) ** 2 if a != b else 0

    return {"nominal": lambda a, b: int(a != b), "linear": lambda a, b: abs(VALUES[a] - VALUES[b]),
            "quadratic": lambda a, b: (VALUES[a] - VALUES[b]) ** 2, "ordinal": ordinal,
            "ratio": lambda a, b: ((VALUES[a] - VALUES[b]) / (VALUES[a] + VALUES[b])) ** 2}[scale]


def weights(scale, units):
    apart = distance(scale, units)
    rated = {v for u in units if len(u) > 1 for v in u}
    most = max((apart(a, b) for a in rated for b in rated), default=0)
    return lambda a, b: max(Fraction(0), 1 - Fraction(apart(a, b)) / most) if most else Fraction(a == b)


def mean(pairs):
    """Of weighted numbers."""
    pairs = list(pairs)
    total = sum(w for w, _ in pairs)
    return sum(w * x for w, x in pairs) / total if total else 0


class Measure:
    """A coefficient of these items: what they agree on, what is expected, and how much a rating adds to that."""

    def __init__(self, measure, scale, columns):
        everything = [[v for v in item if v is not None] for item in zip(*columns)]
        if measure in ("kappa", "fleiss"):
            everything = [u for u in everything if len(u) == len(columns)]
        self.units = [u for u in everything if len(u) > 1]
        self.by_ratings = measure == "alpha"
        if not self.units:
            return
        self.w = w = weights(scale, everything)
        counted = [u for u in everything if u] if measure in ("ac1", "pabak") else self.units
        codes = sorted({v for u in counted for v in u})
        self.shares = p = {c: mean((self.size(u), Fraction(u.count(c), len(u))) for u in counted) for c in codes}
        n = sum(map(len, self.units))
        q = max(2, len(codes))
        total = sum(w(a, b) for a in codes for b in codes) if len(codes) > 1 else 2
        zero = dict.fromkeys(codes, Fraction(0))
        self.gain = [zero, zero]
        if measure == "percent":
            self.expected = Fraction(0)
        elif measure == "pabak":
            self.expected = Fraction(total, q * q)
        elif measure == "ac1":
            self.expected = Fraction(total, q * (q - 1)) * sum(x * (1 - x) for x in p.values())
            self.gain = [{c: Fraction(total, q * (q - 1)) * (1 - 2 * p[c]) for c in codes}] * 2
        else:
            a, b = ([{c: mean((1, u[k] == c) for u in self.units) for c in codes} for k in (0, 1)]
                    if measure == "kappa" else (p, p))
            self.expected = sum(w(x, y) * a[x] * b[y] for x in codes for y in codes)
            self.gain = [{x: 2 * sum(w(x, y) * b[y] for y in codes) for x in codes},
                         {y: 2 * sum(w(x, y) * a[x] for x in codes) for y in codes}]
            if measure == "alpha":  # of different ratings: n (n - 1) ordered pairs
                self.expected = (n * n * self.expected - n) / (n * (n - 1))
        self.n, self.n_ratings = len(self.units), n
        self.observed = mean((self.size(u), self.agreed(u)) for u in self.units)
        self.value = None if self.expected == 1 else (self.observed - self.expected) / (1 - self.expected)

    def size(self, unit):
        return len(unit) if self.by_ratings else 1

    def agreed(self, unit):
        return mean((1, self.w(a, b)) for a, b in itertools.permutations(unit, 2))

    def added(self, unit):
        return (self.gain[0][unit[0]] + sum(self.gain[1][v] for v in unit[1:])) / len(unit)

    def items(self, units, probabilities):
        whole = sum(probabilities)
        return [(float(x / whole), float(self.agreed(u)), float(self.added(u)))
                for x, u in zip(probabilities, units)] if whole else [(1.0, 0.0, 0.0)]

    def bound(self, end, others):
        """The furthest value towards `end` that a test does not refuse."""
        seen = self.items(self.units, [Fraction(self.size(u)) for u in self.units])
        observed, expected, value = map(float, (self.observed, self.expected, self.value))
        there = sum(x * a for x, a, _ in others)

        def refused(tested):
            wanted = expected + tested * (1 - expected)
            t = min(1, max(0, (wanted - observed) / (there - observed))) if there != observed else 0
            mixed = [((1 - t) * x, a, e) for x, a, e in seen] + [(t * x, a, e) for x, a, e in others]
            u = [(x, a - (1 - tested) * e) for x, a, e in mixed]
            middle = sum(x * y for x, y in u)
            variance = sum(x * (y - middle) ** 2 for x, y in u)
            return (abs(value - tested) - 1 / (self.n_ratings * (1 - expected))
                    > Z * sqrt(variance / self.n) / (1 - expected))

        near, far = value, end
        for _ in range(60):
            middle = (near + far) / 2
            near, far = (near, middle) if refused(middle) else (middle, far)
        return near

    def bounds(self):
        codes, p = list(self.shares), self.shares
        pairs = [(a, b) for a in codes for b in codes if a != b]
        differ = self.items(pairs, [p[a] * p[b] for a, b in pairs])
        agree = self.items([(c, c) for c in codes], [p[c] for c in codes])
        least = min(float(self.value), max(-1, float(-self.expected / (1 - self.expected))))
        return self.bound(least, differ), self.bound(1.0, agree)


def row(measure, scale, columns, n_codes):
    start = [len(columns), n_codes, "/".join("".join("." if v is None else "abcde"[v] for v in c) for c in columns),
             measure, scale]
    m = Measure(measure, scale, columns)
    if not m.units:
        return start + ["no_complete" if measure in ("kappa", "fleiss") else "no_items", 0] + [None] * 5
    parts = [m.n, m.observed, m.expected]
    if m.value is None:
        return start + ["one_code_only"] + parts + [None] * 3
    if m.n < LEAST:
        return start + ["few_items"] + parts + [m.value, None, None]
    return start + ["ok"] + parts + [m.value, *m.bounds()]


def draw(dice, n, k, m):
    agree, missing = dice.choice([0, 0.4, 0.7, 0.9, 1]), dice.choice([0, 0, 0.1, 0.4])
    skew = [dice.random() ** dice.choice([1, 4]) + 0.01 for _ in range(k)]
    truth = dice.choices(range(k), skew, k=n)
    return [[None if dice.random() < missing else t if dice.random() < agree
             else dice.choices(range(k), skew)[0] for t in truth] for _ in range(m)]


def main():
    default = Path(__file__).resolve().parent.parent / "data" / "agreement" / "measures.csv"
    path, dice = Path(sys.argv[1]) if len(sys.argv) > 1 else default, random.Random(20261125)
    tables = [([[], []], 2), ([[0], [0]], 2), ([[0] * 30] * 2, 2), ([[0] * 30] * 3, 2), ([[0, 1] * 20, [1, 0] * 20], 2),
              ([[0, 0, 0, 0], [0, 0, 1, 1]], 2), ([[None, 0], [1, None]], 2), ([[0] * 19 + [1], [0] * 20], 2)]
    tables += [(draw(dice, dice.choice([5, 19, 20, 21, 40, 60]), k, m), k)
               for k, m in ((dice.randint(2, 5), dice.choice([2, 2, 3, 4])) for _ in range(40))]
    with open(path, "w", encoding="ascii", newline="\n") as file:
        print("# measures_reference.py", file=file)
        print("n_coders,n_codes,ratings,measure,scale,reason,n_items,observed,expected,value,low,high", file=file)
        for columns, k in tables:
            for measure, scale in itertools.product(MEASURES, SCALES):
                if scale != "nominal" and dice.random() < 0.5 or measure == "kappa" and len(columns) != 2:
                    continue
                cells = row(measure, scale, columns, k)
                print(",".join("" if c is None else c if isinstance(c, str) else str(c) if isinstance(c, int)
                               else f"{float(c):.17g}" for c in cells), file=file)


if __name__ == "__main__":
    main()
