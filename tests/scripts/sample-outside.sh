#!/bin/bash
# sample --of outside: from the draw to recall. Each question outside of the candidates is drawn with the same chance;
# the sheet, filled in with what is true, gives the recall that is computed again in Python, and its 95 % intervals
# contain the true recall as often as they say.
set -eu

complain() {
    echo "$*"
    exit 1
}

# refused RC WORDS COMMAND…
refused() {
    local wanted=$1 words=$2 rc=0
    shift 2
    ppmine "$@" >out 2>err || rc=$?
    [ "$rc" -eq "$wanted" ] || complain "$*: exit code $rc: $(cat err)"
    grep -qF -- "$words" err || complain "$*: $(cat err)"
}

# 600 questions, of which 100 have a keyword; 20 of these and 80 of the others are problems. 60 answers, which are no
# questions, half of them with a keyword.
python3 - <<'EOF'
import json

posts, truth = [], {}
for n in range(1, 601):
    hit, truth[n] = n % 6 == 0, n % 15 == 0 or n % 10 == 1 and n % 6 != 0
    posts.append({"post_id": n, "title": f"question {n}", "body_html": f"<p>{'slower' if hit else 'other'} words {n}</p>",
                  "created_at": "2020-01-01T00:00:00Z", "tags": ["keras"]})
for n in range(601, 661):
    posts.append({"post_id": n, "parent_id": n - 600, "post_type": "answer", "created_at": "2020-01-02T00:00:00Z",
                  "body_html": f"<p>{'slower' if n % 2 else 'other'} answer {n}</p>"})
json.dump({n: truth[n] for n in truth}, open("truth.json", "w"))
for name, rows in (("posts.ndjson", posts), ("backwards.ndjson", posts[599::-1] + posts[600:])):
    with open(name, "w") as out:
        out.writelines(json.dumps(post) + "\n" for post in rows)
with open("yes.txt", "w") as out:
    out.writelines(f"{n}\n" for n in truth if truth[n] and n % 6 == 0)
EOF
mkdir study
printf 'name = outside\ntags = keras\n' >study/study.ini
echo slower >study/keywords.txt
for db in ppmine.db other.db; do
    ppmine -q -d "$db" init --study study
done
refused 1 'no questions outside of the candidates' sample --of outside --n 1
ppmine -q load --ndjson posts.ndjson
ppmine -q -d other.db load --ndjson backwards.ndjson
refused 3 'in 600 of its questions; run `ppmine match` first' sample --of outside --n 1
for db in ppmine.db other.db; do
    ppmine -q -d "$db" match >/dev/null
done


# Sixty draws: the chances are equal, the order in which posts came does not matter, and the recall follows.
python3 - <<'PY'
import collections, csv, io, json, subprocess
from math import comb

truth = {int(n): is_problem for n, is_problem in json.load(open("truth.json")).items()}
found = len(open("yes.txt").read().split())
# A question with an answer that is a candidate is one too only if the study has answers as candidates.
outside = {n for n in truth if n % 6}
N, missed_in_all = len(outside), sum(truth[n] for n in outside)
n_drawn, seeds = 100, 60


def ppmine(*words):
    return subprocess.run(["ppmine", "-q", *words], check=True, stdout=subprocess.PIPE, text=True).stdout


