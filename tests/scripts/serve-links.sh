#!/bin/bash
# A cookie of a host goes to each of its ports, and on a shared machine another user may listen there. No page of
# ppmine serve leads to this machine, and a session that another user has got does not work for them.
set -eu
command -v python3 >/dev/null || { echo "no python3"; exit 77; }

cat >posts.ndjson <<'END'
{"post_id": 1, "title": "slower http://127.0.0.1:9999/", "url": "http://127.0.0.1:9999/a", "body_html": "<p>slower <a href='http://127.0.0.1:9999/b'>b</a> <a href='/c'>c</a> <a href='http://2130706433:9/'>d</a> <img src='http://localhost:9/e.png'> <a href='https://example.org/f'>f</a></p>"}
{"post_id": 2, "title": "slower", "url": "javascript:alert(1)", "body_html": "<p>slower <a href='http://study.example.org:9999/g'>g</a></p>"}
{"post_id": 3, "title": "slower", "url": "https://example.org/h", "body_html": "<p>slower</p>"}
END
"$PPMINE" -q -d t.db init
"$PPMINE" -q -d t.db load --ndjson --all-tags posts.ndjson
"$PPMINE" -q -d t.db match >/dev/null
chmod 755 .
unset PPMINE_NOW
exec python3 -B - <<'PYTHON'
import os, re, shutil, sqlite3, subprocess, sys
sys.path.insert(0, os.environ["ROOT"] + "/tests/lib")
from serve import Server

with sqlite3.connect("t.db") as db:
    db.execute("INSERT INTO comment (comment_id, post_id, created_at, body_html, run_id) SELECT 1, 1,"
               " '2019-01-01T00:00:00.000Z', '<a href=\"http://[::1]:9/\">i</a>', min(run_id) FROM run")

ASK = """import http.client, sys
c = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=20)
c.request("GET", "/code/1", headers={"Cookie": sys.argv[2]})
print(c.getresponse().status)"""

def status_of(*before):
    return int(subprocess.run([*before, sys.executable, "-c", ASK, str(s.port), s.cookie], check=True, capture_output=True,
                              text=True, cwd="/").stdout)

with Server("t.db", "ann", "--host", "study.example.org") as s:
    for post, leads in ((1, ["https://example.org/f"]), (2, ["https://stackoverflow.com/questions/2"]), (3, ["https://example.org/h"])):
        page = s.get(f"/code/{post}")
        assert page.status == 200 and "slower" in page.text
        found = [a for a in re.findall(r'(?:href|src|action)="([^"]*)"', page.text) if not re.match(r"/(?!/)|#|$", a)]
        assert found == leads, (post, found)
    assert ">Comments<" in s.get("/code/1").text
    assert status_of() == 200
    if os.getuid() == 0 and shutil.which("setpriv"):
        assert status_of("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups") == 401
PYTHON
