#!/bin/bash
# Estimates from a random sample are those of another implementation, and lie around the truth; stats
# warns where its numbers rest on what was ranked.
set -eu
. "$ROOT/tests/lib/sample.sh"

python3 "$ROOT/tests/lib/labelled_texts.py" 600 60 3 >texts.csv
labelled_database texts.csv
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
ppmine -q screen estimate --coder ann --sample 150 --from --format csv >weights.csv
cat weights.csv
ppmine -q screen status --coder ann --from --format csv >from.csv || [ $? -eq 1 ]
cat from.csv
cat >oracle.py <<'EOP'
import csv, math, sqlite3, sys
from hashlib import sha256
from statistics import NormalDist

db = sqlite3.connect("ppmine.db")
posts = [row[0] for row in db.execute("SELECT post_id FROM post ORDER BY post_id")]
posts.sort(key=lambda post: sha256(f"1:{post}".encode()).digest()[:8])
read = {row[0]: row[1:] for row in db.execute("SELECT post_id, answer, stratum FROM screening_read WHERE coder = 'ann'")}
hit = {row[0] for row in db.execute("SELECT post_id FROM candidate")}
sample = posts[:150]
whole = {post for post, (_, stratum) in read.items() if stratum != "random"}
assert len(whole) == 50 and set(sample) <= set(read)
estimates = {row["id"]: row for row in csv.DictReader(open("estimate.csv"))}


def yes(post):
    return read[post][0] == "yes"


def at_least(N, K, n, x):
    """Of a sample of n of N posts, K of them marked: how probable x or more of those are."""
    return sum(math.comb(K, i) * math.comb(N - K, n - i) for i in range(x, min(n, K) + 1)) / math.comb(N, n)


# What a sample says of how many are marked: P(number <= K), of the lower and of the upper bounds of exact
# intervals, K by K, from the tails alone.
def believed(N, n, x):
    lower = [at_least(N, K, n, x) if K >= x else 0.0 for K in range(N + 1)]
    upper = [at_least(N, K + 1, n, x + 1) if K < N else 1.0 for K in range(N + 1)]
    return [[c - (d[i - 1] if i else 0.0) for i, c in enumerate(d)] for d in (lower, upper)]


def seen(part, marked):
    """Known in what was read, and size, drawn, marked of the sample."""
    rest = [post for post in posts if post in part and post not in whole]
    drawn = [post for post in rest if post in set(sample)]
    return sum(marked(post) for post in whole & part), len(rest), len(drawn), sum(map(marked, drawn))


def agrees(name, value, probability_below):
    """P(quantity <= its printed bound) passes 2.5 % there and 97.5 % at the other."""
    row, tiny = estimates[name], 1e-7
    assert abs(float(row["value"]) - value) < 1e-9, (name, row, value)
    low, high = float(row["low"]), float(row["high"])
    below = [probability_below(side, bound + d) for side, bound in enumerate((low, high)) for d in (-tiny, tiny)]
    assert below[0] <= 0.025 < below[1] and below[2] < 0.975 <= below[3], (name, row, below)


def share(name, part):
    known, N, n, x = seen(part, yes)
    dists, size = believed(N, n, x), len(part)
    agrees(name, (known + N * x / n) / size,
           lambda side, t: sum(p for K, p in enumerate(dists[side]) if known + K <= t * size))


def recall(name, found, missed):
    (a, N, n, x), (b, M, m, y) = seen(found, yes), seen(missed, yes)
    f, g = believed(N, n, x), believed(M, m, y)
    a_hat, b_hat = a + (N * x / n if n else 0), b + M * y / m

    def below(side, t):
        return sum(p * q for K, p in enumerate(f[side]) if p > 1e-12 for L, q in enumerate(g[1 - side])
                   if a + K <= t * (a + K + b + L))
    agrees(name, a_hat / (a_hat + b_hat), below)


