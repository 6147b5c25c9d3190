#!/bin/bash
# Estimates from a random sample are those of another implementation, and lie around the truth; stats
# warns where its numbers rest on what was ranked.
set -eu

python3 "$ROOT/tests/lib/labelled_texts.py" 600 60 3 >texts.csv
python3 - <<'EOP'
import csv, html
with open("Posts.xml", "w") as out:
    out.write("<posts>\n")
    for row in csv.DictReader(open("texts.csv")):
        body = html.escape(f"<p>{row['body']}</p>")
        out.write(f'<row Id="{row["id"]}" PostTypeId="1" CreationDate="2018-05-01T00:00:00.000"'
                  f' Body="{body}" Title="{row["title"]}" Tags="&lt;tensorflow&gt;" />\n')
    out.write("</posts>\n")
EOP
ppmine -q init
ppmine -q load Posts.xml
ppmine -q match >/dev/null
python3 - <<'EOP'
import csv, subprocess

truth = {row["id"]: row["included"] for row in csv.DictReader(open("texts.csv"))}


def read(n, *options):
    """Answers n posts, each as it is."""
    run = subprocess.Popen(["ppmine", "-q", "screen", "--coder", "ann", *options], text=True,
                           stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    for line in run.stdout:
        if line.startswith("post "):
            n -= 1
            run.stdin.write("q\n" if n < 0 else "y\n" if truth[line.split()[1].strip(",")] == "1" else "n\n")
            run.stdin.flush()
    run.wait()


read(50)
read(150, "--order", "random")
EOP
ppmine -q screen estimate --coder ann --sample 150 --format csv >estimate.csv
cat estimate.csv
python3 - <<'EOP'
import csv, math, sqlite3
from hashlib import sha256
from statistics import NormalDist

db = sqlite3.connect("ppmine.db")
posts = [row[0] for row in db.execute("SELECT post_id FROM post ORDER BY post_id")]
posts.sort(key=lambda post: sha256(f"1:{post}".encode()).digest()[:8])
read = {row[0]: row[1:] for row in db.execute("SELECT post_id, answer, stratum FROM screening_read")}
hit = {row[0] for row in db.execute("SELECT post_id FROM candidate")}
sample = posts[:150]
whole = {post for post, (_, stratum) in read.items() if stratum != "random"}
assert len(whole) == 50 and set(sample) <= set(read)
estimates = {row["id"]: row for row in csv.DictReader(open("estimate.csv"))}


def yes(post):
    return read[post][0] == "yes"


# Post by post: each is weighted by how many it stands for.
def ratio(among, with_, parts):
    items = [(post, 1.0, None) for post in whole]
    for part in parts:
        drawn = [post for post in sample if post in part and post not in whole]
        size = sum(post in part and post not in whole for post in posts)
        items += [(post, size / len(drawn), (size, len(drawn))) for post in drawn]
    total = sum(w for post, w, _ in items if among(post))
    share = sum(w for post, w, _ in items if among(post) and with_(post)) / total
    variance = 0.0
    for key in {stratum for _, _, stratum in items if stratum}:
        residuals = [(with_(post) - share) * among(post) for post, _, s in items if s == key]
        size, n = key
        mean = sum(residuals) / n
        variance += size**2 * (1 - n / size) / n * sum((r - mean)**2 for r in residuals) / (n - 1)
    n, z = share * (1 - share) / (variance / total**2), NormalDist().inv_cdf(0.975)
    centre = (share + z * z / 2 / n) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / 4 / n**2) / (1 + z * z / n)
    return share, centre - half, centre + half


everything, with_hit, without = set(posts), hit, set(posts) - hit
expected = {"share": ratio(lambda post: True, yes, [everything]),
            "keyword_recall": ratio(yes, lambda post: post in hit, [with_hit, without]),
            "keyword_precision": ratio(lambda post: post in hit, yes, [with_hit, without])}
for name, values in expected.items():
    for column, value in zip(("value", "low", "high"), values):
        found = float(estimates[name][column])
        assert abs(found - value) < 1e-9, (name, column, found, value)

truth = {int(row["id"]): row["included"] == "1" for row in csv.DictReader(open("texts.csv"))}
true = {"share": sum(truth.values()) / len(truth),
        "keyword_recall": sum(truth[post] for post in hit) / sum(truth.values()),
        "keyword_precision": sum(truth[post] for post in hit) / len(hit),
        "screening_recall": sum(truth[post] for post in whole) / sum(truth.values())}
for name, value in true.items():
    row = estimates[name]
    assert float(row["low"]) <= value <= float(row["high"]), (name, value, row)
EOP
rc=0
ppmine screen estimate --coder ann --sample 400 2>err || rc=$?
[ "$rc" -eq 1 ] && grep -q '^ppmine: [0-9]* of the sample.s 400 posts are not judged yet' err

# What is labelled after ranking describes what was ranked.
id=$(sqlite3 ppmine.db "SELECT post_id FROM screening_read
    WHERE answer = 'yes' AND stratum = 'ranked' ORDER BY place LIMIT 1")
symptom=$(sqlite3 ppmine.db "SELECT name FROM code WHERE facet = 'symptom' ORDER BY code_id LIMIT 1")
ppmine -q label set "$id" --coder ann --symptom "$symptom"
ppmine -q label resolve "$id" --problem yes --symptom "$symptom" --reason 'a test' --by cam >/dev/null
ppmine stats --table totals 2>err >/dev/null
grep -q '^ppmine: warning: 1 of the 1 posts with problems were found by ranking' err
