#!/bin/bash
# Two coders with two tabs each, while fetch and match write to the same file: no act is lost, none is
# overwritten by a tab that knew less, and no page says that a database is locked.
set -eu
. "$ROOT/tests/lib/fetch.sh"
need python3 jq curl sqlite3
skip_below_wrapper

serve --generate 600 --quota 100000
"$PPMINE" -q -d t.db init
"$PPMINE" -q -d t.db load "$ROOT/studies/dlperf/sample/Posts.xml"
"$PPMINE" -q -d t.db match >/dev/null
(while [ ! -e stop ]; do fetch t.db --tag python --to 2029-12-31 || true; ask "_clock?advance=86400" >/dev/null; echo >>fetched; done) &
fetching=$!
(while [ ! -e stop ]; do "$PPMINE" -q -d t.db match >/dev/null 2>>match.said || echo "exit $?" >>match.failed; echo >>matched; done) &
matching=$!
trap 'touch stop; wait $fetching $matching; stop_server' EXIT
unset PPMINE_NOW
python3 -B - <<'PYTHON'
import os, re, sqlite3, sys, threading, time
sys.path.insert(0, os.environ["ROOT"] + "/tests/lib")
from serve import Server, checked

def rows(query):
    with sqlite3.connect("t.db", timeout=30) as db:
        return db.execute(query).fetchall()

POSTS = [105, 107, 110, 112, 118, 119]
said, kept = [], []

def send(call):
    """As the page does: an answer that asks for it is asked for again."""
    for _ in range(200):
        answer = call()
        said.append(answer.text)
        if answer.status != 503:
            break
        time.sleep(0.1)
    assert answer.status in (200, 303), (answer.status, answer.text)
    return answer

def tab(server, coder, facet, names, number):
    for turn in range(25):
        post = POSTS[(turn + number) % len(POSTS)]
        note = f"{coder} {facet} {turn}"
        send(lambda: server.get(f"/code/{post}"))
        send(lambda: server.api("/api/decide", {"post_id": post, "note": note,
                                                "codes": {facet: [names[turn % len(names)]]}}))
        kept.append((coder, post, facet, names[turn % len(names)], note))

with Server("t.db", "ann") as one, Server("t.db", "bob") as two:
    threads = [threading.Thread(target=tab, args=args) for args in (
        (one, "ann", "symptom", ["memory leak", "program hang"], 0),
        (one, "ann", "root cause", ["others", "not using batch API"], 0),
        (two, "bob", "symptom", ["slow execution time", "memory leak"], 3),
        (two, "bob", "exposing stage", ["training", "evaluation"], 3))]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(kept) == 100, len(kept)
    notes = {text for text, in rows("SELECT text FROM note")}
    assert {note for *_, note in kept} <= notes
    last = {(coder, post, facet): name for coder, post, facet, name, _ in kept}
    found = {(coder, post, facet): code for coder, post, facet, code in rows(
        "SELECT l.coder, l.post_id, l.facet, c.name FROM label AS l JOIN code AS c USING (code_id)")}
    for key, name in last.items():
        assert found.get(key) == name, (key, name, found.get(key))
    assert not any("locked" in text for text in said)

    # --- two tabs without script: a form that was made before the other one's act ---
    def fields_of(page):
        fields = {}
        for kind, name, value, on in re.findall(
                r'<input type="(hidden|radio|checkbox)" name="([^"]*)" value="([^"]*)"( checked)?', page):
            if kind == "hidden" or on:
                fields.setdefault(name, []).append(value)
        return fields

    page = one.get("/code/105").text
    assert checked(page, "codes:symptom") and checked(page, "codes:root cause")
    fields = fields_of(page)
    send(lambda: one.api("/api/decide", {"post_id": 105, "codes": {"symptom": ["out of memory"]}}))
    fields["codes:root cause"] = "others" if checked(page, "codes:root cause") != ["others"] else "not using batch API"
    before = checked(page, "codes:root cause")
    old = one.form("/code/105", {**fields, "go": "stay"})
    assert old.status == 409 and "Nothing was saved" in old.text, (old.status, old.text)
    page = one.get("/code/105").text
    assert checked(page, "codes:symptom") == ["out of memory"], "the old form took the other tab's code back"
    assert checked(page, "codes:root cause") == before, "the old form was refused, and saved something"
    fields = fields_of(page)
    fields["codes:root cause"] = ""
    send(lambda: one.form("/code/105", {**fields, "go": "stay"}))
    assert checked(one.get("/code/105").text, "codes:root cause") == [], "a facet cannot be taken back by the form"