def draw(db, seed, n=n_drawn):
    text = ppmine("-d", db, "sample", "--of", "outside", "--n", str(n), "--seed", str(seed), "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert list(rows[0]) == ["post_id", "is_problem", "created_at", "url"], rows[0]
    assert all(row["is_problem"] == "" for row in rows)
    return [int(row["post_id"]) for row in rows], text


def tails(k, total):
    """How likely a sample has at most, and at least, k of the total."""
    ways = [comb(total, i) * comb(N - total, n_drawn - i) for i in range(n_drawn + 1)]
    return [sum(part) / comb(N, n_drawn) for part in (ways[:k + 1], ways[k:])]


def interval(k):
    possible = [t for t in range(k, N - n_drawn + k + 1) if min(tails(k, t)) > 0.025]
    return found / (found + max(possible)), found / (found + min(possible))


times, contained = collections.Counter(), 0
for seed in range(1, seeds + 1):
    ids, text = draw("ppmine.db", seed)
    assert len(set(ids)) == n_drawn and set(ids) <= outside, ids
    assert seed > 5 or draw("other.db", seed)[0] == ids, "the order of posts in the database matters"
    assert seed > 5 or draw("ppmine.db", seed, 30)[0] == ids[:30], "a larger sample does not begin with the smaller one"
    times.update(ids)
    head, *rows = text.splitlines()
    with open("judged.csv", "w") as out:
        out.writelines(line + "\n" for line in [head] + [
            row.replace(",", ",yes" if truth[n] else ",no", 1) for row, n in zip(rows, ids)])
    row = json.loads(ppmine("keywords", "derive", "--problems", "yes.txt", "--outside", "judged.csv", "--recall",
                            "--format", "json"))[0]["rows"][0]
    missed = sum(truth[n] for n in ids)
    assert [row[name] for name in ("problems_found", "sample", "missed_in_sample", "without_keyword")] == [
        found, n_drawn, missed, N], row
    expected = [found / (found + N * missed / n_drawn), *interval(missed)]
    assert all(abs(row[name] - value) < 0.002 for name, value in zip(("recall", "low", "high"), expected)), (row, expected)
    contained += row["low"] <= found / (found + missed_in_all) <= row["high"]
assert contained >= 0.9 * seeds, f"{contained} of {seeds} intervals contain the recall"
# Each of the questions is in n_drawn / N of the draws: chi-squared, within four standard deviations of its mean.
mean = seeds * n_drawn / N
squared = sum((times[n] - mean) ** 2 for n in outside) / (mean * (1 - n_drawn / N))
assert abs(squared - (N - 1)) < 4 * (2 * (N - 1)) ** 0.5, f"the chances are not equal: chi-squared {squared:.0f}, {N - 1}"
PY

# The sheet is one of codings too, and a list of posts to read.
ppmine -q label import judged.csv --coder ann
[ "$(sqlite3 ppmine.db "SELECT count(*) FROM judgement WHERE coder = 'ann'")" = 100 ] || complain 'label import: not all rows'
sqlite3 ppmine.db "SELECT post_id FROM judgement WHERE is_problem" >judged-yes
cut -d, -f1 judged.csv | sed 1d >ids.txt
cat yes.txt judged-yes >all-yes.txt
ppmine -q keywords derive --problems yes.txt --outside judged.csv --recall >of-sheet
ppmine -q keywords derive --problems all-yes.txt --outside ids.txt --recall >of-ids
cmp of-sheet of-ids || complain 'the judgements of a sheet and those of a list of problems differ'

# Posts that are not judged are left out; the first rows are a sample of their own.
awk -F, -v OFS=, 'NR > 41 { $2 = "" } { print }' judged.csv >first.csv
head -41 judged.csv >head.csv
ppmine keywords derive --problems yes.txt --outside first.csv --recall >of-first 2>err
grep -qF 'left out 60: not judged' err || complain "no word of posts without a judgement: $(cat err)"
ppmine -q keywords derive --problems yes.txt --outside head.csv --recall | cmp - of-first || complain 'the first rows'
awk -F, -v OFS=, 'NR == 5 { $2 = "" } { print }' judged.csv >gap.csv
ppmine keywords derive --problems yes.txt --outside gap.csv --recall >/dev/null 2>err
grep -qF 'some of them before judged ones' err || complain "no warning of a gap: $(cat err)"

derive_refused() {
    refused 3 "$1" keywords derive --problems "${3-yes.txt}" --outside "$2" --recall
}
ppmine -q sample --of outside --n 5 --format csv >empty.csv
derive_refused 'no post in it is judged; write yes or no' empty.csv
sed '2s/,[a-z]*,/,perhaps,/' judged.csv >perhaps.csv
derive_refused "perhaps.csv:2: is_problem 'perhaps': expected yes or no" perhaps.csv
{ cat judged.csv && sed -n '2s/,yes,/,NO,/p; 2s/,no,/,YES,/p' judged.csv; } >both.csv
derive_refused 'both.csv:102: the post has yes and no' both.csv
sed -n 's/^\([0-9]*\),no,.*/\1/p' judged.csv | head -1 | cat yes.txt - >other-yes.txt
derive_refused 'is not a problem here, but other-yes.txt lists it' judged.csv other-yes.txt
printf 'post_id,is_problem\n6,yes\n' >candidate.csv
derive_refused 'post 6 is a candidate or no question' candidate.csv
printf 'post_id,is_problem\nsix,yes\n' >six.csv
derive_refused "six.csv:2: 'six': expected the id of a post" six.csv
refused 2 'leave out --stratify' sample --of outside --n 5 --stratify year
refused 3 'only 500 questions outside of the candidates' sample --of outside --n 501

# Where answers are candidates, a question is found by its answers too.
sed -i '$a candidates = question, answer' study/study.ini
ppmine -q -d answers.db init --study study
ppmine -q -d answers.db load --ndjson posts.ndjson
ppmine -q -d answers.db match >/dev/null
refused 3 'only 470 questions outside' -d answers.db sample --of outside --n 501

# Posts that came after the last match are not among what was looked through.
echo '{"post_id": 900, "title": "t", "body_html": "slower", "created_at": "2020-01-01T00:00:00Z", "tags": ["keras"]}' |
    ppmine -q load --ndjson -
refused 3 'in 1 of its questions' sample --of outside --n 5
derive_refused 'in 1 of its questions' judged.csv
