#!/bin/bash
# stats --saturation against an oracle in Python, which reads the decisions alone: a study of 47 problems that two
# coders coded in no order of ids, some settled, some coded by one.
set -eu
. "$ROOT/tests/lib/dump.sh"
. "$ROOT/tests/lib/labels.sh"
need sqlite3 python3
export PPMINE_DB=$PWD/s.db

small_study s.db
python3 - <<'PYTHON'
import hashlib, json, random, sqlite3
random.seed(7)
symptoms, causes = ["slow", "hang", "leak"], ["misuse", "bug"]
db = sqlite3.connect("s.db")
def decide(coder, subject, facet, value, day):
    at = f"2026-{1 + day // 28:02}-{1 + day % 28:02}T00:00:00.000Z"
    text = json.dumps([coder, str(subject), facet, value, at], separators=(",", ":"))
    db.execute("INSERT OR IGNORE INTO coder VALUES (?, ?)", (coder, coder == "merged"))
    db.execute("INSERT INTO decision VALUES (?, ?, ?, ?, ?, ?, ?, 1, NULL, NULL, NULL, NULL)",
               (hashlib.sha256(text.encode()).hexdigest(), at, coder, str(subject), subject, facet,
                json.dumps(value, separators=(",", ":"))))
for subject in random.sample(range(100, 200), 47):
    for coder in random.choice([["ann"], ["bob"], ["ann", "bob"], ["ann", "bob", "merged"]]):
        day = 300 if coder == "merged" else random.randrange(90)
        decide(coder, subject, "identification", True, day)
        rare = ["leak"] if random.random() < 0.05 else []
        decide(coder, subject, "symptom", rare or random.sample(symptoms[:2], random.choice([1, 1, 2])), day)
        if random.random() < 0.5:
            decide(coder, subject, "root cause", [random.choice(causes)], day)
decide("ann", 250, "symptom", ["leak"], 1)  # no problem: it does not count
decide("ann", 250, "identification", False, 2)
db.commit()
PYTHON
made_anew s.db
"$PPMINE" -q stats --saturation --format csv >got.csv
"$PPMINE" -q stats --saturation >got.txt

cat >oracle.py <<'PYTHON'
import collections, csv, json, sqlite3, sys
db = sqlite3.connect("s.db")
newest = {}
for coder, subject, facet, value, at in db.execute(
        "SELECT coder, subject, facet, value, decided_at FROM decision ORDER BY decided_at"):
    newest[coder, subject, facet] = (json.loads(value), at)
coders = {s: {c for c, x, _ in newest if x == s} for _, s, _ in newest}
size = {"symptom": 3, "root cause": 2}
expected, ends = [], []
for facet in size:
    timeline = []
    for subject in sorted(coders, key=int):
        of = {c: newest[c, subject, facet] for c in coders[subject] if (c, subject, facet) in newest
              and newest[c, subject, "identification"][0]}
        people = {c: v for c, v in of.items() if c != "merged"}
        if not of:
            continue
        at = min(v[1] for v in (people or of).values())
        codes = set(of["merged"][0]) if "merged" in of else {x for v in people.values() for x in v[0]}
        timeline.append((at, int(subject), codes))
    timeline.sort()
    seen, last = set(), 0
    for begin in range(0, len(timeline), 10):
        step, new = timeline[begin:begin + 10], set()
        for i, (_, _, codes) in enumerate(step):
            if codes - seen:
                last = begin + i + 1
            new |= codes - seen
            seen |= codes
        expected.append((facet.replace(" ", "-"), begin + 1, begin + len(step), step[0][0], step[-1][0], len(new),
                         len(seen), size[facet], frozenset(new)))
    ends.append(f"{facet.replace(' ', '-')}: {len(seen)} of {size[facet]} codes seen; " +
                ("the last problem brought a new code." if last == len(timeline)
                 else f"nothing new after problem {last} of {len(timeline)}."))
got = [(r["facet"], int(r["first"]), int(r["last"]), r["from"], r["to"], int(r["new"]), int(r["seen"]),
        int(r["codebook"]), frozenset(r["codes"].split("; ") if r["codes"] else []))
       for r in csv.DictReader(open(sys.argv[1]))]
for a, b in zip(expected, got):
    assert a == b, f"expected {a}\ngot      {b}"
assert len(expected) == len(got) and len(got) == 9, (len(expected), len(got))
text = " ".join(open("got.txt").read().split())
for end in ends:
    assert end in text, f"not said: {end}"
PYTHON
python3 oracle.py got.csv || fail "the table is not the oracle's"
if grep -q 'All were coded at one time' got.txt; then fail "it says that all were coded at one time"; fi

# The oracle tells: with the settled labels gone, or a code found a week earlier, it has another answer.
sqlite3 s.db "UPDATE decision SET decided_at = '2025-12-01T00:00:00.000Z' WHERE decision_id =
    (SELECT decision_id FROM decision WHERE facet = 'symptom' AND value = '[\"leak\"]' AND coder <> 'merged'
     AND subject <> '250' ORDER BY decided_at DESC LIMIT 1)"
if python3 oracle.py got.csv 2>/dev/null; then fail "the oracle takes any table"; fi

# All at one time, as after an import: the table says what its order is worth.
small_study one.db
for post in 1 2 3; do decide one.db ann $post identification true 2026-01-01 && decide one.db ann $post symptom '["hang"]' 2026-01-01; done
made_anew one.db
"$PPMINE" -q -d one.db stats --saturation | tr -s '[:space:]' ' ' >said
grep -qF 'All were coded at one time' said || { cat said && fail "it does not say that the order is no order"; }
grep -qF 'symptom: 1 of 3 codes seen; nothing new after problem 1 of 3.' said || { cat said && fail "other words"; }

# Nobody coded: nothing, with the reason.
small_study none.db
rc=0
"$PPMINE" -q -d none.db stats --saturation >none 2>&1 || rc=$?
[ "$rc" = 1 ] || fail "exit code $rc where nobody gave a code"
rc=0
"$PPMINE" -q stats --saturation --rq 1 2>err || rc=$?
[ "$rc" = 2 ] || fail "exit code $rc with --rq"

if command -v gnuplot >/dev/null; then
    "$PPMINE" -q stats --saturation --plot plots >/dev/null
    for title in Symptom 'Root cause'; do grep -qF "$title" plots/saturation.svg || fail "the plot has no line of $title"; done
    python3 - <<'PYTHON'
import csv
blocks = [[tuple(map(int, line.split())) for line in block.splitlines()]
          for block in open("plots/saturation.dat").read().split("\n\n\n") if block.strip()]
rows = list(csv.DictReader(open("got.csv")))
for facet, points in zip(dict.fromkeys(r["facet"] for r in rows), blocks, strict=True):
    last = [r for r in rows if r["facet"] == facet][-1]
    assert points[-1] == (int(last["last"]), int(last["seen"])), (facet, points[-1], last)
PYTHON
fi
