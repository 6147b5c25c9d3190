#!/bin/bash
# ppmine serve over real sockets: who is let in, coding without script and as JSON, slow clients.
set -eu
unset PPMINE_NOW # acts have times of their own
export PPMINE_BUSY_TIMEOUT_MS=700

cat >posts.py <<'PYTHON'
posts = [(1, "Training is <very> odd & slower", "<p>It is slower</p><pre><code>a < b</code></pre>"),
         (2, "Memory", "<p>slower, out of memory here <a href='javascript:alert(1)'>x</a></p>"),
         (3, "Slow again", "<p>so much slower, too</p>"), (4, "Slow still", "<p>still slower</p>")]
import xml.sax.saxutils as x
print('<?xml version="1.0" encoding="utf-8"?>\n<posts>')
for i, title, body in posts:
    print('<row Id="%d" PostTypeId="1" AcceptedAnswerId="%d" CreationDate="2019-01-0%dT00:00:00.000" Score="1"'
          ' Title=%s Body=%s Tags="&lt;keras&gt;" />' % (i, i + 10, i, x.quoteattr(title), x.quoteattr(body)))
    print('<row Id="%d" PostTypeId="2" ParentId="%d" CreationDate="2019-01-0%dT00:00:00.000" Score="1"'
          ' Body="&lt;p&gt;an answer&lt;/p&gt;" />' % (i + 10, i, i))
print('</posts>')
PYTHON
python3 posts.py >Posts.xml
ppmine -q -d t.db init
ppmine -q -d t.db load Posts.xml
ppmine -q -d t.db match >/dev/null
exec python3 -B - <<'PYTHON'
import json, os, socket, sqlite3, subprocess, sys, threading, time
sys.path.insert(0, os.environ["ROOT"] + "/tests/lib")
from serve import Server, checked

def rows(query):
    with sqlite3.connect("t.db") as db:
        return db.execute(query).fetchall()

def history():
    out = subprocess.run(["ppmine", "-d", "t.db", "label", "history", "--format", "json"],
                         capture_output=True, text=True, check=False).stdout
    return json.loads(out or "[]")

# --- who is let in ---
with Server("t.db", "ann", launch=False) as s:
    for path in ("/", "/code", "/code/1", "/codebook", "/api/next", "/nothing"):
        assert s.get(path).status == 401, path
    assert s.request("HEAD", s.launch_path).status == 405, "HEAD must not use the link up"
    assert s.get("/launch?token=" + "0" * 64).status == 403
    assert s.get(s.launch_path, Host="evil.example:%d" % s.port).status == 403
    answer = s.get(s.launch_path)
    assert answer.status == 200
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie and "ppmine_%d=" % s.port in cookie
    assert s.get(s.launch_path).status == 403, "a link works once"
    s.cookie = cookie.split(";")[0]
    answer = s.get("/codebook")
    assert answer.status == 200
    for name, part in (("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src"
                        " 'self'; img-src 'self' blob:; connect-src 'self'; form-action 'self'; base-uri"
                        " 'none'; frame-ancestors 'none'"), ("X-Content-Type-Options", "nosniff"),
                       ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store")):
        assert answer.headers[name] == part, (name, answer.headers[name])
    # DNS rebinding, and pages of others
    assert s.get("/code", Host="evil.example:%d" % s.port).status == 403
    assert s.get("/code", Host=None).status >= 400
    for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": None},
                    {"Sec_Fetch_Site": "cross-site"}, {"Sec_Fetch_Site": "same-site"},
                    {"Origin": "http://localhost:%d" % s.port}):
        answer = s.form("/code/1", {"problem": "1", "is_problem": "no", "go": "next"}, **headers)
        assert answer.status == 403, headers
        assert s.api("/api/decide", {"post_id": 1, "is_problem": False}, **headers).status == 403
    assert history() == [], "what was refused wrote something"
    assert s.request("DELETE", "/code/1").status == 405
    assert s.get("/code?x=" + "a" * 9000).status == 414
    assert s.get("/x" * 40000).status in (414, 431)
    assert s.form("/code/1", {"note": "a" * 140000}).status == 413
    assert s.form("/code/1", {"is_problem": "no"}, Content_Type="text/plain").status == 400
    answer = s.api("/api/decide", {"post_id": 1}, Content_Type="text/plain")
    assert answer.status == 415, (answer.headers["Location"], rows("SELECT * FROM decision"))