PYTHON
[ -s fetched ] && [ -s matched ] || fail "fetch or match did not run meanwhile"
[ ! -e match.failed ] || fail "match: $(cat match.failed match.said)"

# --- how candidates are related takes seconds to read for many of them: no visit waits for it ---
python3 -B - <<'PYTHON'
import json, random
words = [f"w{i}" for i in range(400)]
random.seed(7)
with open("many.ndjson", "w") as out:
    for i in range(1, 25001):
        text = " ".join(random.choices(words, k=60)) if i > 2 else "the same words " * 8 + "one two three four five six"
        out.write(json.dumps({"v": 1, "post_id": i, "post_type": "question", "title": f"training is slower {i if i > 2 else ''}",
                              "body_html": f"<p>training is slower {text}</p>", "tags": ["keras"],
                              "created_at": "2019-01-01T00:00:00Z"}) + "\n")
PYTHON
"$PPMINE" -q -d many.db init
"$PPMINE" -q -d many.db load --ndjson many.ndjson
"$PPMINE" -q -d many.db match >/dev/null
python3 -B - <<'PYTHON'
import os, sys, threading, time
sys.path.insert(0, os.environ["ROOT"] + "/tests/lib")
from serve import Server
with Server("many.db", "ann") as s:
    pages = []
    visits = [threading.Thread(target=lambda: pages.append(s.get("/code/1").text)) for _ in range(8)]
    for visit in visits:
        visit.start()
    for visit in visits:
        visit.join()
    assert len(pages) == 8 and not any('class="related"' in page for page in pages), "a visit waited for all candidates"
    assert s.api("/api/posts/1").json.get("related") is None
    until = time.monotonic() + 300
    while 'class="related"' not in s.get("/code/1").text:
        assert time.monotonic() < until, "what is related was never read"
        time.sleep(0.05)
    assert [r["post_id"] for r in s.api("/api/posts/1").json["related"]] == [2], s.api("/api/posts/1").json["related"]
with Server("many.db", "ann") as s: # and it ends while it reads
    s.get("/code/1")
PYTHON

# --- what is saved is soon in the database itself, not only in the log beside it: no save has to do that ---
"$PPMINE" -q -d log.db init --published
python3 -B - <<'PYTHON'
import os, shutil, sqlite3, sys, time
sys.path.insert(0, os.environ["ROOT"] + "/tests/lib")
from serve import Server

def in_the_file():
    shutil.copy("log.db", "alone.db") # without the log
    with sqlite3.connect("file:alone.db?immutable=1", uri=True) as db:
        return db.execute("SELECT count(*) FROM decision WHERE coder = 'ann'").fetchone()[0]

with sqlite3.connect("log.db") as db:
    posts = [post for post, in db.execute("SELECT DISTINCT post_id FROM judgement ORDER BY 1 LIMIT 20")]
with Server("log.db", "ann") as s:
    for post in posts:
        assert s.api("/api/decide", {"post_id": post, "is_problem": False}).status == 200
    until = time.monotonic() + 60
    while in_the_file() < len(posts):
        assert time.monotonic() < until, (in_the_file(), "of", len(posts))
        time.sleep(0.2)
PYTHON
