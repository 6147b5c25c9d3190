#!/bin/bash
# What a model says of any facets, and whether it can be relied on: numbers, texts, yes/no and several problems; the same
# asked again; how far it agrees with people; examples; what it costs; several requests at a time; the record.
set -eu
. "$ROOT/tests/lib/dump.sh"
. "$ROOT/tests/lib/labels.sh"
need sqlite3 python3 jq
export PPMINE_DB=$PWD/s.db

post() { # ID TITLE
    printf '<row Id="%d" PostTypeId="1" CreationDate="2020-01-02T03:04:05.678" Title="%s" Tags="&lt;a&gt;" Body="&lt;p&gt;It is slow&lt;/p&gt;" ContentLicense="CC BY-SA 4.0"/>\n' "$@"
}
mkdir -p study
printf 'name = kinds\ntags = a\n' >study/study.ini
echo slow >study/keywords.txt
cat >study/facets.csv <<'CSV'
facet,about,kind,most,codes,required,min,max
identification,post,yes/no,1,,yes,,
symptom,problem,codes,2,symptom,yes,,
root cause,problem,codes,1,root cause,no,,
hours,problem,number,1,,no,0,600
has fix,problem,yes/no,1,,no,,
remark,problem,text,1,,no,,
CSV
printf '%s\n' facet,category,code,short_name,definition,aliases symptom,Time,slow,,, symptom,Time,hang,,, symptom,Memory,leak,,, \
    'root cause,API,misuse,,,' 'root cause,API,bug,,,' >study/codebook.csv
"$PPMINE" -q init --study study
{
    n=0
    for title in good two two-one-empty range number runs no silent; do post $((n += 1)) "case $title"; done
    for id in $(seq 101 2 131); do post "$id" "same $id"; done
    for id in $(seq 162 2 172); do post "$id" "differ $id"; done
    for id in $(seq 301 306); do post "$id" "settled $id"; done
} | whole >Posts.xml
"$PPMINE" -q load Posts.xml
cat >plan.json <<'JSON'
{"case good": ["good"], "case two-one": ["two-one-empty", "no"], "case two": ["two"], "case range": ["range", "good"],
 "case number": ["number", "good"], "case runs": ["good", "other-code", "no"], "case no": ["no"], "case silent": ["silent"],
 "same": ["pause"], "differ": ["other-code"]}
JSON
server=
serve() {
    rm -f port
    python3 "$ROOT/tests/lib/model_server.py" plan.json port log &
    server=$!
    for _ in $(seq 100); do [ -e port ] && break || sleep 0.05; done
    url=http://127.0.0.1:$(cat port)/v1
}
trap 'kill $server 2>/dev/null' EXIT
model() { # NAME OPTION…
    "$PPMINE" label model "$1" --api-url "$url" --model small --yes --format csv "${@:2}"
}
rows() { sqlite3 s.db "$@"; }
serve

# --- any facet, several problems, and the same again; two at a time, in runs ---
seq 8 >list
model fake --posts list --runs 3 --parallel 4 --prices 10,20 >out 2>err || { cat err && fail "exit code $?"; }
grep -q '8 posts, each 3 times (0 were answered before)' err || { cat err && fail "it does not say how often it asks"; }
[ "$(rows "SELECT group_concat(value, ' ') FROM (SELECT value FROM decision WHERE subject = '1' ORDER BY facet)")" = \
    '["yes"] ["2.5"] true ["a text"] ["misuse"] ["slow"]' ] || fail "$(rows "SELECT facet, value FROM decision WHERE subject = '1'")"
[ "$(rows "SELECT group_concat(subject || value, ' ') FROM (SELECT * FROM decision WHERE post_id = 2 AND facet = 'symptom' ORDER BY subject)")" = \
    '2_1["slow"] 2_2["hang"]' ] || fail "$(rows 'SELECT subject, facet, value FROM decision WHERE post_id = 2')"
