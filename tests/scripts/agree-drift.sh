#!/bin/bash
# agree --drift: kappa in the course of the coding, against windows and kappas computed from SQL rows.
set -eu
unset PPMINE_NOW # acts have times of their own

ppmine -q -d t.db init --published
exec python3 -B - <<'PYTHON'
import json, random, sqlite3, subprocess

def drift(*words):
    done = subprocess.run(["ppmine", "-q", "-d", "t.db", "agree", *words, "--drift", "--format", "json"],
                          capture_output=True, text=True, check=True)
    return next(t["rows"] for t in json.loads(done.stdout) if t["id"] == "drift")

def kappa(pairs):
    n, codes = len(pairs), {c for pair in pairs for c in pair}
    observed = sum(a == b for a, b in pairs) / n
    expected = sum(sum(a == c for a, _ in pairs) * sum(b == c for _, b in pairs) for c in codes) / n ** 2
    return observed, (observed - expected) / (1 - expected)

def expected(db, facet, a, b):
    """(from, to, n, observed, kappa) of each window."""
    said = {}
    if facet == "identification":
        for post, coder, value, at in db.execute("SELECT post_id, coder, is_problem, decided_at FROM judgement"):
            said.setdefault((post, str(post)), {})[coder] = (value, at)
    else:
        for post, subject, coder, codes, at in db.execute(
                "SELECT l.post_id, subject, l.coder, group_concat(code_id), max(l.decided_at) FROM"
                " (SELECT * FROM label ORDER BY code_id) AS l LEFT JOIN judgement AS j USING (post_id, coder)"
                " WHERE facet = ? AND code_id IS NOT NULL AND coalesce(j.is_problem, 1) GROUP BY subject, l.coder", (facet,)):
            said.setdefault((post, subject), {})[coder] = (codes, at)
    both = sorted((max(of[a][1], of[b][1]), post, len(subject), subject, of[a][0], of[b][0])
                  for (post, subject), of in said.items() if a in of and b in of)
    windows = min(len(both) // 20, 5)
    for i in range(windows if windows >= 2 else 0):
        part = both[i * len(both) // windows:(i + 1) * len(both) // windows]
        yield part[0][0], part[-1][0], len(part), *kappa([row[4:] for row in part])

FACETS = ["identification", "symptom", "root cause", "introducing stage", "exposing stage"]

def compare(rows, db, names, facets):
    n = 0
    for facet in facets:
        for i, a in enumerate(names):
            for b in names[i + 1:]:
                ours = [r for r in rows if (r["facet"], r["coder_a"], r["coder_b"]) == (facet.replace(" ", "-"), a, b)]
                theirs = list(expected(db, facet, a, b))
                assert len(ours) == len(theirs), (facet, a, b, ours, theirs)
                for place, (row, want) in enumerate(zip(ours, theirs)):
                    assert row["window"] == place + 1 and (row["from"], row["to"], row["n"]) == want[:3], (row, want)
                    assert abs(row["observed"] - want[3]) < 1e-9 and abs(row["kappa"] - want[4]) < 1e-9, (row, want)
                    assert row["low"] <= row["kappa"] <= row["high"]
                    n += 1
    return n

db = sqlite3.connect("t.db")
names = sorted(row[0] for row in db.execute("SELECT coder FROM coder WHERE NOT is_merged"))
rows = drift("--all")
n = compare(rows, db, names, FACETS)
assert n >= 20, n

# Coded at many times, and one of the two got worse: the last window says so.
draw = random.Random(7)
posts = [row[0] for row in db.execute("SELECT DISTINCT post_id FROM judgement ORDER BY post_id LIMIT 150")]
draw.shuffle(posts)
for i, post in enumerate(posts):
    truth = draw.random() < 0.5
    for who, slips in (("ann", 0.05), ("bob", 0.05 if i < 100 else 0.5)):
        said = truth != (draw.random() < slips)
        db.execute("INSERT OR IGNORE INTO coder VALUES (?, 0)", (who,))
        db.execute("INSERT INTO judgement VALUES (?, ?, ?, ?)",
                   (post, who, said, "2024-01-01T%02d:%02d:%02d.000Z" % (i // 60, i % 60, len(who))))
db.commit()
rows = drift("identification")
assert compare(rows, db, sorted([*names, "ann", "bob"]), FACETS[:1]) >= 5
ours = [r["kappa"] for r in rows if (r["coder_a"], r["coder_b"]) == ("ann", "bob")]
assert len(ours) == 5 and min(ours[:3]) > 0.6 > max(ours[4:]), ours
PYTHON
