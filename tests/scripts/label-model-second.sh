#!/bin/bash
# A model as one of two coders: only in facets that study.ini declares, only beside exactly one person. Random opinions of
# three people and two models, counted again from the decisions by a second program.
set -eu
. "$ROOT/tests/lib/dump.sh"
. "$ROOT/tests/lib/labels.sh"
need sqlite3 python3
export PPMINE_DB=$PWD/s.db

study() { # DECLARED: the words of model_codes; empty: none
    rm -rf s.db* small
    small_study none.db
    rm -f none.db*
    [ -z "$1" ] || echo "model_codes = $1" >>small/study.ini
    "$PPMINE" -q init --study small
}

# rounds SEED DECLARED: writes opinions, settles what is agreed, and compares with what the rules say
round() {
    study "$2"
    python3 - fill "$1" <<'PYTHON'
import hashlib, json, random, sqlite3, sys
random.seed(int(sys.argv[2]))
db = sqlite3.connect("s.db")
coders = ["ann", "bob", "cam", "model:a", "model:b"]
db.executemany("INSERT INTO coder VALUES (?, 0)", [(c,) for c in coders])

def put(coder, post, facet, value, day):
    at = f"2026-01-{day:02}T00:00:00.000Z"
    id = hashlib.sha256(f'["{coder}","{post}","{facet}",{value},"{at}"]'.encode()).hexdigest()
    db.execute("INSERT INTO decision (decision_id, decided_at, coder, subject, post_id, facet, value, codebook_version)"
               " VALUES (?, ?, ?, ?, ?, ?, ?, 1)", (id, at, coder, str(post), post, facet, value))

for post in range(1, 121):
    for coder in coders:
        if random.random() < 0.45:
            continue
        yes = random.random() < 0.8
        put(coder, post, "identification", "true" if yes else "false", 1)
        for facet, codes in (("symptom", ["slow", "hang"]), ("root cause", ["misuse", "bug"])):
            if yes and random.random() < 0.8:
                picked = random.sample(codes, 2 if facet == "symptom" and random.random() < 0.1 else 1)
                put(coder, post, facet, json.dumps(picked, separators=(",", ":")), 2)
db.commit()
PYTHON
    made_anew s.db
    "$PPMINE" label resolve --all --format csv >disputes || [ $? = 1 ]
    "$PPMINE" -q label resolve --agreed >/dev/null || [ $? = 1 ]
    "$PPMINE" -q export --package out --no-plots --open
    python3 out/check.py >said || true
    if grep -A5 'FAIL settled' said; then fail "check.py counts otherwise"; fi
    python3 - "$2" <<'PYTHON'
import collections, csv, json, sqlite3, sys
declared = {name.strip().replace("-", " ") for name in sys.argv[1].split(",")}
db = sqlite3.connect("s.db")
said, settled = collections.defaultdict(dict), {}
for coder, subject, facet, value in db.execute("SELECT coder, subject, facet, value FROM decision ORDER BY decided_at"):
    if coder == "merged":
        settled[facet, subject] = value
    else:
        said[facet, subject][coder] = value
no = {subject for (facet, subject), value in settled.items() if value == "false"}
counts, disputes = collections.defaultdict(collections.Counter), set()
for (facet, subject), opinions in said.items():
    people = {c: v for c, v in opinions.items() if not c.startswith("model:")}
    two = facet in declared and len(people) == 1 and len(opinions) > 1
    counting = opinions if two else people
    if not people:  # models settle nothing among themselves
        assert (facet, subject) not in settled, (facet, subject, opinions)
    if not people or (facet != "identification" and subject in no):
        continue
    alike = len(set(counting.values())) == 1
    kind = "single" if len(counting) == 1 else "agreed" if alike else "disputed"
    counts[facet]["n"] += 1
    if kind == "agreed":
        assert settled.get((facet, subject)) == [*counting.values()][0], (facet, subject, opinions)
        counts[facet]["settled"] += 1
        counts[facet]["with_model"] += two
    else:
        assert (facet, subject) not in settled, (facet, subject, opinions)
        counts[facet][kind] += 1
    if kind == "disputed":
        disputes |= {(subject, facet, coder) for coder in counting}
parameters = json.load(open("out/PARAMETERS.json"))["settled"]
for facet in ("identification", "symptom", "root cause"):
    expected = {key: counts[facet][key] for key in parameters[facet]}
    assert parameters[facet] == expected, (facet, parameters[facet], expected)
listed = {(row["subject"], row["facet"], row["coder"]) for row in csv.DictReader(open("disputes"))
          if row["subject"] not in no or row["facet"] == "identification"}
assert listed == disputes, (len(listed), len(disputes), sorted(listed ^ disputes)[:5])
models = sum(count["with_model"] for count in counts.values())
assert (models > 0) == bool(sys.argv[1]) and len(disputes) > 20, (models, len(disputes))
print({facet: dict(count) for facet, count in counts.items()})
PYTHON
    rm -rf out
}
for seed in 1 2 3; do
    round $seed ''
    round $seed 'symptom'
    round $seed 'identification, root-cause'
done

# A facet that is not there is refused by name; what is declared later counts from then on, and the change has its reason.
study ''
echo 'model_codes = symptom, flavour' >>small/study.ini
rc=0
"$PPMINE" -q -d none.db init --study small 2>err || rc=$?
[ "$rc" = 3 ] && grep -q "model_codes: the study has no facet 'flavour'" err || { cat err && fail "exit code $rc"; }
sed -i 's/, flavour//' small/study.ini
for coder in ann model:a model:b; do
    decide s.db $coder 1 identification true 2026-01-01 && decide s.db $coder 1 symptom '["slow"]' 2026-01-02
done
made_anew s.db
"$PPMINE" -q label resolve --agreed --facet symptom >/dev/null
[ "$(sqlite3 s.db "SELECT count(*) FROM decision WHERE coder = 'merged'")" = 0 ] ||
    fail "a model settled a facet that is not declared"
"$PPMINE" -q init --change --study small --by ann --why 'kappa is 0.9'
[ "$(sqlite3 s.db "SELECT group_concat(facet) FROM facet WHERE model_codes")" = symptom ] || fail "the change is not taken"
[ "$(sqlite3 s.db "SELECT file || reason FROM study_change")" = 'study.inikappa is 0.9' ] || fail "the change has no reason"
"$PPMINE" -q label resolve --agreed --facet symptom >/dev/null
[ "$(sqlite3 s.db "SELECT reason FROM decision WHERE coder = 'merged'")" = 'ann, model:a, model:b agree' ] ||
    fail "$(sqlite3 s.db "SELECT * FROM decision WHERE coder = 'merged'")"
# What a model says later opens nothing; what the person says does.
decide s.db model:a 1 symptom '["hang"]' 2099-01-01 && made_anew s.db
[ "$("$PPMINE" label resolve --all --format csv 2>/dev/null | grep -c symptom)" = 0 ] || fail "a model opened what was settled"
decide s.db ann 1 symptom '["leak"]' 2099-01-02 && made_anew s.db
[ "$("$PPMINE" label resolve --all --format csv 2>/dev/null | grep -c symptom)" = 3 ] || fail "a person did not open it again"