[ "$(rows "SELECT count(DISTINCT decided_at) FROM decision WHERE post_id = 2")" = 1 ] || fail "two problems are not one act"
why() { rows "SELECT why FROM model_request JOIN model_answer USING (request_id) WHERE post_id = $1 AND outcome = 'invalid' LIMIT 1"; }
[ "$(why 3)" = 'one of several problems has no code' ] || fail "post 3: $(why 3)"
why 4 | grep -q '601.*from 0 to 600' || fail "post 4: $(why 4)"
why 5 | grep -q 'not an object of a code or value' || fail "post 5: $(why 5)"
# The first run labels, the others are kept and compared.
[ "$(rows "SELECT group_concat(value, '') FROM decision WHERE subject = '6' AND facet = 'symptom'")" = '["slow"]' ] || fail "a later run labels"
"$PPMINE" -q agree --all --runs-of model:fake --format json >runs.json
python3 - <<'PYTHON'
import json, math, sqlite3
tables = {t["id"]: t["rows"] for t in json.load(open("runs.json"))}
rows = {(r["facet"], r["coder_a"], r["coder_b"]): (r["n"], r["observed"]) for r in tables["agreement"]}
assert rows["identification", "run 1", "run 3"] == (8, 7 / 8), rows
assert rows["symptom", "run 1", "run 2"] == (7, 6 / 7), rows # 1, 2_1, 2_2, 4, 5, 6, 8
assert rows["symptom", "run 1", "run 3"] == (6, 1), rows
assert any(r["measure"] == "ICC(2,1)" and r["coders"] == 3 for r in tables["number-agreement"])
db = sqlite3.connect("s.db")
# Prices: of what the server says; nothing where it says nothing.
for tokens_in, tokens_out, price in db.execute("SELECT tokens_in, tokens_out, price FROM model_answer"):
    assert (tokens_in is None) == (price is None)
    assert price is None or math.isclose(price, (10 * tokens_in + 20 * tokens_out) / 1e6)
seeds = dict(db.execute("SELECT run, json_extract(request, '$.seed') FROM model_request"))
assert seeds == {1: 1, 2: 2, 3: 3}, seeds
PYTHON

# Codes that have another name since, or are one by now, are the same in all runs; categories are compared as such.
observed() { # DATABASE OPTION…: of each two runs, of symptoms
    "$PPMINE" -q -d "$1" agree symptom --runs-of model:fake --format json "${@:2}" |
        jq -c '[.[] | select(.id == "agreement").rows[].observed * 100 | round]'
}
cp s.db changed.db
before=$(observed s.db)
"$PPMINE" -q -d changed.db codebook rename slow sluggish --facet symptom --by ann --why 'its name'
sqlite3 changed.db "UPDATE model_answer SET labels = replace(labels, '\"slow\"', '\"sluggish\"')
    WHERE request_id IN (SELECT request_id FROM model_request WHERE run = 2)"
[ "$(observed changed.db)" = "$before" ] || fail "a code with another name: $(observed changed.db), and before it had one: $before"
[ "$before" = '[86,100,100]' ] && [ "$(observed s.db --level 1)" = '[100,100,100]' ] || fail "$before, categories: $(observed s.db --level 1)"
"$PPMINE" -q -d changed.db codebook merge sluggish --facet symptom --into hang --by ann --why 'one code'
[ "$(observed changed.db)" = '[100,100,100]' ] || fail "two codes that are one by now: $(observed changed.db)"

# --- trust ---
people() { # how far a person agrees: written as a person would have coded
    python3 - "$@" <<'PYTHON'
import hashlib, json, sqlite3, sys
db = sqlite3.connect("s.db")
coder, *ids = sys.argv[1:]
db.execute("INSERT OR IGNORE INTO coder VALUES (?, ?)", (coder, coder == "merged"))
for n, id in enumerate(ids):
    for facet, value in (("identification", True), ("symptom", ["slow" if int(id) % 2 or id == "302" else "hang"])):
        at = "2026-01-01T00:00:00.000Z"
        text = json.dumps([coder, id, facet, value, at], separators=(",", ":"))
        db.execute("INSERT INTO decision VALUES (?, ?, ?, ?, ?, ?, ?, 1, NULL, NULL, NULL, NULL)",
                   (hashlib.sha256(text.encode()).hexdigest(), at, coder, id, int(id), facet,
                    json.dumps(value, separators=(",", ":"))))
db.commit()
PYTHON
}
seq 101 2 131 >odd && seq 162 2 172 >even
cat odd even >list
people ann $(cat odd even)
people bob $(cat odd)
made_anew s.db
model fake --posts list --parallel 8 >out 2>err || { cat err && fail "exit code $?"; }
sed 's/"differ": \["other-code"\]/"differ": ["good"]/' plan.json >plan.new && mv plan.new plan.json
model other --posts list --parallel 8 >out 2>err || { cat err && fail "exit code $?"; }
for format in text csv json ndjson markdown latex html; do "$PPMINE" -q agree symptom --format $format >"trust.$format"; done
python3 - <<'PYTHON'
import json, math
tables = {t["id"]: t["rows"] for t in json.load(open("trust.json"))}
trust = {(r["coder_a"], r["coder_b"]): r for r in tables["models"]}
fake, other = trust["ann", "model:fake"], trust["ann", "model:other"]
assert fake["n"] == other["n"] == 22 and fake["observed"] == 1 and other["observed"] == 16 / 22, (fake, other)
assert fake["reaches"] == "neither" and fake["low"] < 0.667, fake
assert fake["more"] == math.ceil(22 * (((1 - fake["low"]) / (1 - 0.8)) ** 2 - 1)), fake
assert other["reaches"] == "neither" and other["kappa"] == 0 and other["more"] == 0 and other["high"] < 0.667, other
beside = [r for r in tables["models-beside"] if r["person"] == "ann"]
assert [(r["person"], r["model_a"], r["model_b"], r["n"], r["both"], r["only_a"], r["only_b"], r["neither"]) for r in beside] == [
    ("ann", "model:fake", "model:other", 22, 16, 6, 0, 0)], beside
