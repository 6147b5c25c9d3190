#!/usr/bin/python3
"""What agreement and statistics must come to: writes tests/data/agreement/*.csv.

The figures are those of scikit-learn, statsmodels, krippendorff, NLTK, SciPy and mpmath. Where a
library has none (corrected V, Fisher's test beyond 2 x 2) or loses digits, they are worked out here in
fractions, from the papers. The samples are done again in Python, number for number.

    agreement_reference.py [DIRECTORY]      says on stderr how far the second opinions are apart

Needs: pip install numpy scipy statsmodels scikit-learn krippendorff nltk mpmath
Ratings are written one string per coder, joined by '/': a letter is a code, '.' is missing; sets
are words of letters. Numbers have 17 significant digits; an empty field has no value.
"""

import importlib.metadata
import math
import random
import sys
import warnings
from collections import Counter
from fractions import Fraction
from pathlib import Path

import krippendorff
import mpmath
import numpy as np
from nltk.metrics import masi_distance
from nltk.metrics.agreement import AnnotationTask
from scipy import stats
from sklearn.metrics import cohen_kappa_score, confusion_matrix, f1_score
from statsmodels.stats.inter_rater import aggregate_raters, cohens_kappa
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_fleiss
from statsmodels.stats.proportion import proportion_confint, samplesize_confint_proportion

warnings.filterwarnings("ignore")
mpmath.mp.dps = 40

LIBRARIES = ["numpy", "scipy", "statsmodels", "scikit-learn", "krippendorff", "nltk", "mpmath"]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
SEED = 20261121

apart = {}     # statistic: the largest difference of two opinions
replaced = {}  # statistic: the differences that were too large; the exact value was taken


def compare(name, library, exact, digits=1e-9):
    """The library's value, unless it is further than `digits` from the exact one."""
    library, exact = float(library), float(exact)
    difference = abs(library - exact) / max(abs(exact), 1e-300 if name.startswith("p ") else 1)
    if not difference <= digits:
        assert difference < 1e-6, (name, library, exact)
        replaced.setdefault(name, []).append(difference)
        return exact
    apart[name] = max(apart.get(name, 0), difference)
    return library


def number(x):
    return "" if x is None else f"{float(x):.17g}"


def write(directory, name, columns, rows):
    versions = ", ".join(f"{p} {importlib.metadata.version(p)}" for p in LIBRARIES)
    with open(directory / name, "w", encoding="ascii", newline="\n") as f:
        print(f"# agreement_reference.py; Python {sys.version.split()[0]}, {versions}", file=f)
        print(",".join(columns), file=f)
        for row in rows:
            cells = [c if isinstance(c, str) else str(c) if isinstance(c, int) else number(c)
                     for c in row]
            assert len(cells) == len(columns) and not any("," in c for c in cells)
            print(",".join(cells), file=f)


def text_of(columns):
    """Columns of codes (None: missing) as text."""
    return "/".join("".join("." if c is None else LETTERS[c] for c in col) for col in columns)


# --- Cohen ---

def kappa_exact(pairs):
    """Observed, expected and kappa in fractions."""
    n = len(pairs)
    p = {cell: Fraction(c, n) for cell, c in Counter(pairs).items()}
    row, col = Counter(), Counter()
    for (i, j), share in p.items():
        row[i] += share
        col[j] += share
    po = sum((s for (i, j), s in p.items() if i == j), Fraction(0))
    pe = sum((row[c] * col[c] for c in row), Fraction(0))
    return po, pe, None if pe == 1 else (po - pe) / (1 - pe)


def code_rows(pairs, n_codes):
    """Specific agreement and kappa of each code, '-' without a value."""
    words = []
    for c in range(n_codes):
        a, b = [x == c for x, _ in pairs], [y == c for _, y in pairs]
        if not any(a) and not any(b):
            words.append("-:-")
            continue
        exact = kappa_exact(list(zip(a, b)))[2]
        specific = Fraction(2 * sum(x and y for x, y in zip(a, b)), sum(a) + sum(b))
        specific = compare("specific agreement", f1_score(a, b), specific)
        kappa = "-"
        if exact is not None:
            kappa = number(compare("kappa of a code", cohen_kappa_score(a, b), exact))
        words.append(f"{number(specific)}:{kappa}")
    return " ".join(words)


