#!/bin/bash
# keywords derive --outside: a judged random sample of the questions without a keyword says what the keywords miss. The
# share and its mid-p interval are computed again in Python, from the posts that were written.
set -eu

complain() {
    echo "$*"
    exit 1
}

python3 - <<'EOF'
import json, random

random.seed(4)
yes, sample = [], []
with open("posts.ndjson", "w") as out:
    for n in range(1, 1001):
        hit, problem = n <= 120, n % 3 == 0 if n <= 120 else n % 10 == 0
        words = "it is slower" if hit else "the loop crawls" if problem else "the loop ends"
        post = {"post_id": n, "title": f"question {n}", "body_html": f"<p>{words} number{n}</p>",
                "created_at": "2020-01-01T00:00:00Z", "tags": ["keras"]}
        out.write(json.dumps(post) + "\n")
        if problem and hit:
            yes.append(n)
        if not hit and random.random() < 0.25:
            sample.append(n)
            yes += [n] * problem
for name, ids in (("yes.txt", yes), ("sample.txt", sample)):
    with open(name, "w") as out:
        out.writelines(f"{n}\n" for n in ids)
EOF
printf '# one word\nslower\n' >keywords.txt
ppmine -q init
ppmine -q load --ndjson posts.ndjson
ppmine -q match --keywords keywords.txt --replace >/dev/null
ppmine -q keywords derive --problems yes.txt --outside sample.txt --recall --format json >recall.json
python3 - <<'EOF'
import json
from math import comb

row = json.load(open("recall.json"))
recall, read = row
row, kept = recall["rows"][0], {r["source"]: (r["read"], r["kept"], r["left_out"]) for r in read["rows"]}
drawn_of = len(open("sample.txt").readlines())
assert set(kept) == {"yes.txt", "sample.txt"} and kept["sample.txt"] == (drawn_of, drawn_of, []), kept
yes = {int(line) for line in open("yes.txt")}
sample = [int(line) for line in open("sample.txt")]
found, without, drawn = len([n for n in yes if n <= 120]), 880, len(sample)
missed = len([n for n in sample if n in yes])
assert [row[key] for key in ("problems_found", "without_keyword", "sample", "missed_in_sample")] == [
    found, without, drawn, missed], row


def tails(k, total):
    """Of a sample with k of the total: how likely so few, and so many, are."""
    ways = [comb(total, i) * comb(without - total, drawn - i) for i in range(drawn + 1)]
    all_ways = comb(without, drawn)
    return sum(ways[:k + 1]) / all_ways, sum(ways[k:]) / all_ways


possible = [total for total in range(missed, without - drawn + missed + 1) if min(tails(missed, total)) > 0.025]
expected = [found / (found + without * missed / drawn), found / (found + max(possible)), found / (found + min(possible))]
print(row, expected)
assert all(abs(row[key] - value) < 0.002 for key, value in zip(("recall", "low", "high"), expected)), expected
EOF

# The n-grams are those of the problems that were missed, against the others of the sample.
ppmine keywords derive --problems yes.txt --outside sample.txt --top 1 --sort llr --format csv >out 2>err
grep -q '^crawl,1,\([0-9]*\),0,' out || complain "the n-gram of the missed problems: $(cat out)"
grep -q 'the keywords find [0-9]* % of the problems' err || complain "no word of recall: $(cat err)"

# refused RC WORDS OPTION…
refused() {
    local wanted=$1 words=$2 rc=0
    shift 2
    ppmine keywords derive --problems yes.txt "$@" >out 2>err || rc=$?
    [ "$rc" -eq "$wanted" ] || complain "$*: exit code $rc: $(cat err)"
    grep -qF "$words" err || complain "$*: $(cat err)"
}
echo 7 >hit.txt
refused 3 'post 7 is a candidate or no question' --outside hit.txt
echo 4000 >absent.txt
refused 3 'none of its posts is in the database' --outside absent.txt
refused 2 'needs --outside' --recall
refused 2 'without --others' --outside sample.txt --others sample.txt
echo 121 >none.txt
refused 1 'the keywords find 100 %' --outside none.txt
