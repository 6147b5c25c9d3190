"""Codings drawn by chance, imported as sheets; what agree and stats print of them against other programs."""
import csv
import io
import itertools
import math
import random
import subprocess
import sys
import warnings

import krippendorff
import numpy
import pandas
import pingouin
import scipy.stats

warnings.simplefilter("ignore")
CAUSES = ["disk", "cpu", "memory", "network"]


def ppmine(*words):
    return subprocess.run(["ppmine", "-q", *words], check=True, capture_output=True, text=True).stdout


def tables(*words):
    """The tables that a command prints, by their ids."""
    found = {}
    for block in ppmine(*words, "--format", "csv").split("\n\n"):
        for row in csv.DictReader(io.StringIO(block)):
            found.setdefault(row["table"], []).append(row)
    return found


def close(printed, expected, what, within=1e-6):
    if printed == "":
        assert not math.isfinite(expected), (what, "nothing printed", expected)
        return
    assert abs(float(printed) - expected) <= within * max(1, abs(expected)), (what, printed, expected)


def draw(dice, coders, posts):
    rows = {}
    for post in range(1, posts + 1):
        truth, causes = dice.gauss(20, 8), dice.sample(CAUSES, dice.randint(1, 3))
        for coder in coders:
            if dice.random() < 0.08:
                continue
            number = round(max(0, truth + dice.gauss(0, 3)), dice.choice([0, 1, 2]))
            mine = causes if dice.random() < 0.7 else dice.sample(CAUSES, dice.randint(1, 3))
            rows[post, coder] = {
                "cause": mine, "regression": dice.choice(["yes", "no"]) if dice.random() < 0.9 else "",
                "hours": number if dice.random() < 0.93 else None}
    return rows


def sheet(rows, coder, path):
    with open(path, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["problem_id", "is_relevance", "cause1", "cause2", "cause3", "hours", "is_regression"])
        for (post, who), row in sorted(rows.items()):
            if who == coder:
                out.writerow([post, "yes", *(row["cause"] + ["", "", ""])[:3],
                              "" if row["hours"] is None else f"{row['hours']:.3f}", row["regression"]])


def alpha(units, distance):
    """Krippendorff's alpha by all pairs, as its definition has it."""
    units = [u for u in units if len(u) > 1]
    values = [v for u in units for v in u]
    observed = sum(sum(distance(a, b) for a, b in itertools.permutations(u, 2)) / (len(u) - 1) for u in units)
    expected = sum(distance(a, b) for a, b in itertools.permutations(values, 2)) / (len(values) - 1)
    return 1 - observed / expected


def jaccard(a, b):
    return 1 - len(a & b) / len(a | b)


def masi(a, b):
    same = 1 if a == b else 2 / 3 if a <= b or b <= a else 1 / 3 if a & b else 0
    return 1 - (1 - jaccard(a, b)) * same


def check_agreement(rows, coders, posts, base):
    printed = tables("-d", base, "agree", "--all")
    numbers = {r["measure"]: r for r in printed["number-agreement"]}
    matrix = [[rows.get((p, c), {}).get("hours") for p in range(1, posts + 1)] for c in coders]
    matrix = numpy.array([[math.nan if v is None else v for v in line] for line in matrix])
    close(numbers["Krippendorff's alpha"]["value"],
          krippendorff.alpha(reliability_data=matrix, level_of_measurement="interval"), "alpha of numbers")
    whole = [(p, c, matrix[k][p]) for p in range(posts) for k, c in enumerate(coders)
             if not numpy.isnan(matrix[:, p]).any()]
    icc = pingouin.intraclass_corr(pandas.DataFrame(whole, columns=["post", "coder", "hours"]), targets="post",
                                   raters="coder", ratings="hours").set_index("Type")
    row = icc.loc["ICC2" if "ICC2" in icc.index else "ICC(A,1)"]
    close(numbers["ICC(2,1)"]["value"], row["ICC"], "ICC")
    assert int(numbers["ICC(2,1)"]["subjects"]) == len(whole) // len(coders)
    interval = row["CI95%"] if "CI95%" in icc.columns else row["CI95"]
    for name, expected in zip(("low", "high"), interval):
        assert abs(float(numbers["ICC(2,1)"][name]) - expected) < 0.0051, (name, numbers, interval)  # rounded
    sets = [[frozenset(rows[p, c]["cause"]) for c in coders if (p, c) in rows] for p in range(1, posts + 1)]
    for r in printed["coders"]:
        if r["facet"] == "cause" and "distance" in r["measure"]:
            close(r["value"], alpha(sets, masi if "MASI" in r["measure"] else jaccard), r["measure"])
    assert sum("distance" in r["measure"] for r in printed["coders"]) == 2


