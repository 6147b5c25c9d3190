#!/bin/bash
# The whole way with a model, on the published study's 740 judged posts: from label model to a package that checks itself.
# Where two people coded all, a declared model changes no figure; beside one of them, it settles what both say alike.
set -eu
. "$ROOT/tests/lib/dump.sh"
need sqlite3 python3
cp -r "$ROOT/studies/dlperf" study && rm -rf study/sample
echo 'model_codes = symptom, introducing stage' >>study/study.ini
"$PPMINE" -q -d p.db init --study study --published
"$PPMINE" -q -d p.db label export --coder coder1 >sheet.csv
# The 740 posts with invented texts: those of the site are not ours to copy.
sqlite3 p.db 'SELECT DISTINCT post_id FROM judgement ORDER BY 1' >list
while read -r id; do
    printf '<row Id="%d" PostTypeId="1" CreationDate="2019-01-02T03:04:05.678" Title="case %d" Tags="&lt;tensorflow&gt;" Body="&lt;p&gt;It is very slow&lt;/p&gt;" ContentLicense="CC BY-SA 4.0"/>\n' "$id" "$((id % 7))"
done <list | whole >Posts.xml
echo '{"case 0": ["no"], "case 1": ["unsure"], "case 2": ["other-code"], "case": ["good"]}' >plan.json
python3 "$ROOT/tests/lib/model_server.py" plan.json port log &
trap "kill $!" EXIT
for _ in $(seq 100); do [ -e port ] && break || sleep 0.05; done
ask() { "$PPMINE" -q -d "$1" label model fake --api-url "http://127.0.0.1:$(cat port)/v1" --model small --posts list --yes --parallel 8 >/dev/null; }

# Two people coded everything: a model that is declared changes no figure.
"$PPMINE" -q -d p.db load Posts.xml && "$PPMINE" -q -d p.db match >/dev/null
"$PPMINE" -q -d p.db stats --format json >before.json 2>before.err
ask p.db
"$PPMINE" -q -d p.db stats --format json >after.json 2>after.err
cmp before.json after.json && cmp before.err after.err

# One person and the model.
"$PPMINE" -q -d w.db init --study study
"$PPMINE" -q -d w.db load Posts.xml && "$PPMINE" -q -d w.db match >/dev/null
"$PPMINE" -q -d w.db label import sheet.csv --coder ann --keep-times
ask w.db
"$PPMINE" -q -d w.db label resolve --agreed >/dev/null
"$PPMINE" -q -d w.db label resolve --single --take ann --by cam --facet identification >/dev/null
"$PPMINE" -q -d w.db export --package out --no-plots --open
python3 out/check.py >said || { grep -v '^ok' said && fail "check.py finds faults"; }

# Counted again, from the sheet of the person and the codes that the server of the test gives.
python3 - <<'PYTHON'
import csv, json, sqlite3
said = json.load(open("out/PARAMETERS.json"))["settled"]
codes = {}
for row in csv.DictReader(open("study/codebook.csv")):
    codes.setdefault(row["facet"], []).append(row["code"])
person = {}
for coder, subject, facet, value in sqlite3.connect("p.db").execute("SELECT coder, subject, facet, value FROM decision"):
    if coder == "coder1" and facet != "identification" and value != "[]":
        person[facet, subject] = json.loads(value)
refused = {subject for subject, in sqlite3.connect("w.db").execute(
    "SELECT subject FROM decision WHERE coder = 'merged' AND facet = 'identification' AND value = 'false'")}
for facet, names in (("symptom", "symptom"), ("introducing stage", "stage"), ("root cause", "root cause")):
    of = {subject: value for (f, subject), value in person.items() if f == facet and subject.split("_")[0] not in refused}
    model = {subject: [codes[names][int(subject) % 7 == 2]] for subject in of
             if subject.isdigit() and int(subject) % 7 > 1 and facet != "root cause"}
    same = sum(model.get(subject) == value for subject, value in of.items())
    expected = {"n": len(of), "settled": same, "disputed": len(model) - same, "single": len(of) - len(model), "agreed": 0,
                "reopened": 0, "with_model": same}
    assert said[facet] == expected and (same > 10 or facet == "root cause"), (facet, said[facet], expected)
    words = f"- {facet.replace(' ', '-')}: of {same} settled labels, {same} are of one person and a model"
    assert (words in open("out/MODELS.md").read()) == (facet != "root cause"), words
PYTHON
