"""Computes what `screen simulate --each` says from what `--reads` says, another way:

    screen_reference.py TEXTS READS EACH RECALL CONFIDENCE [pair]

The stopping rule looks at every past moment, one by one, with sums of whole terms; ppmine looks at
moments after finds alone, by recurrences.
"""

import csv
import itertools
import math
import sys

LOG_FACTORIAL = [math.lgamma(n + 1) for n in range(10000)]


def log_choose(n, k):
    return LOG_FACTORIAL[n] - LOG_FACTORIAL[k] - LOG_FACTORIAL[n - k]


def at_most(population, marked, drawn, k, odds):
    """P(X <= k) of Fisher's noncentral hypergeometric distribution."""
    low, high = max(0, drawn - (population - marked)), min(drawn, marked)
    log_odds = math.log(odds)
    logs = [log_choose(marked, x) + log_choose(population - marked, drawn - x) + x * log_odds for x in range(low, high + 1)]
    top = max(logs)
    weights = [math.exp(x - top) for x in logs]
    return sum(weights[:max(0, k - low + 1)]) / sum(weights)


def binomial_least(k, n, confidence):
    if k == 0:
        return 0.0
    low, high = 0.0, 1.0
    ways = [math.comb(n, i) for i in range(n + 1)]
    for _ in range(60):
        share = (low + high) / 2
        tail = sum(ways[i] * share**i * (1 - share) ** (n - i) for i in range(k, n + 1))
        low, high = (share, high) if tail < 1 - confidence else (low, share)
    return low


def shown_odds(read):
    half, found, start = (sum(read) + 1) // 2, 0, 0
    while start < len(read) and found < half:
        found += read[start]
        start += 1
    rest = read[start:]
    early, late = sum(rest[:len(rest) // 2]), sum(rest[len(rest) // 2:])
    share = binomial_least(early, early + late, 0.95)
    return 1.0 if share <= 0.5 else min(2.0, (share / (1 - share)) ** (1 / 3))


def stop_p(n, read, recall):
    found = sum(read)
    total = math.floor(found / recall + 1e-9) + 1
    if total - found > n - len(read):
        return 0.0
    odds = shown_odds(read)
    p = min(at_most(n - i, total - before, len(read) - i, found - before, odds)
            for i, before in enumerate(itertools.accumulate(read, initial=0)))
    return min(1.0, p * (3 if odds <= 1 else 1))


def stops_at(included, recall, confidence):
    """By halves: from find to find the p value falls."""
    n, found, at = len(included), 0, 0
    for i, find in enumerate(included):
        found += find
        next_is_find = i + 1 == n or included[i + 1]
        if found and next_is_find and stop_p(n, included[:i + 1], recall) < 1 - confidence:
            at = i + 1
            break
    while at > 1 and not included[at - 1] and \
            stop_p(n, included[:at - 1], recall) < 1 - confidence:
        at -= 1
    return at or n


def main():
    texts, reads, each = (list(csv.DictReader(open(path, encoding="utf-8"))) for path in sys.argv[1:4])
    recall, confidence = float(sys.argv[4]) / 100, float(sys.argv[5]) / 100
    pair = sys.argv[6:] == ["pair"]
    answers = {row["id"]: int(row["included"]) for row in texts}
    for row in each:
        order = [read["id"] for read in reads if read["seed"] == row["seed"]]
        assert sorted(order) == sorted(answers), f"seed {row['seed']}: not every text once"
        included = [answers[text] for text in order]
        n, n_included = len(included), sum(included)
        assert not pair or sorted(included[:2]) == [0, 1], f"seed {row['seed']}: no pair first"
        read_95 = next(i for i in range(n + 1) if sum(included[:i]) >= 0.95 * n_included - 1e-9)
        places = [i + 1 for i, find in enumerate(included) if find]
        if pair and included[0]:
            places = places[1:]
        stop = stops_at(included, recall, confidence)
        expected = {"read_95": read_95, "wss95": (n - read_95) / n - 0.05,
                    "atd": sum(places) / len(places) / n, "stopped_at": stop,
                    "stop_saved": 1 - stop / n, "stop_recall": sum(included[:stop]) / n_included}
        for name, value in expected.items():
            if abs(float(row[name]) - value) > 1e-9:
                sys.exit(f"seed {row['seed']}: {name} is {row[name]}, expected {value}")
        print(f"seed {row['seed']}: read_95 {read_95}, stopped at {stop} of {n}")


main()
