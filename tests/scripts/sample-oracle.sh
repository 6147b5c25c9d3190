#!/bin/bash
# ppmine sample draws what a few lines of Python draw: numbers by hashlib, sizes by Cochran's formula
# with statistics.NormalDist, shares by largest remainder in fractions; and the order in which posts
# came into the database makes no difference.
set -eu

cat >dump.py <<'PY'
import random, sys

seed, order = int(sys.argv[1]), sys.argv[2]
r = random.Random(seed)
rows = []
for i in r.sample(range(1, 2**31), 3000):
    tags = r.sample(["keras", "tensorflow", "tensorflow2.0", "python", "keras-layer"], r.randint(1, 3))
    if not any(t.startswith(("keras", "tensorflow")) for t in tags):
        tags.append("keras")
    rows.append('<row Id="%d" PostTypeId="1" CreationDate="%d-0%d-01T00:00:00.000" Title="t" Tags="%s"'
                ' Body="&lt;p&gt;%s&lt;/p&gt;" />'
                % (i, r.choice([2018, 2018, 2018, 2019, 2020]), r.randint(1, 9),
                   "".join("&lt;%s&gt;" % t for t in tags), r.choice(["very slow", "out of memory", "fine"])))
if order == "reversed":
    rows.reverse()
elif order == "shuffled":
    random.Random(99).shuffle(rows)
print("<posts>", *rows, "</posts>", sep="\n")
PY
for order in given reversed shuffled; do
    python3 dump.py 5 $order >Posts.xml
    ppmine -q -d $order.db init
    ppmine -q -d $order.db load Posts.xml
    ppmine -q -d $order.db match >matched
done

cat >oracle.py <<'PY'
import csv, fractions, hashlib, io, json, math, re, sqlite3, statistics, subprocess, sys

def run(*words, db="given.db"):
    p = subprocess.run(["ppmine", "-d", db, "sample", *map(str, words), "--format", "csv"],
                       capture_output=True, text=True, check=True)
    return list(csv.DictReader(io.StringIO(p.stdout))), p.stderr

def number(seed, item):
    return int(hashlib.sha256(b"%d:%d" % (seed, item)).hexdigest()[:16], 16)

def largest_remainder(n, sizes):
    quotas = [fractions.Fraction(n * size, sum(sizes)) for size in sizes]
    shares = [math.floor(q) for q in quotas]
    rest = sorted(range(len(sizes)), key=lambda i: (shares[i] - quotas[i], i))
    for i in rest[:n - sum(shares)]:
        shares[i] += 1
    return shares

def cochran(confidence, margin, population):
    z = statistics.NormalDist().inv_cdf(0.5 + confidence / 200)
    n0 = z * z / (4 * (margin / 100) ** 2)
    return math.ceil(n0 / (1 + (n0 - 1) / population))

db = sqlite3.connect("given.db")
populations = {
    "candidates": [p for p, in db.execute("SELECT post_id FROM candidate_post")],
    "questions": [p for p, in db.execute("SELECT post_id FROM post")],
}
tags = {p: json.loads(t) for p, t in db.execute("SELECT post_id, tags FROM post")}
years = {p: y for p, y in db.execute("SELECT post_id, substr(created_at, 1, 4) FROM post")}
strata = {
    "tag": {p: "tensorflow*" if any(x.startswith("tensorflow") for x in t) else "keras*"
            for p, t in tags.items()},
    "year": years,
}
order = {"tag": ["tensorflow*", "keras*"], "year": ["2018", "2019", "2020"]}
assert len(populations["questions"]) == 3000 and 800 < len(populations["candidates"]) < 1200
checks = 0

def expect(rows, posts, what):
    global checks
    checks += 1
    drawn = [int(row["post_id"]) for row in rows]
    if drawn != posts:
        sys.exit("%s: %s, expected %s" % (what, drawn[:9], posts[:9]))

for of, population in populations.items():
    for seed in (0, 1, 2, 2**64 - 1):
        ranked = sorted(population, key=lambda p: number(seed, p))
        for n in (1, 7, 200, len(population)):
            words = ("--of", of, "--n", n, "--seed", seed)
            rows, _ = run(*words)
            expect(rows, ranked[:n], words)
            for other in ("reversed.db", "shuffled.db"):
                assert run(*words, db=other)[0] == rows, (words, other)
            for by in strata:
                names = order[by]
                groups = [[p for p in ranked if strata[by][p] == name] for name in names]
                shares = largest_remainder(n, [len(g) for g in groups])
                chosen = {p for g, share in zip(groups, shares) for p in g[:share]}
                rows, said = run(*words, "--stratify", by)
                expect(rows, [p for p in ranked if p in chosen], (*words, by))
                assert all(row["stratum"] == strata[by][int(row["post_id"])] for row in rows)
                told = [int(s) for s in re.findall(r": (\d+) of \d+$", said, re.M)]
                assert told == shares, (words, by, told, shares)
        if seed != 1:
            continue
        for confidence in (50, 80, 90, 95, 99, 99.9):
            for margin in (0.5, 1, 2.5, 5, 10, 33.3):
                rows, said = run("--of", of, "--confidence", confidence, "--margin", margin)
                n = cochran(confidence, margin, len(population))
                expect(rows, ranked[:n], (confidence, margin))
                assert "n = %d of N = %d %s" % (n, len(population), of) in said, said
print(checks, "samples")
assert checks == 2 * (4 * 4 * 3 + 36)
PY
python3 oracle.py
