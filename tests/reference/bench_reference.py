#!/usr/bin/env python3
"""Figures that tests/unit/test_bench.c compares bench/statistics.c with; needs scipy.

    tests/reference/bench_reference.py slopes > tests/data/bench-slopes.csv
    tests/reference/bench_reference.py ratios > tests/data/bench-ratios.csv

Slopes are scipy's. Ratios: the bootstrap distribution of a ratio of two medians, exactly: with an odd
number of values the median of a resample is one of them, with a probability that follows from the
binomial distribution; nothing is drawn. Only samples are kept whose 2.5 % and 97.5 % points stand
well inside a step of it, so that 10000 draws find the very same value.
"""

import itertools
import math
import random
import sys


def slopes():
    import numpy
    import scipy
    from scipy.stats import theilslopes

    draw = random.Random(7)
    print(f"# bench_reference.py slopes; scipy {scipy.__version__}, numpy {numpy.__version__}")
    print("values,slope")
    for n in [2, 3, 4, 5, 10, 17, 40, 100] * 6:
        kind = draw.randrange(4)
        values = [round(draw.gauss(0, 1) + kind * i * draw.random(), 6) for i in range(n)]
        if kind == 3:
            values = [round(v) for v in values]  # ties
        print(" ".join(map(repr, values)), repr(float(theilslopes(values)[0])), sep=",")


def median_chances(values):
    """{value: chance that it is the median of a resample}, for an odd number of distinct values."""
    n = len(values)
    def at_most(k):  # that the median is among the k smallest
        p = k / n
        return sum(math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(n // 2 + 1, n + 1))
    return {v: at_most(k + 1) - at_most(k) for k, v in enumerate(sorted(values))}


def quantile(chances, p):
    """The value at p, or None when p is near the edge of its step."""
    below = 0
    for value, chance in sorted(chances):
        if below + chance > p:
            return value if min(p - below, below + chance - p) > 0.008 else None
        below += chance
    return None


def ratios():
    draw = random.Random(11)
    print("# bench_reference.py ratios")
    print("over,under,ratio,low,high,seed")
    rows = 0
    while rows < 40:
        over = [round(draw.lognormvariate(1, 0.3), 6) for _ in range(draw.choice([1, 3, 5, 7]))]
        under = [round(draw.lognormvariate(0, 0.3), 6) for _ in range(draw.choice([1, 3, 5]))]
        if len(set(over)) < len(over) or len(set(under)) < len(under):
            continue
        a, b = median_chances(over), median_chances(under)
        chances = [(x / y, a[x] * b[y]) for x, y in itertools.product(a, b)]
        low, high = quantile(chances, 0.025), quantile(chances, 0.975)
        if low is None or high is None:
            continue
        ratio = sorted(over)[len(over) // 2] / sorted(under)[len(under) // 2]
        print(" ".join(map(repr, over)), " ".join(map(repr, under)), repr(ratio), repr(low),
              repr(high), rows + 1, sep=",")
        rows += 1


{"slopes": slopes, "ratios": ratios}[sys.argv[1]]()
