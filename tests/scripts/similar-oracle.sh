#!/bin/bash
# ppmine similar lists the pairs that a comparison of all with all finds, with their similarity, among
# copies of posts with more and more words changed. The stems are those of NLTK.
set -eu

/usr/bin/python3 -c 'import nltk' 2>/dev/null || {
    echo 'no python3-nltk'
    exit 77
}
cat >posts.py <<'PY'
import json, random

seed = random.Random(11)
words = ["w" + "".join(seed.choice("abcdefghiklmnoprstu") for _ in range(seed.randint(2, 9))) + end
         for _ in range(3000) for end in ("", "ing")]
post_id = 0

def add(text, post_type="question"):
    global post_id
    post_id += 1
    half = len(text) // 8
    body = "<p>" + " ".join(text[half:half * 4]) + "</p>\n<pre>" + seed.choice(words) + "</pre><p>" + \
        "<b>" + " ".join(text[half * 4:]) + "</b></p>"
    print(json.dumps({"post_id": post_id, "post_type": post_type, "title": " ".join(text[:half]), "body_html": body,
                      "created_at": "2019-01-01T00:00:00Z"} | ({"parent_id": 1} if post_type == "answer" else {})))

for n in range(100):
    text = [seed.choice(words) for _ in range(seed.randint(8, 150))] * seed.choice((1, 1, 3))
    add(text)
    for changed in range(seed.randint(0, 12)):
        copy = list(text)
        for _ in range(changed):
            copy[seed.randrange(len(copy))] = seed.choice(words)
        add(copy)
        if changed == 3:
            add(copy, "answer")
for text in ([], ["slow"], ["slow"], ["slowly"], ["slow", "run"], ["slow", "runs"], ["run", "slow"]):
    add(text)
PY
/usr/bin/python3 posts.py >posts.ndjson
ppmine -q init
ppmine -q load --ndjson --all-tags posts.ndjson
ppmine -q match >found || true # makes the plain texts

cat >oracle.py <<'PY'
import csv, sqlite3, sys

sys.path.insert(0, sys.argv[1] + "/tests/reference")
from match_reference import Stemmer, tokens

least, stemmer, posts, first = float(sys.argv[2]), Stemmer(), {}, {}
expected = {}
for post_id, title, body in sqlite3.connect("ppmine.db").execute(
        "SELECT post_id, t.title, t.body FROM post JOIN post_text AS t USING (post_id)"
        " WHERE post_type = 'question' ORDER BY post_id"):
    text = (title or "") + "\n" + (body or "")
    stems = [stemmer.stem(text[start:end]) for start, end in tokens(text)]
    shingles = frozenset(tuple(stems[i:i + 3]) for i in range(max(1, len(stems) - 2))) if stems else None
    if shingles is None:
        continue
    if shingles in first:
        expected[first[shingles], post_id] = 1.0
    else:
        first[shingles] = post_id
        posts[post_id] = shingles
ids = sorted(posts)
for at, a in enumerate(ids):
    for b in ids[at + 1:]:
        share = len(posts[a] & posts[b]) / len(posts[a] | posts[b])
        if share >= least:
            expected[a, b] = share
found = {(int(row["post_id"]), int(row["other_id"])): float(row["similarity"])
         for row in csv.DictReader(sys.stdin)}
extra = set(found) - set(expected)
missed = set(expected) - set(found)
assert len(expected) > 80, len(expected)
assert not extra, ("not similar", [(pair, found[pair]) for pair in extra][:5])
assert len(missed) <= (0 if least >= 0.7 else 0.03 * len(expected)), \
    (len(missed), [(pair, expected[pair]) for pair in missed][:5])
for pair, share in found.items():
    assert abs(share - expected[pair]) < 0.00051, (pair, share, expected[pair])
order = list(found.values())
assert order == sorted(order, reverse=True), "the most similar are not first"
PY
for least in 70 85 100 60; do
    ppmine -q similar --min $least --format csv |
        /usr/bin/python3 oracle.py "$ROOT" "$(printf '0.%02d' "$least" | sed 's/0.100/1/')"
done
