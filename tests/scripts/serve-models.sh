#!/bin/bash
# What a model says of a post: hidden from a coder until they coded it, on every page and in the terminal; or shown as a
# suggestion where the study says so. What is decided while it is shown says so, everywhere that decisions are.
set -eu
unset PPMINE_NOW # acts have times of their own
. "$ROOT/tests/lib/dump.sh"
. "$ROOT/tests/lib/sample.sh"
. "$ROOT/tests/lib/labels.sh"
need sqlite3 python3

sample_databases t.db
export PPMINE_DB=$PWD/t.db
for post in 105 107 110; do
    decide t.db model:qwen $post identification true 2026-01-01
    decide t.db model:qwen $post symptom '["memory leak"]' 2026-01-01
done
decide t.db 'model:a"b' 107 identification false 2026-01-01
made_anew t.db

python3 -B - <<'PYTHON'
import os, re, sqlite3, sys
sys.path.insert(0, os.environ["ROOT"] + "/tests/lib")
from serve import Server

def assisted(coder="ann"):
    return sqlite3.connect("t.db").execute(
        "SELECT post_id, facet, assisted_by FROM decision WHERE coder = ? ORDER BY decided_at, facet", (coder,)).fetchall()

def form(page, **fields):
    known = dict(re.findall(r'<input type="hidden" name="(on|shown|problem)" value="([^"]*)"', page))
    return {**known, "go": "stay", **fields}

ALL = {"codes:symptom": "program hang", "codes:root cause": "API misuse", "codes:introducing stage": "training",
       "codes:exposing stage": "training"}
with Server("t.db", "ann") as s:
    def everywhere(post):
        """All that is shown about a post before anything is settled."""
        paths = [f"/code/{post}", "/code", f"/api/posts/{post}", "/api/next", "/api/progress", "/codebook", "/screen",
                 f"/api/threads/{post}", "/search?q=a", "/settle", "/agreement", "/results", "/"]
        return "".join(s.get(path).text for path in paths)
    ALL["codes:root cause"] = sqlite3.connect("t.db").execute("SELECT name FROM code WHERE facet = 'root cause'").fetchone()[0]
    # Hidden before and while it is coded.
    for fields in ({}, {"is_problem": "yes"}, {"codes:symptom": "program hang"}):
        page = s.get("/code/105").text
        if fields:
            answer = s.form("/code/105", form(page, **fields))
            assert answer.status == 303, (fields, answer.status, vars(answer), form(page))
        shown = everywhere(105)
        assert "qwen" not in shown and "What models say" not in shown, fields
    # Beside it when all that is required is coded; and not on the page of a second problem.
    assert s.form("/code/105", form(s.get("/code/105").text, **ALL)).status == 303
    page = s.get("/code/105").text
    assert "model:qwen\n  105: problem yes\n  105: symptom memory leak" in page and 'name="shown"' in page
    for path in ("/code/105?problem=new", "/api/posts/105"):
        assert "qwen" not in s.get(path).text, (path, s.get(path).text)
    assert {row[2] for row in assisted()} == {None}, assisted()
    # What is changed now is assisted: by the form, by the page's script, and not by another program.
    assert s.form("/code/105", form(page, **{**ALL, "codes:symptom": "memory leak"})).status == 303
    assert [row for row in assisted() if row[2]] == [(105, "symptom", '["model:qwen"]')], assisted()
    act = {"post_id": 105, "codes": {"symptom": ["program hang"]}}
    assert s.api("/api/decide", {**act, "shown": True}).status == 200
    assert s.api("/api/decide", {**act, "codes": {"symptom": ["out of memory"]}}).status == 200
    assert [row[2] for row in assisted()[-2:]] == ['["model:qwen"]', None], assisted()
    assert len([row for row in assisted() if row[2]]) == 2
    # A no is coded, too. All models that coded the post are named.
    assert s.form("/code/107", form(s.get("/code/107").text, is_problem="no")).status == 303
    assert "model:qwen" in s.get("/code/107").text and "model:a&quot;b\n  107: problem no" in s.get("/code/107").text
    assert s.form("/code/107", form(s.get("/code/107").text, is_problem="yes")).status == 303
    assert assisted()[-1][2] == '["model:a\\"b","model:qwen"]', assisted()[-1]
    # Where no model coded the post, nothing was shown.
    assert s.form("/code/112", form(s.get("/code/112").text, is_problem="no")).status == 303
    assert "What models say" not in s.get("/code/112").text
    assert s.api("/api/decide", {"post_id": 112, "is_problem": True, "shown": True}).status == 200
    assert assisted()[-1][2] is None
with Server("t.db", "bob") as s:
    page = s.get("/code/105").text
    assert "qwen" not in page and 'name="shown"' not in page, "another coder is not blind"
PYTHON

# In the terminal as well: hidden, shown once it is coded, and then recorded.
echo quit | "$PPMINE" label code 110 --coder cam --no-answers >shown 2>&1
! grep -q qwen shown || fail "label code shows what a model says"
printf 'no\nquit\n' | "$PPMINE" -q label code 110 --coder cam >shown 2>&1
printf 'yes\nquit\n' | "$PPMINE" -q label code 110 --coder cam --no-answers >shown 2>&1
grep -q '^model:qwen$' shown || { cat shown && fail "label code does not show what a model says of a coded post"; }
[ "$(sqlite3 t.db "SELECT group_concat(ifnull(assisted_by, '-'), ' ') FROM (SELECT * FROM decision WHERE coder = 'cam' ORDER BY decided_at)")" = '- ["model:qwen"]' ] ||
    fail "$(sqlite3 t.db "SELECT * FROM decision WHERE coder = 'cam'")"

