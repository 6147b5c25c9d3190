#!/bin/bash
# A recorded session of 500 requests; the server is killed after every n-th of them, while the next one is on
# its way. What was confirmed is in the file, and what was not is sent again, as the page does: in the
# end the file is that of the session without a kill. PPMINE_TEST_LONG=1 kills after each single one too.
set -eu
unset PPMINE_NOW # acts have times of their own
. "$ROOT/tests/lib/sample.sh"

sample_databases whole.db killed.db
exec python3 -B - <<'PYTHON'
import json, os, random, shutil, socket, sqlite3, sys
sys.path.insert(0, os.environ["ROOT"] + "/tests/lib")
from serve import Server

def rows(database, query, *values):
    with sqlite3.connect(database) as db:
        return db.execute(query, values).fetchall()

POSTS = [post for post, in rows("whole.db", "SELECT post_id FROM candidate_post ORDER BY 1")]
CODES = {"symptom": ["slow execution time", "memory leak", "program hang"], "root cause": ["not using batch API", "others"],
         "introducing stage": ["training"], "exposing stage": ["training", "evaluation"]}

def record(n):
    """Requests as a coder's keys make them."""
    rng = random.Random(17)
    for i in range(n):
        post = rng.choice(POSTS)
        kind = rng.random()
        if kind < 0.25:
            yield "/api/decide", {"post_id": post, "is_problem": False}
        elif kind < 0.75:
            facet = rng.choice(sorted(CODES))
            yield "/api/decide", {"post_id": post, "is_problem": True, "reason": f"reason {i}",
                                  "codes": {facet: rng.sample(CODES[facet], rng.randrange(2))}}
        elif kind < 0.85:
            yield "/api/decide", {"post_id": post, "note": f"note {i}"}
        else:
            yield "/api/screen", {"post_id": post, "answer": rng.choice(["yes", "no"]), "order": "random"}

SESSION = list(record(500))

def send_and_leave(server, path, body):
    """The request is sent, its answer not waited for."""
    data = json.dumps(body).encode()
    s = socket.create_connection(("127.0.0.1", server.port))
    s.sendall((f"POST {path} HTTP/1.1\r\nHost: {server.host}\r\nCookie: {server.cookie}\r\n"
               f"Origin: http://{server.host}\r\nContent-Type: application/json\r\n"
               f"Content-Length: {len(data)}\r\n\r\n").encode() + data)
    return s

def play(database, every):
    server = Server(database, "ann")
    confirmed = 0
    for i, (path, body) in enumerate(SESSION):
        answer = server.api(path, body)
        assert answer.status == 200, (i, answer.text)
        confirmed += 1
        if every and confirmed % every == 0 and i + 1 < len(SESSION):
            left = send_and_leave(server, *SESSION[i + 1])
            server.stop(kill=True)
            left.close()
            check(database, i)
            server = Server(database, "ann")
    server.stop()

def check(database, i):
    """The act that was confirmed last is in the file; the next one may be."""
    path, body = SESSION[i]
    post = body["post_id"]
    if "note" in body:
        assert rows(database, "SELECT count(*) FROM note WHERE text = ?", body["note"]) == [(1,)], (i, body)
    elif SESSION[i + 1][1]["post_id"] == post:
        return
    elif "codes" in body:
        facet, names = next(iter(body["codes"].items()))
        # A no withdrew what was said before, so that nothing is left to clear.
        found = rows(database, "SELECT c.name FROM label AS l JOIN code AS c USING (code_id)"
                     " WHERE l.post_id = ? AND l.facet = ? ORDER BY l.place", post, facet)
        assert [name for name, in found] == names, (i, body, found)
    else:
        found = rows(database, "SELECT is_problem FROM judgement WHERE post_id = ?", post)
        assert found == [(int(body.get("is_problem", body.get("answer") == "yes")),)], (i, body, found)

def state(database):
    assert rows(database, "PRAGMA integrity_check") == [("ok",)]
    return {name: rows(database, query) for name, query in (
        ("judgements", "SELECT coder, post_id, is_problem FROM judgement ORDER BY 1, 2"),
        ("labels", "SELECT coder, subject, facet, place, code_id FROM label WHERE code_id IS NOT NULL ORDER BY 1, 2, 3, 4"),
        ("screening", "SELECT coder, post_id, answer FROM screening ORDER BY 1, 2"),
        # A request that was confirmed to nobody is sent again, and a note may be there twice.
        ("notes", "SELECT DISTINCT text FROM note ORDER BY 1"))}

play("whole.db", 0)
expected = state("whole.db")
assert len(expected["judgements"]) > 10 and len(expected["labels"]) > 10 and len(expected["notes"]) > 30, expected
for every in (17, 43, *([1] if os.environ.get("PPMINE_TEST_LONG") else [])):
    shutil.copy("killed.db", "try.db")
    play("try.db", every)
    got = state("try.db")
    for name in expected:
        assert got[name] == expected[name], (every, name, set(got[name]) ^ set(expected[name]))
    for end in ("", "-wal", "-shm"):
        if os.path.exists("try.db" + end):
            os.remove("try.db" + end)
PYTHON
