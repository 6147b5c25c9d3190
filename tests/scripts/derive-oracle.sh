#!/bin/bash
# ppmine keywords derive counts and rates n-grams as a plain Python computation does, to all four
# decimals printed: on the sample, with its candidates for problem posts.
set -eu

/usr/bin/python3 -c 'import lxml, nltk' 2>/dev/null || {
    echo 'no python3-nltk or python3-lxml'
    exit 77
}
ppmine -q init
ppmine -q load "$ROOT"/studies/dlperf/sample/Posts.xml
ppmine -q match --format ndjson | grep -o '"post_id":[0-9]*' | cut -d: -f2 >problems
sqlite3 ppmine.db "SELECT post_id FROM post WHERE post_type = 'answer' AND post_id % 3 > 0" >answers

cat >oracle.py <<'PY'
import collections, csv, math, sqlite3, sys

sys.path.insert(0, sys.argv[1] + "/tests/reference")
from match_reference import Stemmer, tokens

problems = {int(line) for line in open("problems")}
others = {int(line) for line in open(sys.argv[2])} if len(sys.argv) > 2 else None
stemmer = Stemmer()
posts = {}
for post_id, post_type, title, body in sqlite3.connect("ppmine.db").execute(
        "SELECT post_id, post_type, t.title, t.body FROM post JOIN post_text AS t USING (post_id)"):
    if post_id in problems or (post_type == "question" if others is None else post_id in others):
        posts[post_id] = [title or "", body or ""]

occurrences, held_by, held_by_problems = (collections.Counter() for _ in range(3))
for post_id, texts in posts.items():
    ngrams = []
    for text in texts:
        for line in text.split("\n"):
            stems = [stemmer.stem(line[start:end]) for start, end in tokens(line)]
            ngrams += stems + [" ".join(pair) for pair in zip(stems, stems[1:])]
    held_by.update(set(ngrams))
    if post_id in problems:
        occurrences.update(ngrams)
        held_by_problems.update(set(ngrams))


def g2(a, b, n_a, n_b):
    """Dunning's G2 from the four cells; the sign tells where the n-gram is commoner."""
    n = n_a + n_b
    total = 0.0
    for observed, row, column in ((a, a + b, n_a), (b, a + b, n_b),
                                  (n_a - a, n - a - b, n_a), (n_b - b, n - a - b, n_b)):
        if observed:
            total += observed * math.log(observed * n / (row * column))
    return math.copysign(2 * total, a * n_b - b * n_a)


n_problems = len(problems)
n_others = len(posts) - n_problems
expected = {}
for ngram, tf in occurrences.items():
    a = held_by_problems[ngram]
    b = held_by[ngram] - a
    expected[ngram] = (1 + ngram.count(" "), a, b, tf, tf * math.log(len(posts) / (a + b)),
                       g2(a, b, n_problems, n_others))

failed = False
for path in ("tfidf", "llr", "df"):
    rows = list(csv.DictReader(open(path, encoding="utf-8", newline="")))
    if {row["ngram"] for row in rows} != set(expected) or len(rows) != len(expected):
        print(path, "lists", len(rows), "n-grams,", len(expected), "expected")
        failed = True
    keys = []
    for row in rows:
        n, a, b, tf, tf_idf, llr = expected.get(row["ngram"], [math.nan] * 6)
        seen = [int(row[name]) for name in ("n", "problems", "others", "occurrences")]
        # Half a unit of the last decimal, and what the two sums of logarithms may differ by.
        if (seen != [n, a, b, tf] or abs(float(row["tf_idf"]) - tf_idf) > 0.5001e-4
                or abs(float(row["log_likelihood"]) - llr) > 0.5001e-4):
            print(path, dict(row), "expected", expected.get(row["ngram"]))
            failed = True
        keys.append({"tfidf": float(row["tf_idf"]), "llr": float(row["log_likelihood"]), "df": a}[path])
    if keys != sorted(keys, reverse=True):
        print(path, "is out of order")
        failed = True
if len(expected) < 500:
    print("only", len(expected), "n-grams: no test")
    failed = True
sys.exit(failed)
PY

export PYTHONDONTWRITEBYTECODE=1
for sort in tfidf llr df; do
    ppmine keywords derive --problems problems --min-posts 1 --top 0 --sort $sort --format csv >$sort
done
/usr/bin/python3 oracle.py "$ROOT"
for sort in tfidf llr df; do
    ppmine keywords derive --problems problems --others answers --min-posts 1 --top 0 --sort $sort \
        --format csv >$sort
done
/usr/bin/python3 oracle.py "$ROOT" answers