# --- coding, without script ---
with Server("t.db", "ann") as s:
    page = s.follow("/")
    assert page.path == "/code/1" and page.status == 200
    assert "Training is &lt;very&gt; odd &amp; <mark>slower</mark>" in page.text, page.text[600:2600]
    assert "It is <mark>slower</mark>" in page.text and "a &lt; b" in page.text
    assert "an answer" in page.text and "accepted" in page.text
    answer = s.form("/code/1", {"problem": "1", "is_problem": "yes", "codes:symptom":
                                ["slow execution time", "memory leak"], "codes:root cause": "others",
                                "reason": "told-by-ann", "go": "next"})
    assert answer.status == 303 and answer.headers["Location"] == "/code?after=1", answer.text
    assert s.follow("/code?after=1").path == "/code/2"
    page = s.get("/code/1").text
    assert checked(page, "codes:symptom") == ["slow execution time", "memory leak"]
    assert checked(page, "codes:root cause") == ["others"] and checked(page, "is_problem") == ["yes"]
    assert rows("SELECT is_problem FROM judgement WHERE post_id = 1 AND coder = 'ann'") == [(1,)]
    assert {r[0] for r in rows("SELECT reason FROM decision")} == {"told-by-ann"}
    assert s.form("/code/2", {"problem": "2", "go": "no"}).headers["Location"] == "/code?after=2"
    assert s.form("/code/3", {"problem": "3", "go": "skip"}).headers["Location"] == "/code?after=3"
    assert s.form("/code/4", {"problem": "4", "go": "unsure"}).headers["Location"] == "/code?after=4"
    assert s.follow("/code?after=4").path == "/code/3", "what was skipped comes again"
    s.form("/code/3", {"problem": "3", "go": "no"})
    assert s.follow("/code?after=3").path == "/code/4", "what was unsure comes last"
    answer = s.form("/code/4", {"problem": "4", "go": "back"})
    assert s.get(answer.headers["Location"]).headers["Location"] == "/code/3"
    answer = s.form("/code/4", {"problem": "4", "go": "undo"})
    assert answer.headers["Location"] == "/code/3", (answer.headers["Location"], rows("SELECT * FROM decision"))
    assert rows("SELECT count(*) FROM judgement WHERE post_id = 3") == [(0,)]
    answer = s.form("/code/1", {"problem": "1", "is_problem": "yes", "go": "problem", "codes:symptom":
                                ["slow execution time", "memory leak"], "codes:root cause": "others"})
    assert answer.headers["Location"] == "/code/1?problem=new", answer.headers["Location"]
    first = ["slow execution time", "memory leak", "others"]

    def problems():
        return [(p["problem_id"], sum(p["codes"].values(), [])) for p in s.api("/api/posts/1").json["said"]["problems"]]

    # A second problem is nothing before it has a code; with that the first one gets its number, and undo takes both back.
    assert 'name="problem" value="1_2"' in s.get(answer.headers["Location"]).text
    assert problems() == [("1", first)], problems()
    second = {"post_id": 1, "problem_id": "1_2", "codes": {"symptom": ["program hang"]}}
    assert s.api("/api/decide", second).status == 200
    assert problems() == [("1_1", first), ("1_2", ["program hang"])], problems()
    assert s.api("/api/undo", {}).status == 200
    assert problems() == [("1", first)], problems()
    assert s.api("/api/decide", second).status == 200 and s.api("/api/undo", {}).status == 200
    for fields, code in (({"problem": "2"}, 400), ({"problem": "1", "codes:symptom": "nonsense"}, 400),
                         ({"problem": "1", "codes:symptom": ["memory leak", "program hang",
                                                             "out of memory"]}, 400)):
        assert s.form("/code/1", fields).status == code, fields
    assert s.get("/code/99").status == 404 and s.get("/code/1x").status == 404

    # --- as JSON ---
    assert s.api("/api/next").json == {"post_id": 3}
    post = s.api("/api/posts/1").json
    assert post["said"]["problems"][0]["problem_id"] == "1"
    answer = s.api("/api/decide", {"post_id": 4, "is_problem": True,
                                   "codes": {"exposing stage": ["training"]}, "note": "mine"})
    assert answer.json["saved"] and answer.json["is_problem"] is True, answer.text
    assert answer.json["judged"] == 3 and answer.json["total"] == 4
    assert rows("SELECT text FROM note WHERE coder = 'ann' AND text <> '#unsure'") == [("mine",)]
    answer = s.api("/api/decide", {"post_id": 4, "is_problem": False})
    assert answer.json["problems"] == [] and answer.json["is_problem"] is False
    assert s.api("/api/undo", {}).json["is_problem"] is True
    assert s.api("/api/quote", {"post_id": 1, "quote": "a < b"}).json["start"] == 13
    for body in ({}, {"post_id": "4x"}, {"post_id": 4, "codes": {"x": []}}, {"post_id": 4, "codes": []},
                 {"post_id": 4, "codes": {"symptom": ["nonsense"]}}, {"post_id": 4, "problem_id": "5"},
                 {"post_id": 4, "is_problem": "yes"}, [1]):
        assert s.api("/api/decide", body).status == 400, body
    assert s.api("/api/nothing").status == 404

    # --- a slow client holds up nobody ---
    slow = [socket.create_connection(("127.0.0.1", s.port)) for _ in range(40)]
    for each in slow:
        each.sendall(b"POST /api/decide HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
    began = time.monotonic()
    assert s.api("/api/next").status == 200
    assert time.monotonic() - began < 5
    for each in slow:
        each.close()

    # --- another program writes: nothing is lost, and what was not saved is said ---
    other = sqlite3.connect("t.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    answer = s.api("/api/decide", {"post_id": 3, "is_problem": True})
    assert answer.status == 503 and answer.headers["Retry-After"], answer.text
    assert "locked" not in answer.text
    other.execute("ROLLBACK")
    assert s.api("/api/decide", {"post_id": 3, "is_problem": True}).status == 200

# --- a server that is killed, after every n-th act and amid the next one: what was confirmed is there ---
for n in range(1, 16):
    s, coder, confirmed = Server("t.db", "bob%d" % n), "bob%d" % n, {}
    for k in range(n):
        post, answer = k % 4 + 1, k % 3 == 0
        assert s.api("/api/decide", {"post_id": post, "is_problem": answer}).json["saved"]
        confirmed[post] = int(answer)
    body = json.dumps({"post_id": n % 4 + 1, "is_problem": True}).encode()
    last = socket.create_connection(("127.0.0.1", s.port))
    last.sendall(("POST /api/decide HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\nOrigin: http://%s\r\n"
                  "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                  % (s.host, s.cookie, s.host, len(body))).encode() + body)
    time.sleep(0.001 * (n % 5))
    s.stop(kill=True)
    last.close()
    found = dict(rows("SELECT post_id, is_problem FROM judgement WHERE coder = '%s'" % coder))
    for post, answer in confirmed.items():
        assert found.get(post) == answer or (post == n % 4 + 1 and found.get(post) == 1), (n, confirmed, found)
assert rows("PRAGMA integrity_check") == [("ok",)]

# --- two coders at once on one file, from many threads: no act is lost, none is refused ---
with Server("t.db", "x") as one, Server("t.db", "y") as two:
    refused = []

    def work(server, place):
        for k in range(10):
            answer = server.api("/api/decide", {"post_id": place % 4 + 1, "is_problem": True,
                                                "note": "%s %d %d" % (server.port, place, k)})
            if answer.status != 200:
                refused.append(answer.text)

    before = rows("SELECT count(*) FROM note")[0][0]
    threads = [threading.Thread(target=work, args=(server, place)) for server in (one, two) for place in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert refused == [] and rows("SELECT count(*) FROM note")[0][0] == before + 120, refused

# --- a list, in its order; what another coder said is not there ---
with open("list.csv", "w") as f:
    f.write("post_id\n4\n1\n")
with Server("t.db", "eve", "--posts", "list.csv") as s:
    assert s.follow("/").path == "/code/4"
    s.form("/code/4", {"problem": "4", "go": "no"})
    assert s.follow("/").path == "/code/1"
    page = s.get("/code/1").text
    assert checked(page, "codes:symptom") == [] and "told-by-ann" not in page and "bob" not in page, page[:500]
    assert s.api("/api/progress").json["total"] == 2
PYTHON