# Suggestions: from the beginning, where the study says so, but for who asks to be blind.
sqlite3 t.db "SELECT content FROM study_file WHERE name = 'study.ini'" >study.ini
cp -r "$ROOT/studies/dlperf" study && rm -rf study/sample
{ cat study.ini && echo 'model_shown = suggestions' && echo 'model_codes = symptom'; } >study/study.ini
"$PPMINE" -q init --change --study study --by ann --why 'a trial' 2>err || { cat err && fail "exit code $?"; }
python3 -B - <<'PYTHON'
import os, re, sqlite3, sys
sys.path.insert(0, os.environ["ROOT"] + "/tests/lib")
from serve import Server
with Server("t.db", "dan", "--blind") as s:
    assert "qwen" not in s.get("/code/110").text, "--blind shows suggestions"
with Server("t.db", "dan") as s:
    page = s.get("/code/110").text
    assert "model:qwen\n  110: problem yes" in page and 'name="shown"' in page
    assert s.api("/api/decide", {"post_id": 110, "codes": {"symptom": ["memory leak"]}, "shown": True}).status == 200
    assert s.api("/api/decide", {"post_id": 105, "codes": {"symptom": ["memory leak"]}}).status == 200
db = sqlite3.connect("t.db")
assert db.execute("SELECT DISTINCT post_id FROM decision WHERE coder = 'dan' AND assisted_by IS NOT NULL").fetchall() == [(110,)]
PYTHON

# Kept by a merge in either direction, in the history, the package and agree.
sample_databases u.db
"$PPMINE" -q -d u.db init --change --study study --by ann --why 'a trial'
"$PPMINE" -q -d u.db label merge t.db >/dev/null
sql='SELECT decision_id, assisted_by FROM decision ORDER BY 1'
[ "$(sqlite3 t.db "$sql")" = "$(sqlite3 u.db "$sql")" ] || fail "a merge loses it"
cp t.db w.db
sqlite3 w.db "UPDATE decision SET assisted_by = NULL"
"$PPMINE" -q -d w.db label merge t.db >/dev/null
[ "$(sqlite3 t.db "$sql")" = "$(sqlite3 w.db "$sql")" ] || fail "a merge of what is known loses it"
cp t.db w.db
sqlite3 w.db "UPDATE decision SET assisted_by = '[\"model:a\"x\"]' WHERE coder = 'dan'"
if "$PPMINE" -q -d u.db label merge w.db 2>err; then fail "a merge takes what is not JSON"; fi
grep -q 'assisted_by is not an array of models' err || { cat err && fail "other words"; }
"$PPMINE" label history --coder dan --format json >history.json
"$PPMINE" -q agree --all --format json >agree.json
"$PPMINE" -q label resolve --agreed --facet symptom >/dev/null || true
"$PPMINE" -q export --package out --no-plots --open
python3 out/check.py >said || true
if grep -A3 'FAIL settled' said; then fail "check.py counts otherwise"; fi
python3 - <<'PYTHON'
import collections, csv, json, sqlite3
db = sqlite3.connect("t.db")
kept = dict(db.execute("SELECT decision_id, ifnull(assisted_by, '') FROM decision"))
rows = list(csv.DictReader(open("out/data/decisions.csv", newline="")))
assert {row["decision_id"]: row["assisted_by"] for row in rows} == kept and any(kept.values())
history = json.load(open("history.json"))
history = history[0]["rows"] if "rows" in history[0] else history
assert sorted(row["assisted_by"] or "" for row in history) == sorted(
    v or "" for v, in db.execute("SELECT assisted_by FROM decision WHERE coder = 'dan'")), history
# Independent of the tables that follow: the newest decision of a coder, subject and facet is the one that counts.
newest = {}
for row in sorted(rows, key=lambda row: (row["decided_at"], row["decision_id"])):
    if not row["coder"].startswith("model:") and row["coder"] != "merged":
        newest[row["coder"], row["subject"], row["facet"]] = row
expected = collections.defaultdict(lambda: [0, 0])
for (coder, _, facet), row in newest.items():
    withdrawn = facet != "identification" and newest[coder, row["post_id"], "identification"]["value"] == "false"
    if row["value"] != "[]" and not withdrawn:
        expected[facet.replace(" ", "-"), coder][0] += 1
        expected[facet.replace(" ", "-"), coder][1] += row["assisted_by"] != ""
expected = {key: tuple(n) for key, n in expected.items() if n[1]}
tables = {t["id"]: t["rows"] for t in json.load(open("agree.json"))}
assert {(r["facet"], r["coder"]): (r["labels"], r["assisted"]) for r in tables["assisted"]} == expected, (tables["assisted"], expected)
# Dan saw the suggestion on 110, and said the same: no second opinion. What a model says of 105 two people judged.
settled = dict(db.execute("SELECT subject, reason FROM decision WHERE coder = 'merged' AND facet = 'symptom'"))
assert "110" not in settled, settled
PYTHON