def kappa_row(a, b, n_codes):
    pairs = [(x, y) for x, y in zip(a, b) if x is not None and y is not None]
    start = [n_codes, text_of([a, b])]
    if not pairs:
        return start + ["no_items", 0] + [None] * 3 + [""]
    po, pe, k = kappa_exact(pairs)
    codes = code_rows(pairs, n_codes) if n_codes <= 4 else ""
    if k is None:
        return start + ["one_code_only", len(pairs), po, pe, None, codes]
    x, y = zip(*pairs)
    table = confusion_matrix(x, y, labels=range(n_codes))
    used = [c for c in range(n_codes) if table[c].any() or table[:, c].any()]
    result = cohens_kappa(table[np.ix_(used, used)])
    kappa = compare("kappa", cohen_kappa_score(x, y), k)
    compare("kappa (statsmodels)", result.kappa, k)
    return start + ["ok", len(pairs), po, pe, kappa, codes]


def coders(rng, n_items, n_codes, n_coders, agree, missing):
    """Coders who say the true code with probability `agree`, else one of skewed shares."""
    shares = [rng.random() ** 2 + 0.01 for _ in range(n_codes)]
    truth = rng.choices(range(n_codes), shares, k=n_items)
    columns = []
    for _ in range(n_coders):
        said = [t if rng.random() < agree else rng.choices(range(n_codes), shares)[0]
                for t in truth]
        columns.append([None if rng.random() < missing else s for s in said])
    return columns


def kappa_rows(rng):
    fixed = [([], [], 3), ([0], [0], 2), ([0], [1], 2), ([0] * 9, [0] * 9, 1),
             ([2] * 9, [2] * 9, 4), ([0] * 9, [1] * 9, 2), ([0, 1], [1, 0], 2),
             ([0, 0, 1], [0, 0, 0], 2), ([None, 0], [1, None], 2), ([None] * 4, [0, 1, 2, 1], 3),
             ([0, None, 1], [0, 0, 1], 2),
             ([0, 1, None], [0, 0, None], 2), ([0, 1, 2] * 20, [0, 1, 2] * 20, 3),
             ([0, 1] * 250, [1, 0] * 250, 2), ([0, 1, 2, 3] * 30, [1, 2, 3, 0] * 30, 4),
             ([0] * 499 + [1], [0] * 500, 2), ([0] * 499 + [1], [0] * 499 + [1], 2),
             ([0] * 498 + [1, 0], [0] * 498 + [0, 1], 2)]
    rows = [kappa_row(*f) for f in fixed]
    for _ in range(260 - len(fixed)):
        k, n = rng.randint(1, 12), int(500 * rng.random() ** 3)
        agree = rng.choice([0, 0.3, 0.6, 0.8, 0.9, 0.95, 1])
        a, b = coders(rng, n, k, 2, agree, rng.choice([0, 0, 0.05, 0.3]))
        rows.append(kappa_row(a, b, k))
    return rows


# --- alpha and Fleiss ---

def fleiss_exact(counts):
    """Fleiss' kappa."""
    n, m = len(counts), sum(counts[0])
    p = [Fraction(sum(row[c] for row in counts), n * m) for c in range(len(counts[0]))]
    observed = Fraction(sum(c * (c - 1) for row in counts for c in row), n * m * (m - 1))
    expected = sum(x * x for x in p)
    return None if expected == 1 else (observed - expected) / (1 - expected)


def alpha_exact(units, distance=lambda a, b: Fraction(a != b)):
    units = [u for u in units if len(u) > 1]
    total = Counter(v for u in units for v in u)
    n = sum(total.values())
    observed = Fraction(0)
    for u in units:
        c = Counter(u)
        pairs = sum((c[a] * c[b] * distance(a, b) for a in c for b in c if a != b), Fraction(0))
        observed += pairs / (len(u) - 1)
    expected = sum((total[a] * total[b] * distance(a, b) for a in total for b in total if a != b),
                   Fraction(0))
    return None if expected == 0 else 1 - observed * (n - 1) / expected


def units_of(columns):
    return [[v for v in item if v is not None] for item in zip(*columns)]