def check_line(line, values, what):
    values = sorted(values)
    assert int(line["n"]) == len(values), (what, line, len(values))
    for name, expected in (("least", values[0]), ("greatest", values[-1]), ("median", numpy.median(values)),
                           ("quartile1", numpy.quantile(values, 0.25)), ("mean", numpy.mean(values)),
                           ("quartile3", numpy.quantile(values, 0.75))):
        close(line[name], expected, (what, name))
    if len(values) > 1:
        low, high = scipy.stats.t.interval(0.95, len(values) - 1, numpy.mean(values), scipy.stats.sem(values))
        close(line["mean_low"], low, (what, "low"))
        close(line["mean_high"], high, (what, "high"))
        close(line["deviation"], numpy.std(values, ddof=1), (what, "deviation"))


def check_statistics(rows, base):
    """What ann says becomes final, so that stats counts it."""
    mine = {p: r for (p, c), r in rows.items() if c == "ann"}
    ppmine("-d", base, "label", "import", "ann.csv", "--coder", "merged")
    printed = tables("-d", base, "stats")
    check_line(printed["hours"][0], [r["hours"] for r in mine.values() if r["hours"] is not None], "all")
    for line in printed["hours-by-cause"][:-1]:
        check_line(line, [r["hours"] for r in mine.values() if line["cause"] in r["cause"] and
                          r["hours"] is not None], line["cause"])
    counts = {line["code"]: int(line["n"]) for line in printed["regression-code"]}
    for answer in ("yes", "no"):
        assert counts.get(answer, 0) == sum(r["regression"] == answer for r in mine.values())


def trial(seed):
    dice = random.Random(seed)
    coders, posts, base = ["ann", "bob", "cy"][:dice.choice([2, 3])], dice.randint(8, 60), f"{seed}.db"
    rows = draw(dice, coders, posts)
    ppmine("-d", base, "init", "--study", "study")
    for coder in coders:
        sheet(rows, coder, f"{coder}.csv")
        ppmine("-d", base, "label", "import", f"{coder}.csv", "--coder", coder)
    check_agreement(rows, coders, posts, base)
    check_statistics(rows, base)
    ppmine("-d", base, "export", "--open", "--package", f"package{seed}")
    done = subprocess.run([sys.executable, f"package{seed}/check.py"], capture_output=True, text=True)
    assert done.returncode == 0, (seed, done.stdout)


def write_study():
    import os
    os.makedirs("study")
    files = {
        "study.ini": "name = numbers\ntags = python\n", "keywords.txt": "slow\n",
        "facets.csv": "facet,about,kind,most,agreement\nrelevance,post,yes/no,,\n"
                      "cause,problem,multiple,3,kappa masi jaccard\nhours,problem,number,,alpha icc\n"
                      "regression,problem,yes/no,,\n",
        "codebook.csv": "facet,category,code,short_name,definition,aliases\n"
                        + "".join(f"cause,,{c},,,\n" for c in CAUSES)}
    for name, text in files.items():
        with open(f"study/{name}", "w") as file:
            file.write(text)


def main(n):
    write_study()
    for seed in range(n):
        trial(seed)


main(int(sys.argv[1]))