def code_share(name, code):
    among = seen(set(posts), lambda post: post in code)
    known, N, n, a = among
    known_with, _, _, w = seen(set(posts), lambda post: code.get(post) == name)
    dists = believed(N, n, a)
    value = (known_with + N * w / n) / (known + N * a / n)

    def below_given(side, t, A):
        if side == 1:
            k = math.floor(t * (known + A) - known_with + 1e-9)
            return 0.0 if k < w else 1.0 if k >= A - (a - w) else at_least(A, k + 1, a, w + 1)
        k = math.floor(t * (known + A) - known_with + 1e-9)
        return 0.0 if k < 0 else at_least(A, min(k, A), a, w)

    def below(side, t):
        both = [sum(p * below_given(side, t, A) for A, p in enumerate(d) if p > 1e-12) for d in dists]
        return max(both) if side == 0 else min(both)
    agrees(name, value, below)


if sys.argv[1] == "codes":
    code = dict(db.execute("SELECT post_id, code FROM problem_code WHERE facet = 'symptom'"))
    assert len(code) == sum(answer == "yes" for answer, _ in read.values()) > 40
    assert len(estimates) == len(set(code.values())) == 2
    for name in set(code.values()):
        code_share(name, code)
else:
    everything = set(posts)
    share("share", everything)
    share("keyword_precision", hit)
    recall("keyword_recall", hit, everything - hit)
    # What the screening found is known; what is missed is among the unread.
    found, (_, N, n, x) = sum(map(yes, whole)), seen(everything, yes)
    upper, lower = reversed(believed(N, n, x))
    agrees("screening_recall", found / (found + N * x / n),
           lambda side, t: sum(p for K, p in enumerate((upper, lower)[side]) if found <= t * (found + K)))

if sys.argv[1] == "codes":
    sys.exit(0)

# Weights: those of a table of the paper add up to all posts, and to the estimate of the share.
weights = {row["from"]: row for row in csv.DictReader(open("weights.csv"))}
assert list(weights) == ["ranked", "random", "keyword", "hand", "all"], weights
drawn = [post for post in sample if post not in whole]
for name, among, size in (("ranked", whole, 50), ("random", drawn, len(posts) - 50), ("keyword", [], 0)):
    row = weights[name]
    assert [int(row[k]) for k in ("posts", "judged", "yes")] == [size, len(among), sum(map(yes, among))], row
    assert row["weight"] == "" if not among else abs(float(row["weight"]) - size / len(among)) < 1e-3, row
weighted = sum(size / len(among) * sum(map(yes, among)) for among, size in ((whole, 50), (drawn, len(posts) - 50)))
assert abs(float(weights["all"]["share"]) - weighted / len(posts)) < 1e-9, weights["all"]
assert [weights["all"][k] for k in ("low", "high")] == [estimates["share"][k] for k in ("low", "high")]
assert [weights["ranked"][k] for k in ("low", "high", "reason")] == ["", "", "counted completely"], weights

# What was read, by how: the interval of the random posts is Wilson's; the others have none.
read_from = {row["from"]: row for row in csv.DictReader(open("from.csv"))}
assert list(read_from) == ["ranked", "random", "keyword", "hand"], read_from
for name, row in read_from.items():
    answers = [answer for answer, stratum in read.values() if stratum == name]
    counts = [len(answers), *(answers.count(answer) for answer in ("yes", "no", "unsure"))]
    assert [int(row[k]) for k in ("read", "yes", "no", "unsure")] == counts, row
    assert abs(float(row["share_of_read"]) - len(answers) / len(read)) < 1e-9, row
    assert (row["low"] == row["high"] == "") == (name != "random"), row
    if name in ("ranked", "random"):
        assert abs(float(row["share_of_yes"]) - counts[1] / counts[0]) < 1e-9, row
p, n, z = float(read_from["random"]["share_of_yes"]), int(read_from["random"]["read"]), NormalDist().inv_cdf(0.975)
centre, half = (p + z * z / 2 / n) / (1 + z * z / n), z * math.sqrt(p * (1 - p) / n + z * z / 4 / n**2) / (1 + z * z / n)
assert abs(float(read_from["random"]["low"]) - centre + half) < 1e-9 and n == 150, read_from["random"]

truth = {int(row["id"]): row["included"] == "1" for row in csv.DictReader(open("texts.csv"))}
true = {"share": sum(truth.values()) / len(truth),
        "keyword_recall": sum(truth[post] for post in hit) / sum(truth.values()),
        "keyword_precision": sum(truth[post] for post in hit) / len(hit),
        "screening_recall": sum(truth[post] for post in whole) / sum(truth.values())}