def alpha_row(columns, n_codes):
    units = units_of(columns)
    used = [u for u in units if len(u) > 1]
    n_ratings = sum(map(len, used))
    complete = [u for u in units if len(u) == len(columns)]
    row = [len(columns), n_codes, text_of(columns)]
    if not used:
        row += ["no_items", 0, 0, None]
    elif (exact := alpha_exact(units)) is None:
        row += ["one_code_only", len(used), n_ratings, None]
    else:
        data = [[np.nan if v is None else float(v) for v in c] for c in columns]
        library = krippendorff.alpha(data, level_of_measurement="nominal")
        row += ["ok", len(used), n_ratings, compare("alpha", library, exact)]
    if not complete:
        return row + ["no_complete", None]
    counts, _ = aggregate_raters(np.array(complete), n_codes)
    kappa = fleiss_exact([[int(c) for c in r] for r in counts])
    if kappa is None:
        return row + ["one_code_only", None]
    return row + ["ok", compare("fleiss", statsmodels_fleiss(counts), kappa)]


def alpha_rows(rng):
    some = None
    fixed = [([[], []], 2), ([[], [], []], 3), ([[0], [0]], 1), ([[0], [1]], 2), ([[0] * 5] * 3, 2),
             ([[0, some], [some, 1]], 2), ([[0, 1], [0, some], [0, some]], 2),
             ([[0, 1, 2, 1]] * 4, 3), ([[0, 1] * 10, [1, 0] * 10], 2), ([[some] * 3] * 2, 2),
             ([[some, 0, 0, 1], [1, some, 0, 1], [0, 0, some, 1]], 2)]
    rows = [alpha_row(*f) for f in fixed]
    for i in range(320 - len(fixed)):
        k, m, n = rng.randint(1, 12), rng.randint(2, 6), int(150 * rng.random() ** 2)
        agree = rng.choice([0, 0.3, 0.6, 0.8, 0.9, 0.95, 1])
        missing = rng.choice([0.05, 0.2, 0.6, 0.9]) if i % 3 == 0 else 0
        rows.append(alpha_row(coders(rng, n, k, m, agree, missing), k))
    return rows


# --- numbers ---

VALUES = [Fraction(v) for v in ("0", "1", "2", "3", "5", "8", "-1", "0.5", "100", "0.25")]


def number_row(columns):
    units = [[VALUES[v] for v in u] for u in units_of(columns)]
    row = [len(columns), len(VALUES), text_of(columns)]
    if not any(len(u) > 1 for u in units):
        return row + ["no_items", None]
    exact = alpha_exact(units, lambda a, b: (a - b) ** 2)
    if exact is None:
        return row + ["one_code_only", None]
    data = [[np.nan if v is None else float(VALUES[v]) for v in c] for c in columns]
    library = krippendorff.alpha(data, level_of_measurement="interval")
    return row + ["ok", compare("alpha of numbers", library, exact)]


def number_rows(rng):
    rows = [number_row(f) for f in ([[], []], [[0], [0]], [[0], [1]], [[1, 2], [None, None]],
                                    [[1, 1, 2], [1, 2, 2]], [[1, 1, 1], [1, 1, 1]])]
    for _ in range(74):
        m, n = rng.randint(2, 5), int(100 * rng.random() ** 2)
        rows.append(number_row(coders(rng, n, rng.randint(1, len(VALUES)), m,
                                      rng.choice([0, 0.4, 0.7, 0.9, 1]),
                                      rng.choice([0, 0, 0.1, 0.4]))))
    return rows


# --- sets ---

def masi_exact(a, b):
    m = 3 if a == b else 2 if a <= b or b <= a else 1
    return 1 - Fraction(m * len(a & b), 3 * len(a | b))


def set_text(columns):
    return "/".join(" ".join("".join(LETTERS[c] for c in sorted(s)) if s else "." for s in col)
                    for col in columns)


def masi_row(columns):
    units = [[s for s in item if s] for item in zip(*columns)]
    used = [u for u in units if len(u) > 1]
    row = [len(columns), set_text(columns)]
    if not used:
        return row + ["no_items", None, None]
    masi, nominal = alpha_exact(units, masi_exact), alpha_exact(units)
    if masi is None:
        return row + ["one_code_only", None, None]
    data = [(str(c), str(i), s) for c, col in enumerate(columns) for i, s in enumerate(col) if s]
    library = AnnotationTask(data, distance=masi_distance).alpha()
    names = {s: float(i) for i, s in enumerate(sorted({s for u in units for s in u}, key=sorted))}
    coded = [[names[s] if s else np.nan for s in col] for col in columns]
    exact_sets = krippendorff.alpha(coded, level_of_measurement="nominal")
    return row + ["ok", compare("alpha with MASI", library, masi),
                  compare("alpha of exact sets", exact_sets, nominal)]


