#!/bin/bash
# Numbers say of how many posts and problems they are: a study of six posts, two of them disputed, one coded by
# one coder. Every output says it, and none does when all is settled.
set -eu
. "$ROOT/tests/lib/dump.sh"
. "$ROOT/tests/lib/labels.sh"
need sqlite3 python3
export PPMINE_DB=$PWD/s.db

code() { # CODER POST SYMPTOM
    decide s.db "$1" "$2" identification true 2026-01-01
    decide s.db "$1" "$2" symptom "[\"$3\"]" 2026-01-02
}
small_study s.db
for post in 1 2 3; do code ann $post hang && code bob $post hang; done
code ann 4 slow && code bob 4 hang
code ann 5 leak && code bob 5 hang
code ann 6 slow
made_anew s.db
"$PPMINE" -q label resolve --agreed

SAID='3 of 6 settled; 2 disputed, 1 coded by one coder: not counted'
JUDGED='Identifications: 5 of 6 settled; 0 disputed, 1 coded by one coder: not counted'
says() { # says WHAT FILE [WORDS]: lines are joined, as text is wrapped
    tr -s '[:space:]' ' ' <"$2" | tr -d '\\' | grep -qF "Symptoms: ${3-$SAID}" ||
        { cat "$2" && fail "$1 does not say: ${3-$SAID}"; }
}

# Two open disputes and a post of one coder are what the program itself lists.
[ "$("$PPMINE" -q label resolve --all --format csv | cut -d, -f1,2 | sort -u | grep -c symptom)" = 2 ]
[ "$("$PPMINE" -q label resolve --single --format csv | cut -d, -f1,2 | sort -u | grep -c symptom)" = 1 ]

# Every format of every table says it, even when nothing else is said: in the title, or in the last column.
for format in text csv json ndjson markdown latex html xlsx; do
    "$PPMINE" -q stats --table rq1-category --format $format >out.$format
    says "stats --format $format" out.$format
    grep -qF "$JUDGED" <(tr -s '[:space:]' ' ' <out.$format | tr -d '\\') || fail "stats --format $format: nothing of judgements"
    "$PPMINE" -q codebook list --report --format $format >said
    says "codebook list --report --format $format" said
    "$PPMINE" -q stats --saturation --format $format >said
    says "stats --saturation --format $format" said '3 of 6 settled; 2 disputed, 1 coded by one coder: counted with the codes of their coders'
    "$PPMINE" -q agree symptom --format $format >said
    tr -s '[:space:]' ' ' <said | grep -qF 'symptom: 5 of 6 coded by two or more; 1 coded by one coder: not counted' ||
        fail "agree --format $format does not say what it compares"
    "$PPMINE" export --table problems --format $format >said 2>err
    says "export --table problems --format $format, by a warning," err
done
"$PPMINE" -q agree symptom --drift --format json >said
grep 'drift' said | grep -qF '5 of 6 coded by two or more; 1 coded by one coder: not counted' || fail "drift does not say what it compares"
python3 - <<'PYTHON'
import csv, json
title = json.load(open("out.json"))[0]["title"]
assert title.endswith("settled; 2 disputed, 1 coded by one coder: not counted"), title
rows = list(csv.DictReader(open("out.csv")))  # nothing but rows, under their header
assert [(row["category"], row["n"], row["not_counted"][-22:]) for row in rows] == [("Time", "3", "one coder: not counted")], rows
lines = [json.loads(line) for line in open("out.ndjson")]
assert [(line["category"], line["n"]) for line in lines] == [("Time", 3)], lines
PYTHON
"$PPMINE" -q stats --table totals >totals
says 'the table of totals' totals
if command -v gnuplot >/dev/null; then
    "$PPMINE" -q stats --plot plots >all
    sed 's/<[^>]*>//g' plots/symptoms.svg >plot
    says 'the plot of symptoms' plot
    "$PPMINE" -q stats --saturation --plot plots >all
    sed 's/<[^>]*>//g' plots/saturation.svg >plot
    says 'the plot of saturation' plot '3 of 6 settled; 2 disputed, 1 coded by one coder: counted with the codes of their coders'
fi