assert math.isclose(beside[0]["p"], 2 * 0.5 ** 6), beside
PYTHON
for format in text csv ndjson markdown latex html; do grep -q 'neither' "trust.$format" || fail "no trust table in $format"; done
"$PPMINE" -q agree symptom --coders bob,model:fake --confusion --disagreements --format json >pair.json
python3 - <<'PYTHON'
import json
tables = {t["id"]: t["rows"] for t in json.load(open("pair.json"))}
assert "confusion-symptom" in tables and tables["disagreements"] == [], tables.keys()
PYTHON

# --- examples: settled, by one person coded, and never asked about ---
people merged 301 302 303 304 305 306 && people ann 301 304 305 && people bob 301 # 301: of two people
made_anew s.db
seq 101 2 103 >list && echo 302 >>list     # 302: listed
echo '{"": ["good"]}' >plan.json
model third --posts list --examples 2 >out 2>err || { cat err && fail "exit code $?"; }
grep -q 'examples: 2 of 6 settled posts; left out: 1 that are asked about, 1 that several people coded, 0 that were asked about before, 0 without text, 2 more than wanted' err ||
    { cat err && fail "it does not say which examples there are"; }
[ "$(rows "SELECT DISTINCT examples FROM model_request WHERE coder = 'model:third'")" = '[303,304]' ] ||
    fail "$(rows "SELECT DISTINCT examples FROM model_request WHERE coder = 'model:third'")"
python3 - <<'PYTHON'
import json
sent = json.loads(open("log").read().splitlines()[-1])["request"]["messages"]
assert len(sent) == 2 and "settled" not in sent[0]["content"]
texts = sent[1]["content"].split("\n\nThe post, between")[0].split("\n\nExample:\n")[1:]
assert texts == [f'=====\nTitle: settled {n}\n\nIt is slow\n=====\nCodes: {{"judgement":"yes","problems":[{{"symptom":["{code}"]}}]}}'
                 for n, code in ((303, "slow"), (304, "hang"))], texts
PYTHON
seq 301 306 >list
model third --posts list >out 2>err || { cat err && fail "exit code $?"; }
grep -q '2 posts were examples for model:third, and are not asked about' err || { cat err && fail "an example is asked about"; }
[ "$(rows "SELECT count(*) FROM decision WHERE coder = 'model:third' AND post_id IN (303, 304)")" = 0 ] || fail "an example is coded"

# --- cost ---
rc=0
model dear --posts odd --max-cost 1 >out 2>err || rc=$?
[ "$rc" = 2 ] && grep -q 'needs --prices' err || fail "exit code $rc of --max-cost without prices"
model dear --posts odd --prices 1000,1000 --max-cost 1.5 --parallel 3 >out 2>err || { cat err && fail "exit code $?"; }
grep -q 'max-cost is reached' err || { cat err && fail "the cost has no end"; }
python3 - <<'PYTHON'
import sqlite3
spent, n = sqlite3.connect("s.db").execute("SELECT total(price), count(*) FROM model_request JOIN model_answer USING"
                                           " (request_id) WHERE coder = 'model:dear'").fetchone()