def set_columns(rng, n, k, m, agree, missing, largest):
    def draw():
        return frozenset(rng.sample(range(k), rng.randint(1, min(k, largest))))
    truth = [draw() for _ in range(n)]
    return [[None if rng.random() < missing else t if rng.random() < agree else
             (t | draw() if rng.random() < 0.3 else draw()) for t in truth] for _ in range(m)]


def masi_rows(rng):
    a, ab = frozenset([0]), frozenset([0, 1])
    rows = [masi_row([[], []]), masi_row([[a], [a]]), masi_row([[a, ab], [ab, ab]]),
            masi_row([[ab] * 3, [ab] * 3]), masi_row([[a, None], [None, ab]])]
    for _ in range(75):
        rows.append(masi_row(set_columns(rng, int(80 * rng.random() ** 2), rng.randint(1, 8),
                                         rng.randint(2, 5), rng.choice([0, 0.4, 0.7, 0.9]),
                                         rng.choice([0, 0, 0.1, 0.4]), rng.choice([1, 2, 2, 4]))))
    return rows


# --- tables ---

def all_tables(rows, cols):
    """All tables of these margins, column by column."""
    if len(cols) == 1:
        yield [list(rows)]
        return

    def columns(i, left):
        if i + 1 == len(rows):
            if left <= rows[i]:
                yield [left]
            return
        for c in range(min(left, rows[i]) + 1):
            for rest in columns(i + 1, left - c):
                yield [c] + rest

    for column in columns(0, cols[0]):
        for rest in all_tables([r - c for r, c in zip(rows, column)], cols[1:]):
            yield [column] + rest


