#!/bin/bash
# Each act is made on what its page showed: what another tab changed is not overwritten, what is sent again is done
# once, and a database that cannot be opened ends no server.
set -eu
unset PPMINE_NOW # acts have times of their own
. "$ROOT/tests/lib/sample.sh"

sample_databases t.db
exec python3 -B - <<'PYTHON'
import os, re, resource, sqlite3, subprocess, sys, threading
sys.path.insert(0, os.environ["ROOT"] + "/tests/lib")
from serve import Server

STALE = "changed in another tab"

def rows(sql):
    return sqlite3.connect("t.db").execute(sql).fetchall()

def count():
    return rows("SELECT (SELECT count(*) FROM decision), (SELECT count(*) FROM note)")[0]

def state_of(page):
    return re.search(r'name="on" value="([0-9a-f]+-[0-9a-f]+-[0-9]+)"', page).group(1)

def codes(names):
    return {"symptom": names}

with Server("t.db", "ann") as s:
    # --- two tabs with the same post, as forms ---
    first, second = s.get("/code/105").text, s.get("/code/105").text
    form = {"problem": "105", "was:symptom": "", "go": "stay"}
    assert s.form("/code/105", {**form, "on": state_of(first), "codes:symptom": "memory leak"}).status == 303
    before = count()
    for fields in ({"codes:symptom": "program hang"}, {"is_problem": "no", "go": "next"}, {"go": "no"}, {"go": "unsure"},
                   {"reason": "since <b>it</b> grows", "note": "ask bob"}, {"go": "undo"}):
        answer = s.form("/code/105", {**form, "on": state_of(second), **fields})
        assert answer.status == 409 and STALE in answer.text, (fields, answer.status)
        if "reason" in fields: # no word is lost
            assert "since &lt;b&gt;it&lt;/b&gt; grows" in answer.text and "ask bob" in answer.text
    assert count() == before, "a stale form wrote something"
    assert s.form("/code/105", {**form, "on": state_of(s.get("/code/105").text), "codes:symptom": "program hang"}).status == 303
    # Another post is another state, but for undo, which takes the last act back wherever that was.
    here, there = state_of(s.get("/code/107").text), state_of(s.get("/code/110").text)
    assert s.api("/api/decide", {"post_id": 107, "is_problem": True, "state": here}).status == 200
    answer = s.api("/api/undo", {"post_id": 110, "state": there})
    assert answer.status == 409 and STALE in answer.json["error"]
    assert s.api("/api/decide", {"post_id": 110, "is_problem": False, "state": there}).status == 200
    for state in ("", "0", here, "x" * 500):
        assert s.api("/api/decide", {"post_id": 107, "is_problem": False, "state": state}).status == 409, state
    assert rows("SELECT post_id, is_problem FROM judgement WHERE post_id IN (107, 110)") == [(107, 1), (110, 0)]
    # A state does not come back with what was said: an act that was delayed is not done late.
    old = s.api("/api/decide", {"post_id": 112, "codes": codes(["memory leak"])}).json["state"]
    assert s.api("/api/decide", {"post_id": 112, "codes": codes(["program hang"]), "state": old}).status == 200
    assert s.api("/api/undo", {}).status == 200
    assert s.api("/api/decide", {"post_id": 112, "codes": codes(["out of memory"]), "state": old}).status == 409

    # --- an act whose answer was lost is sent again ---
    state = state_of(s.get("/code/118").text)
    acts = [("/api/decide", {"codes": codes(["memory leak"])}), ("/api/decide", {"note": "twice?"}), ("/api/undo", {}),
            ("/api/screen", {"answer": "yes"})]
    for n, (path, what) in enumerate(acts):
        body = {"post_id": 118, "state": state, "act_id": "%032x" % n, **what}
        done = s.api(path, body)
        before = count()
        again = s.api(path, body)
        assert done.status == again.status == 200, (path, what, done.text, again.text)
        assert count() == before and again.json.get("state") == done.json.get("state"), (path, what)
        state = state_of(s.get("/code/118").text)
        assert s.api(path, {**body, "act_id": "%031xf" % n, "state": state[::-1]}).status == 409
    # Screening names the state too.
    page = s.follow("/screen").text
    post = re.search(r'data-post="(\d+)"', page).group(1)
    assert s.api("/api/decide", {"post_id": int(post), "is_problem": True}).status == 200
    assert s.form("/screen", {"post": post, "order": "ranked", "go": "no", "on": state_of(page)}).status == 409

    # --- a reason is of its facet ---
    both = {"symptom": ["memory leak"], "root cause": ["others"]}
    assert s.api("/api/decide", {"post_id": 119, "codes": both}).status == 200
    assert s.api("/api/decide", {"post_id": 119, "reason": "it grows", "reason_for": "symptom"}).status == 200
    assert s.form("/code/119", {
        "problem": "119", "go": "stay", "reason": "odd", "reason_for": "identification",
        **{f"was:{name}": "" for name in ("introducing stage", "exposing stage")},
        **{f"{when}:{name}": value for name, (value,) in both.items() for when in ("was", "codes")}}).status == 303
    reasons = "SELECT facet, reason FROM decision WHERE post_id = 119 AND reason IS NOT NULL ORDER BY facet"
    assert rows(reasons) == [("identification", "odd"), ("symptom", "it grows")], rows(reasons)
    for wrong in ({"reason_for": "introducing stage"}, {"reason_for": "nonsense"}):
        assert s.api("/api/decide", {"post_id": 119, "reason": "why", **wrong}).status == 400, wrong

    # What was settled stays so when a coder says the same for another reason, and opens when they say something else.
    def label(*words):
        return subprocess.run(["ppmine", "-q", "-d", "t.db", "label", *words], capture_output=True, text=True, check=False)

    label("set", "119", "--coder", "bob", "--problem", "yes", "--symptom", "out of memory", "--root-cause", "others")
    assert "119, symptom" in label("resolve").stdout
    settled = label("resolve", "119", "--facet", "symptom", "--take", "bob", "--by", "bob")
    assert settled.returncode == 0, settled.stderr
    assert "119, symptom" not in label("resolve").stdout
    assert s.api("/api/decide", {"post_id": 119, "reason": "it grows slowly", "reason_for": "symptom"}).status == 200
    assert rows(reasons)[-1] == ("symptom", "it grows slowly"), rows(reasons)
    assert "119, symptom" not in label("resolve").stdout, "a reason opens what was settled"
    assert s.api("/api/decide", {"post_id": 119, "codes": codes(["program hang"])}).status == 200
    assert "119, symptom" in label("resolve").stdout

    # The same where it was settled which problems the post has: bob sees one, ann two.
    for problem, symptom in (("121_1", "memory leak"), ("121_2", "program hang")):
        assert s.api("/api/decide", {"post_id": 121, "problem_id": problem, "codes": codes([symptom])}).status == 200
    label("set", "121", "--coder", "bob", "--symptom", "memory leak")
    assert label("resolve", "121", "--segments", "ann", "--by", "bob").returncode == 0
    of_post = ("resolve", "--post", "121", "--all", "--format", "csv")
    assert "segmentation" not in label(*of_post).stdout
    said = {"post_id": 121, "problem_id": "121_2"}
    assert s.api("/api/decide", {**said, "reason": "it stands still", "reason_for": "symptom"}).status == 200
    assert s.form("/code/121", {"problem": "121_1", "go": "stay", "reason": "it grows", "reason_for": "symptom",
                                **{f"was:{facet}": "" for facet in ("root cause", "introducing stage", "exposing stage")},
                                "was:symptom": "memory leak", "codes:symptom": "memory leak"}).status == 303
    assert label("set", "121", "--coder", "bob", "--symptom", "memory leak", "--reason", "one program").returncode == 0
    assert rows("SELECT subject, facet, reason FROM decision WHERE post_id = 121 AND reason IS NOT NULL AND coder <> 'merged'"
                " ORDER BY subject") == [("121", "symptom", "one program"), ("121_1", "symptom", "it grows"),
                                         ("121_2", "symptom", "it stands still")]
    assert "segmentation" not in label(*of_post).stdout, "a reason opens which problems a post has"
    assert s.api("/api/decide", {**said, "codes": codes(["out of memory"])}).status == 200
    assert "segmentation" in label(*of_post).stdout

    # A second problem that is taken back leaves neither a number to the first one nor a disagreement.
    assert s.api("/api/decide", {"post_id": 123, "codes": both}).status == 200
    label("set", "123", "--coder", "bob", "--problem", "yes", "--symptom", "memory leak", "--root-cause", "others")
    labels = "SELECT subject, facet, coder, code_id FROM label WHERE post_id = 123 ORDER BY subject, facet, coder"
    before, disputed = rows(labels), label("resolve", "--post", "123", "--all", "--format", "csv").stdout
    assert 'name="problem" value="123_2"' in s.get("/code/123?problem=new").text and rows(labels) == before
    assert s.api("/api/decide", {"post_id": 123, "problem_id": "123_2", "codes": codes(["program hang"])}).status == 200
    assert ("123_1",) in rows("SELECT subject FROM label WHERE post_id = 123 AND coder = 'ann'")
    assert "segmentation" in label("resolve", "--post", "123", "--all", "--format", "csv").stdout
    assert s.api("/api/undo", {}).status == 200
    assert rows(labels) == before, rows(labels)
    assert label("resolve", "--post", "123", "--all", "--format", "csv").stdout == disputed

    # --- two people who settle the same: the second one sees what the first did ---
    assert s.form("/settle", {"go": "open", "sure": "yes"}).status == 303
    assert s.api("/api/decide", {"post_id": 118, "codes": codes(["memory leak"])}).status == 200
    label("set", "118", "--coder", "bob", "--problem", "yes", "--symptom", "out of memory")
    page = s.get("/settle?after=117").text
    settled = {"subject": "118", "facet": "symptom", "on": state_of(page), "value": "memory leak", "after": "117"}
    assert 'name="subject" value="118"' in page
    assert label("resolve", "118", "--facet", "symptom", "--take", "bob", "--by", "bob").returncode == 0
    before = count()
    for fields in (settled, {**settled, "value": "", "other": "program hang", "reason": "it <i>hangs</i>"},
                   {**settled, "facet": "segmentation", "value": "118"}, {**settled, "on": ""}):
        answer = s.form("/settle", fields)
        assert answer.status == 409 and "Somebody decided about the post" in answer.text, (fields, answer.status)
        assert '"/settle?after=117"' in answer.text
        if "reason" in fields:
            assert "it &lt;i&gt;hangs&lt;/i&gt;" in answer.text and "program hang" in answer.text
    assert count() == before, "a stale settlement wrote something"
    assert label("set", "118", "--coder", "bob", "--symptom", "program hang").returncode == 0 # opens it again
    page = s.get("/settle?after=117").text
    assert s.form("/settle", {**settled, "on": state_of(page)}).status == 303
    assert rows("SELECT value FROM decision WHERE coder = 'merged' AND subject = '118' AND facet = 'symptom'"
                " ORDER BY decided_at")[-1] == ('["memory leak"]',)

    # --- evidence is in bytes of the text where it is ---
    found = s.api("/api/quote", {"post_id": 105, "quote": "no such words anywhere"})
    assert found.status == 400 and s.api("/api/quote", {"post_id": 99999, "quote": "x"}).status == 400

    # --- the database cannot be opened for a while: one line each time, and then it goes on ---
    def ask(n):
        found = []
        threads = [threading.Thread(target=lambda: found.append(s.get("/code/105"))) for _ in range(n)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        return found

    def all_right(found):
        for answer in found:
            assert answer.status in (200, 503), answer.status
            if answer.status == 503:
                assert answer.headers["Retry-After"] and answer.text.count('role="alert"') == 1, answer.text
                assert "cannot be read at the moment" in answer.text and "\n" not in \
                    re.search(r'role="alert">([^<]*)<', answer.text).group(1)
        assert s.process.poll() is None, "the server ended"

    os.rename("t.db", "away.db")
    all_right(ask(12))
    os.rename("away.db", "t.db")
    here = len(os.listdir(f"/proc/{s.process.pid}/fd"))
    limit = resource.prlimit(s.process.pid, resource.RLIMIT_NOFILE)
    for spare in (14, 18, 22, 26):
        resource.prlimit(s.process.pid, resource.RLIMIT_NOFILE, (here + spare, limit[1]))
        try:
            ask(12)
        except OSError: # no descriptor for the connection itself
            pass
    resource.prlimit(s.process.pid, resource.RLIMIT_NOFILE, limit)
    found = ask(12)
    all_right(found)
    assert {answer.status for answer in found} == {200}

# --- what a page showed: a code whose definition was changed since is given under the codebook that its coder saw ---
def version(subject, coder="ann"):
    return rows(f"SELECT codebook_version FROM decision WHERE subject = '{subject}' AND coder = '{coder}' AND facet = 'symptom'"
                " ORDER BY decided_at DESC LIMIT 1")[0][0]

with Server("t.db", "ann") as s:
    old = state_of(s.get("/code/116").text)
    subprocess.run(["ppmine", "-q", "-d", "t.db", "codebook", "define", "memory leak", "--definition", "It grows without end.",
                    "--by", "cy", "--why", "clearer"], check=True)
    assert s.form("/code/116", {"problem": "116", "was:symptom": "", "go": "stay", "on": old, "codes:symptom": "memory leak"}).status == 303
    assert s.api("/api/decide", {"post_id": 124, "codes": codes(["memory leak"])}).status == 200
    review = subprocess.run(["ppmine", "-d", "t.db", "codebook", "review", "--coder", "ann", "--format", "csv"], check=True,
                            capture_output=True, text=True).stdout
    assert version(116) == 1 and version(124) == 2 and "\n116,symptom,ann,memory leak,2," in review and "\n124," not in review, (version(116), version(124), review)
    # The page keeps what it showed, whatever it saved before.
    said = s.api("/api/decide", {"post_id": 129, "note": "n", "state": state_of(s.get("/code/129").text).rsplit("-", 1)[0] + "-1"}).json
    assert s.api("/api/decide", {"post_id": 129, "codes": codes(["memory leak"]), "state": said["state"]}).status == 200
    assert version(129) == 1

    # --- nothing that is sent is dropped without a word ---
    before = count()
    for path, body in (("/api/decide", {"is_problme": True}), ("/api/decide", {"is_problem": True, "reason": 5}),
                       ("/api/decide", {"is_problem": True, "note": ["x"]}), ("/api/decide", {"unsure": "yes"}),
                       ("/api/decide", {"problem_id": 131, "codes": codes(["memory leak"])}), ("/api/decide", {"codes": {}}),
                       ("/api/decide", {}), ("/api/decide", {"is_problem": True, "state": 5}), ("/api/decide", {"note": " "}),
                       ("/api/screen", {"answer": "yes", "order": 5}), ("/api/screen", {"answer": "yes", "stat": "x"}),
                       ("/api/undo", {"post": 131}), ("/api/undo", {"post_id": "x"}), ("/api/threads", {"subject": "131", "txt": "x"})):
        answer = s.api(path, {"post_id": 131, **body} if path in ("/api/decide", "/api/screen") else body)
        assert answer.status == 400, (path, body, answer.text)
    assert count() == before
    notes = lambda post: rows(f"SELECT text FROM note WHERE post_id = {post} ORDER BY text")
    assert s.api("/api/decide", {"post_id": 131, "unsure": True, "note": "why?"}).status == 200
    assert notes(131) == [("#unsure",), ("why?",)], notes(131)
    # Forms without script: unsure and skip keep what is typed; lines end as elsewhere.
    form = {"problem": "133", "on": state_of(s.get("/code/133").text)}
    assert s.form("/code/133", {**form, "go": "unsure", "note": "one\r\ntwo"}).status == 303
    assert notes(133) == [("#unsure",), ("one\ntwo",)], notes(133)
    form = {"problem": "135", "on": state_of(s.get("/code/135").text)}
    assert s.form("/code/135", {**form, "go": "skip", "note": "kept"}).headers["Location"] == "/code?after=135"
    assert notes(135) == [("kept",)]
    before = count()
    empty = {f"was:{facet}": "" for facet in ("symptom", "root cause", "introducing stage", "exposing stage")}
    assert s.form("/code/135", {**empty, "problem": "135", "on": "0", "go": "skip"}).headers["Location"] == "/code?after=135"
    assert count() == before

# A file that is no database any more, for a server that has one connection.
with Server("t.db", "ann") as s:
    good = open("t.db", "rb").read()
    with open("t.db", "r+b") as f:
        f.write(os.urandom(65536))
    for _ in range(3):
        assert {answer.status for answer in ask(12)} <= {200, 500, 503}
        assert s.process.poll() is None, "the server ended"
    with open("t.db", "wb") as f:
        f.write(good)
PYTHON