for name, value in true.items():
    row = estimates[name]
    assert float(row["low"]) <= value <= float(row["high"]), (name, value, row)
EOP
python3 oracle.py estimates
rc=0
ppmine screen estimate --coder ann --sample 400 2>err || rc=$?
[ "$rc" -eq 1 ] && grep -q '^ppmine: [0-9]* of the sample.s 400 posts are not judged yet' err

rc=0
ppmine screen estimate --coder ann --from --facet symptom 2>err || rc=$?
[ "$rc" -eq 2 ] && grep -q 'from or --facet, not both' err

# What is labelled after ranking describes what was ranked; the shares of codes are weighted.
mapfile -t codes < <(sqlite3 ppmine.db "SELECT name FROM code WHERE facet = 'symptom' ORDER BY code_id LIMIT 2")
for id in $(sqlite3 ppmine.db "SELECT post_id FROM screening_read WHERE answer = 'yes'"); do
    code=${codes[$((id % 3 == 0))]}
    ppmine -q label set "$id" --coder ann --symptom "$code"
    ppmine -q label resolve "$id" --problem yes --symptom "$code" --reason 'a test' --by cam >/dev/null
done
ppmine stats --table totals 2>err >/dev/null
grep -q '^ppmine: warning: [0-9]* of the [0-9]* posts with problems were found by ranking, 0 by keyword' err
ppmine -q screen estimate --coder ann --sample 150 --facet symptom --format csv >estimate.csv
cat estimate.csv
python3 oracle.py codes
one=$(sqlite3 ppmine.db "SELECT post_id FROM screening_read WHERE answer = 'yes' LIMIT 1")
ppmine -q label resolve "$one" --problem no --reason 'a test' --by cam >/dev/null
ppmine screen estimate --coder ann --sample 150 --facet symptom 2>err >/dev/null
grep -q '^ppmine: warning: posts that were answered yes and have no code of this facet yet: 1;' err

# Agreement on what was ranked is not that on all; it can be that of the random posts alone.
for id in $(sqlite3 ppmine.db "SELECT post_id FROM screening WHERE stratum = 'ranked' LIMIT 20"); do
    ppmine -q label set "$id" --coder bob --problem no
done
printf 'n\nn\ny\nn\ny\n' | ppmine -q screen --coder bob --order random >/dev/null 2>&1
ppmine agree identification --coders ann,bob 2>err >/dev/null || true
grep -q '^ppmine: warning: 2[0-9] of the 2[0-9] posts that several coders judged were found by ranking' err
ppmine agree identification --coders ann,bob --random --format json >random.json 2>err
cat err && [ ! -s err ]
python3 - <<'EOP'
import json, sqlite3
db = sqlite3.connect("ppmine.db")
both = db.execute("""SELECT a.answer, b.answer FROM screening AS a JOIN screening AS b USING (post_id)
    WHERE a.coder = 'ann' AND b.coder = 'bob' AND a.stratum = 'random' AND b.stratum = 'random'""").fetchall()
rows = json.load(open("random.json"))[0]["rows"]
assert len(both) > 2 and [row["n"] for row in rows] == [len(both)], (both, rows)
EOP
rc=0
ppmine agree identification --random --segmentation 2>/dev/null || rc=$?
[ "$rc" -eq 2 ]

# Candidates that were judged without screening were found by keyword; others that were judged so were not.
by_hand() { # by_hand N CONDITION: N questions that nobody read are problems of ann
    sqlite3 ppmine.db "SELECT post_id FROM post WHERE post_type = 'question' AND post_id $2 (SELECT post_id FROM candidate_post)
        AND post_id NOT IN (SELECT post_id FROM screening UNION SELECT post_id FROM judgement) ORDER BY post_id LIMIT $1" >ids
    [ "$(wc -l <ids)" -eq "$1" ]
    while read -r id; do
        ppmine -q label set "$id" --coder ann --symptom "${codes[0]}"
        ppmine -q label resolve "$id" --problem yes --symptom "${codes[0]}" --reason 'a test' --by cam
    done <ids >/dev/null
}
by_hand 3 IN
by_hand 2 'NOT IN'
ppmine stats --table totals 2>err >/dev/null
grep -q '^ppmine: warning: [0-9]* of the [0-9]* posts with problems were found by ranking, 3 by keyword' err