def weights_2x2(table):
    """Of all tables of these margins, and of this one: C(row, a) C(n - row, col - a)."""
    row, col, n = int(table[0].sum()), int(table[:, 0].sum()), int(table.sum())
    low, high = max(0, row + col - n), min(row, col)
    weights = [math.comb(row, low) * math.comb(n - row, col - low)]
    for a in range(low, high):
        weights.append(weights[-1] * (row - a) * (col - a) // ((a + 1) * (n - row - col + a + 1)))
    return weights, weights[int(table[0, 0]) - low]


def weights_rxc(table, limit):
    """n! / product of cell!: the probability but for a constant; None: more than `limit` tables."""
    rows, cols = [int(x) for x in table.sum(1)], [int(x) for x in table.sum(0)]
    factorial = [math.factorial(i) for i in range(sum(rows) + 1)]

    def weight(cells):
        return factorial[-1] // math.prod(factorial[c] for c in cells)

    weights = []
    for other in all_tables(rows, cols):
        if len(weights) == limit:
            return None, None
        weights.append(weight([c for col in other for c in col]))
    return weights, weight([int(c) for c in table.flatten()])


def fisher_exact_p(table, limit=6000):
    """In whole numbers: ties are ties. None when there are too many tables."""
    weights, here = weights_2x2(table) if table.shape == (2, 2) else weights_rxc(table, limit)
    return weights and Fraction(sum(w for w in weights if w <= here), sum(weights))


def corrected_v(chi2, n, r, c):
    """Bergsma 2013."""
    if n < 2:
        return None
    phi2 = max(Fraction(0), chi2 / n - Fraction((r - 1) * (c - 1), n - 1))
    side = min(k - Fraction((k - 1) ** 2, n - 1) for k in (r, c)) - 1
    return min(1, math.sqrt(phi2 / side)) if side > 0 else None


def fisher_fields(table):
    n = int(table.sum())
    if table.shape == (2, 2):
        odds, p = stats.fisher_exact(table)
        exact = fisher_exact_p(table)
        return [compare("p of Fisher, 2 x 2", p, exact, 1e-10), "inf" if math.isinf(odds) else odds]
    exact = fisher_exact_p(table) if n <= 60 and table.size <= 20 else None
    return [exact, None]


def table_row(table):
    table = np.asarray(table, dtype=np.int64)
    r, c = table.shape
    start = [r, c, " ".join(str(int(x)) for x in table.flatten())]
    if r < 2 or c < 2:
        return start + ["one_line"] + [None] * 9
    if table.sum() == 0:
        return start + ["no_data"] + [None] * 9
    if 0 in table.sum(0) or 0 in table.sum(1):
        return start + ["empty_line"] + [None] * 9
    result = stats.chi2_contingency(table, correction=False)
    n = int(table.sum())
    exact = sum(Fraction(int(table[i, j])) ** 2 / (int(table[i].sum()) * int(table[:, j].sum()))
                for i in range(r) for j in range(c))
    exact = n * (exact - 1)
    chi2 = compare("chi-square", result.statistic, exact)
    p = mpmath.gammainc(mpmath.mpf(result.dof) / 2,
                        mpmath.mpf(exact.numerator) / exact.denominator / 2, regularized=True)
    p = compare("p of chi-square", result.pvalue, p, 1e-11)
    expected = result.expected_freq
    products = [int(x) * int(y) for x in table.sum(1) for y in table.sum(0)]
    v = compare("V", stats.contingency.association(table, method="cramer"),
                math.sqrt(exact / n / (min(r, c) - 1)), 1e-10)
    return start + ["ok", chi2, result.dof, p, expected.min(), sum(x < 5 * n for x in products),
                    v, corrected_v(exact, n, r, c)] + fisher_fields(table)


def table_rows(rng):
    g = np.random.default_rng(SEED)
    fixed = [[[0, 0], [0, 0]], [[1, 2, 3]], [[1], [2]], [[0, 0], [3, 4]], [[0, 3], [0, 4]],
             [[1, 0], [0, 1]], [[3, 0], [0, 3]], [[10, 10], [10, 10]], [[8, 2], [1, 5]],
             [[3, 1], [1, 3]], [[500, 1], [1, 500]], [[300, 0], [0, 300]], [[1, 1], [1, 1]],
             [[4000, 3900], [3800, 4100]], [[0, 5], [7, 2]], [[5, 0], [2, 7]],
             [[1, 0, 0], [0, 1, 1]], [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
             [[5, 0, 0], [0, 5, 0], [0, 0, 5]], [[100, 200, 300], [100, 200, 300]],
             [[10, 0], [1, 9], [0, 12]]]
    rows = [table_row(t) for t in fixed]
    for i in range(420):
        r, c = (2, 2) if i % 3 == 0 else (rng.randint(2, 4), rng.randint(2, 4)) if i % 3 == 1 \
            else (rng.randint(2, 8), rng.randint(2, 8))
        n = rng.choice([5, 8, 12, 20, 30] if i % 3 == 1 else [10, 30, 100, 1000, 5000])
        shares = g.dirichlet([rng.choice([0.5, 1, 3])] * (r * c))
        if rng.random() < 0.4:  # nearly independent
            shares = np.outer(g.dirichlet([2] * r), g.dirichlet([2] * c)).flatten()
        table = g.multinomial(n, shares).reshape(r, c)
        if rng.random() < 0.9:  # without empty rows and columns
            table = table[table.any(axis=1)][:, table.any(axis=0)]
        if min(table.shape) > 1 or rng.random() < 0.05:
            rows.append(table_row(table))
    return rows


# --- distributions, proportions, samples ---

def distribution_rows(rng):
    rows = []
    for a in [0.5, 1, 1.5, 2, 3.5, 8, 18, 50, 121.5, 500]:
        for x in [1e-8, 0.01, 0.3, 0.9, 1, 1.2, 2, 5, 12, 40]:
            value = mpmath.gammainc(a, a * x, regularized=True)
            if value > 1e-290:
                rows.append(["gamma", float(a), float(a * x), float(mpmath.gammainc(
                    mpmath.mpf(a), mpmath.mpf(float(a * x)), regularized=True))])
    for p in [1e-300, 1e-100, 1e-20, 1e-10, 1e-6, 0.0005, 0.005, 0.025, 0.05, 0.074, 0.075, 0.0751,
              0.1, 0.25, 0.4, 0.5, 0.6, 0.9, 0.925, 0.95, 0.975, 0.995, 0.999999] \
            + [rng.random() for _ in range(30)]:
        exact = mpmath.mpf(p)
        start = mpmath.mpf(float(stats.norm.ppf(p)))
        z = mpmath.findroot(lambda t: mpmath.log(mpmath.ncdf(t)) - mpmath.log(exact), start)
        rows.append(["quantile", p, 0, compare("quantile", stats.norm.ppf(p), z)])
    return rows


def wilson_rows(rng):
    cases = [(0, 1, 0.95), (1, 1, 0.95), (0, 50, 0.99), (50, 50, 0.99), (1, 10 ** 6, 0.95)]
    while len(cases) < 120:
        n = rng.choice([1, 2, 5, 20, 100, 1000, 123456])
        cases.append((rng.randint(0, n), n, rng.choice([0.5, 0.8, 0.9, 0.95, 0.99, 0.999])))
    return [[k, n, float(c), *proportion_confint(k, n, 1 - c, method="wilson")]
            for k, n, c in cases]


def size_rows(rng):
    rows = []
    for confidence in [0.8, 0.9, 0.95, 0.99]:
        for margin in [0.01, 0.03, 0.05, 0.1, 0.2]:
            n0 = samplesize_confint_proportion(0.5, margin, alpha=1 - confidence)
            for population in [1, 10, 500, 20000, 10 ** 12]:
                n = math.ceil(n0 / (1 + (n0 - 1) / population) - 1e-9)
                rows.append([confidence, margin, population, min(n, population)])
    return rows


def share_rows(rng):
    """Shares of strata by largest remainder, in fractions."""
    rows = []
    for _ in range(40):
        k = rng.randint(1, 6)
        strata = rng.choices(range(k), [rng.random() for _ in range(k)], k=rng.randint(1, 120))
        n = rng.randint(0, 40)
        sizes = [strata.count(h) for h in range(k)]
        wanted = min(n, len(strata))
        quota = [Fraction(wanted * s, len(strata)) for s in sizes]
        shares = [math.floor(q) for q in quota]
        order = sorted(range(k), key=lambda h: (-(quota[h] - shares[h]), h))
        for h in order[:wanted - sum(shares)]:
            shares[h] += 1
        rows.append([n, " ".join(map(str, sizes)), " ".join(map(str, shares))])
    return rows


def main():
    default = Path(__file__).resolve().parent.parent / "data" / "agreement"
    directory = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    directory.mkdir(parents=True, exist_ok=True)
    files = [
        ("kappa.csv", kappa_rows, "n_codes,ratings,reason,n,observed,expected,kappa,codes"),
        ("alpha.csv", alpha_rows, "n_coders,n_codes,ratings,alpha_reason,n_items,n_ratings,alpha,"
                                  "fleiss_reason,fleiss"),
        ("masi.csv", masi_rows, "n_coders,sets,reason,alpha_masi,alpha_exact_sets"),
        ("tables.csv", table_rows, "rows,cols,counts,reason,chi2,df,p,expected_min,below_5,v,"
                                   "v_corrected,fisher_p,odds_ratio"),
        ("distributions.csv", distribution_rows, "function,a,x,value"),
        ("wilson.csv", wilson_rows, "successes,n,confidence,low,high"),
        ("sample_size.csv", size_rows, "confidence,margin,population,n"),
        ("shares.csv", share_rows, "n,sizes,shares"),
        ("numbers.csv", number_rows, "n_coders,n_codes,ratings,reason,alpha"),
    ]
    for i, (name, make, columns) in zip((0, 1, 2, 4, 5, 6, 7, 8, 10), files):  # as when there were more
        rows = make(random.Random(SEED + i))
        write(directory, name, columns.split(","), rows)
        print(f"{name}: {len(rows)} rows", file=sys.stderr)
    for name in sorted(apart):
        print(f"{name}: at most {apart[name]:.1e} from the exact value", file=sys.stderr)
    for name, n in sorted(replaced.items()):
        off = max((d for d in n if not math.isnan(d)), default=0)
        print(f"{name}: exact value taken {len(n)} times; the library is up to {off:.1e} off, and "
              f"NaN {sum(map(math.isnan, n))} times", file=sys.stderr)


if __name__ == "__main__":
    main()
