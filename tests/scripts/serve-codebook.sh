#!/bin/bash
# The page Codebook changes codes as the commands do: the same acts leave the same rows. Only an owner may,
# each change has a reason, and a reason that may name another coder's label is hidden until the settling.
set -eu
. "$ROOT/tests/lib/sample.sh"

sample_databases page.db
ppmine -q -d page.db label set 105 --coder bob --problem yes --symptom 'program hang' >/dev/null
cp page.db command.db
exec python3 -B - <<'PYTHON'
import os, re, sqlite3, subprocess, sys
from html import unescape
from urllib.parse import quote
sys.path.insert(0, os.environ["ROOT"] + "/tests/lib")
from serve import Server

def codebook(*words):
    done = subprocess.run(["ppmine", "-q", "-d", "command.db", "codebook", *words, "--by", "ann", "--why", "as agreed"],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, (words, done.stderr)

def rows(database):
    with sqlite3.connect(database) as db:
        return [db.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()
                for table in ("code", "code_alias", "label")] + \
            [db.execute("SELECT codebook_version, changed_by, action, facet, code, became, reason, look_again"
                        " FROM code_change ORDER BY 1").fetchall()]

def change(server, go, code, **fields):
    return server.form("/codebook", {"go": go, "facet": "symptom", "code": code, "why": "as agreed", **fields})

subprocess.run(["ppmine", "-q", "-d", "page.db", "serve", "--coders", "team.txt", "--invite", "ann", "--owner"],
               check=True, capture_output=True)
links = {"ann": None, "bob": None}
for name, more in (("ann", ["--owner"]), ("bob", [])):
    links[name] = subprocess.run(["ppmine", "-q", "-d", "page.db", "serve", "--coders", "team.txt", "--invite", name, *more],
                                 check=True, capture_output=True, text=True).stdout.strip()

with Server("page.db", None, "--coders", "team.txt") as server:
    ann, bob = (server.visitor(links[name][links[name].index("/launch"):]) for name in ("ann", "bob"))

    # --- the same as the commands ---
    for go, code, fields, words in (
            ("add", "", {"name": "slow <b>shutdown", "category": "Time", "definition": "It ends late."},
             ["add", "slow <b>shutdown", "--facet", "symptom", "--category", "Time", "--definition", "It ends late."]),
            ("define", "program hang", {"definition": "No end within a day."},
             ["define", "program hang", "--definition", "No end within a day."]),
            ("define", "memory leak", {"definition": "It grows.", "same": "yes"},
             ["define", "memory leak", "--definition", "It grows.", "--same-meaning"]),
            ("rename", "program hang", {"name": "endless run"}, ["rename", "program hang", "endless run"]),
            ("merge", "slow <b>shutdown", {"into": "endless run"},
             ["merge", "slow <b>shutdown", "--into", "endless run"])):
        answer = change(ann, go, code, **fields)
        assert answer.status == 303 and answer.headers["Location"] == "/codebook", (go, answer.text)
        codebook(*words)
    answer = ann.form("/codebook", [("go", "split"), ("facet", "symptom"), ("code", "endless run"), ("why", "as agreed"),
                                    ("into", "memory leak"), ("into", "slow execution time")])
    assert answer.status == 303, answer.text
    codebook("split", "endless run", "--into", "memory leak", "--into", "slow execution time")
    assert rows("page.db") == rows("command.db")
    assert rows("page.db")[3][-1][0] == 7

    # --- what is read ---
    page = ann.get("/codebook").text
    assert "as agreed" in page and "&lt;b&gt;shutdown" in page and "Version 7" in page
    assert "Change</a>" in page and "Add a code to symptom" in page
    for href in re.findall(r'href="(/codebook\?[^"]*)"', page):
        form = ann.get(unescape(href))
        assert form.status == 200, href
        assert 'name="why"' in form.text, href
    page = bob.get("/codebook").text
    assert "shown after the settling" in page and "as agreed" not in page and "Change</a>" not in page
    assert re.search(r'Check these labels again</h2>\s*<ul>\s*<li><a href="/code/105\?problem=105">', page), page
    assert "Check these labels" not in ann.get("/codebook").text  # they are bob's
    assert ann.form("/settle", {"go": "open", "sure": "yes"}).status == 303
    assert "as agreed" in bob.get("/codebook").text

    # --- memos: each coder writes them and reads them all, escaped, beside the code; no owner is needed ---
    def memo(who, **fields):
        return who.form("/codebook", {"go": "memo", "memo": "", **fields}).status

    assert memo(bob, facet="symptom", code="MEMORY LEAK", memo="<b>slow</b>\r\nleaks?") == 303
    assert memo(bob, facet="", code="", memo="of the study") == 303
    assert memo(ann, facet="symptom", code="memory leak", memo=" ") == 400
    assert memo(ann, facet="symptom", code="nothing", memo="x") == 400
    assert memo(ann, facet="nothing", code="memory leak", memo="x") == 400
    with sqlite3.connect("page.db") as db:
        assert db.execute("SELECT coder, code, text FROM memo ORDER BY code").fetchall() == [
            ("bob", "", "of the study"), ("bob", "memory leak", "<b>slow</b>\nleaks?")]
    page = ann.get("/codebook").text
    shown = r"<dt>memory leak <small>Memory</small></dt>(?:(?!<dt>).)*bob, 20..-..-..:</small> &lt;b&gt;slow&lt;/b&gt;<br>\s*leaks\?<br>"
    assert re.search(shown, page, re.S) and page.count("of the study<br>") == 1 and "<b>slow" not in page, page

    # --- what is refused changes nothing ---
    before = rows("page.db")
    assert bob.get("/codebook?facet=symptom&code=memory%20leak").status == 403
    assert change(bob, "rename", "memory leak", name="x").status == 403
    for status, go, code, fields in (
            (400, "rename", "memory leak", {"name": ""}), (400, "rename", "memory leak", {"name": "slow execution time"}),
            (400, "rename", "memory leak", {"name": "x", "why": " "}), (400, "rename", "nothing", {"name": "x"}),
            (400, "drop", "memory leak", {}), (400, "merge", "memory leak", {"into": "memory leak"}),
            (400, "merge", "memory leak", {"into": "nothing"}), (400, "merge", "memory leak", {}),
            (400, "split", "memory leak", {"into": "slow execution time"}),
            (400, "add", "", {"name": "x"}), (400, "add", "", {"name": "x", "category": "Time", "facet": "nothing"}),
            (400, "define", "memory leak", {"definition": "a", "why": "w" * 40000})):
        answer = change(ann, go, code, **fields)
        assert answer.status == status, (go, code, fields, answer.status, answer.text)
    for query in ("facet=nothing", "facet=symptom&code=nothing"):
        assert ann.get("/codebook?" + query).status == 404
    assert rows("page.db") == before
PYTHON