# A package says it, or is not made.
rc=0
"$PPMINE" -q export --package out --no-plots 2>err || rc=$?
[ "$rc" = 2 ] || fail "exit code $rc with open disagreements"
grep -q '2 disagreements are open: .* say --open' err || { cat err && fail "other words"; }
[ ! -e out ] || fail "a package was made"
"$PPMINE" -q export --package out --no-plots --open
for file in README.md DATASHEET.md CLAIMS.md PARAMETERS.json statistics/stats.txt; do says "$file of a package" out/$file; done
python3 out/check.py >said || { cat said && fail "check.py finds faults"; }
says 'check.py' said

# A package that hides it is not taken for whole.
hides() { # hides FILE COMMAND WORDS
    rm -rf hidden
    cp -r out hidden
    sed -i "$2" hidden/"$1"
    if python3 hidden/check.py >said; then fail "check.py takes a package that hides in $1 what is not counted"; fi
    grep -A3 'FAIL settled' said | grep -qF "$3" || { cat said && fail "other words than: $3"; }
}
hides README.md '/What is settled/d' 'README.md: does not say'
hides DATASHEET.md '/What is settled/d' 'DATASHEET.md: does not say'
hides PARAMETERS.json 's/"disputed": 2/"disputed": 0/' 'settled of symptom'
hides statistics/rq1-category.csv 's/3 of 6/6 of 6/' 'rq1-category.csv: the last column does not say'
hides statistics/stats.json 's/\. Identifications: [^"]*not counted//' 'the title does not say'

# A coder who decides again reopens what was settled; it stays counted as it was.
cp s.db again.db
decide again.db bob 1 symptom '["leak"]' 2030-01-01
made_anew again.db
"$PPMINE" -d again.db stats --table rq1-code --format csv >rows
says 'stats after a change' rows '3 of 6 settled, 1 of them disputed again; 2 disputed, 1 coded by one coder: not counted'
grep -q '^Time,hang,3,' rows
"$PPMINE" -q -d again.db export --package again --no-plots 2>err || grep -q '3 disagreements are open' err
"$PPMINE" -q -d again.db export --package again --no-plots --open
python3 again/check.py >said || { cat said && fail "check.py finds faults"; }

# All settled: no word, and no option.
for post in 4 5; do "$PPMINE" -q label resolve $post --take ann --by cam; done
"$PPMINE" -q label resolve 6 --symptom slow --by cam --reason read
"$PPMINE" -q label resolve 6 --problem yes --by cam --reason read
"$PPMINE" stats >all 2>err
"$PPMINE" -q export --package settled --no-plots
if grep -rF 'not counted' all err settled/README.md settled/DATASHEET.md settled/statistics/{stats,rq,total}*; then fail "a word of what is not counted"; fi
python3 settled/check.py | grep -qx 'ok   settled: what is not counted is said (all)'

# What is settled stays settled where its coder says the same again and a language model says something else.
decide s.db ann 6 symptom '["slow"]' 2099-01-01
decide s.db model:fake 6 symptom '["hang"]' 2099-01-02
made_anew s.db
rc=0
"$PPMINE" -q label resolve --single --format csv >single || rc=$?
if grep '^6,' single; then fail "a model's label opens what is settled"; fi

# Many labels at once: the table of problems is as it is made anew from the decisions.
export PPMINE_DB=$PWD/many.db
small_study many.db
python3 - <<'PYTHON'
import hashlib, json, sqlite3
db = sqlite3.connect("many.db")
db.executemany("INSERT INTO coder VALUES (?, 0)", [("ann",), ("bob",)])
for post in range(1, 301):
    for coder in ("ann", "bob"):
        for facet, value in (("identification", True), ("symptom", [("slow", "hang", "leak")[post % 3]])):
            at = "2026-01-01T00:00:00.000Z"
            text = json.dumps([coder, str(post), facet, value, at], separators=(",", ":"))
            db.execute("INSERT INTO decision (decision_id, decided_at, coder, subject, post_id, facet, value, codebook_version)"
                       " VALUES (?, ?, ?, ?, ?, ?, ?, 1)",
                       (hashlib.sha256(text.encode()).hexdigest(), at, coder, str(post), post, facet, json.dumps(value)))
db.commit()
PYTHON
made_anew many.db
"$PPMINE" -q label resolve --agreed
problems() { sqlite3 many.db 'SELECT * FROM problem ORDER BY problem_id'; }
problems >at-once
[ "$(wc -l <at-once)" = 300 ] || fail "$(wc -l <at-once) problems of 300"
made_anew many.db
problems | cmp - at-once