assert 0 < spent <= 1.5 and n > 1, (spent, n)
PYTHON

# --- killed with several requests under way ---
echo '{"": ["pause"]}' >plan.json
for wait in 0.06 0.08; do
    (exec "$PPMINE" label model killed --api-url "$url" --model small --posts odd --yes --parallel 4 >/dev/null 2>&1) &
    work=$!
    sleep $wait
    kill -9 $work 2>/dev/null || true
    wait $work 2>/dev/null || true
done
rc=0
model killed --posts odd --parallel 4 >out 2>err || rc=$?
[ "$rc" -le 1 ] || { cat err && fail "exit code $rc after kills"; }
python3 - <<'PYTHON'
import sqlite3
db = sqlite3.connect("s.db")
answered = dict(db.execute("SELECT post_id, count(*) FROM model_request JOIN model_answer USING (request_id)"
                           " WHERE coder = 'model:killed' GROUP BY post_id"))
assert answered == {id: 1 for id in range(101, 132, 2)}, answered
(lost,) = db.execute("SELECT count(*) FROM model_request LEFT JOIN model_answer USING (request_id) WHERE outcome IS NULL").fetchone()
assert lost <= 8, lost
PYTHON
# What was under way is said once, by the run that sends it again.
rc=0
model killed --posts odd >out 2>err || rc=$?
[ "$rc" = 1 ] && ! grep 'under way' err || { cat err && fail "exit code $rc, or requests that were sent again are told again"; }

# --- merged: the record comes with the labels, once, and answers that came later ---
"$PPMINE" -q -d copy.db init --study study
"$PPMINE" -q -d copy.db load Posts.xml
"$PPMINE" -q -d copy.db label merge s.db >/dev/null
sqlite3 copy.db "DELETE FROM model_answer WHERE request_id % 5 = 0"
record() { sqlite3 "$1" "SELECT coder, post_id, run, attempt, sent_at, api_url, prompt_sha256, examples, request, answered_at, http_status, model, outcome, why, tokens_in, tokens_out, price, labels, answer FROM model_request JOIN model_answer USING (request_id) ORDER BY coder, post_id, run, attempt, sent_at"; }
for _ in 1 2; do "$PPMINE" -q -d copy.db label merge s.db >/dev/null; done
record s.db >here && record copy.db >there
[ -s here ] && cmp here there || fail "the record is another one after a merge"
"$PPMINE" -q -d copy.db export --package copy --no-plots --open
python3 copy/check.py >said || { grep -v '^ok' said && fail "check.py finds faults after a merge"; }

# --- the record in a package, which checks itself ---
"$PPMINE" -q export --package whole --no-plots --open --with-text
"$PPMINE" -q export --package bare --no-plots --open
for package in whole bare; do
    python3 $package/check.py >said || { grep -v '^ok' said && fail "check.py finds faults in $package"; }
    grep -q '^ok .*models: their decisions' said || fail "check.py of $package does not look at models"
done
tr -d '\\' <bare/MODELS.md >page
for words in 'runs: 3' 'seed: 1,2,3' 'posts in the prompt as examples: [303,304]'; do
    grep -qF "$words" page || { cat page && fail "MODELS.md does not say: $words"; }
done
grep -q 'price: 0\.[0-9]' page || fail "MODELS.md does not say what it cost"
if grep -q 'It is slow\|settled 303' bare/models/requests.jsonl; then fail "a package without texts has a post as an example"; fi
changed() { # WORDS PYTHON: what somebody changed in the record is found
    rm -rf bad && cp -r whole bad
    python3 -c "
import json
path = 'bad/models/requests.jsonl'
records = [json.loads(line) for line in open(path)]
record = next(r for r in records if r['labels'] and r['run'] == 1)
$2
open(path, 'w').write(''.join(json.dumps(r) + '\n' for r in records))"
    ! python3 bad/check.py >said || fail "check.py finds nothing: $2"
    grep -A3 '^FAIL models' said | grep -q "$1" || { grep -A3 '^FAIL' said && fail "$2"; }
}
changed 'outcome and labels are not those' "record['labels'] = []"
changed 'no answer of the record says' "record['run'] = 2"
changed 'missing, an answer says it' "records.append({**records[-1], 'coder': 'model:nobody', 'outcome': 'yes', 'labels': [], 'answer': ''})"
changed 'prompt_sha256' "record['prompt_sha256'] = 64 * '0'"
