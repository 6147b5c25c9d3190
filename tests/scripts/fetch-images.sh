#!/bin/bash
# fetch --images keeps what candidates show, from public addresses only and by what the bytes are; serve
# shows it itself, and links to the rest. What failed is remembered; a run that was killed is gone on with.
set -eu
. "$ROOT/tests/lib/dump.sh"
need python3
unset PPMINE_NOW

exec python3 -B - <<'PYTHON'
import html, http.server, json, os, re, signal, socket, sqlite3, struct, subprocess, sys, threading, time
import xml.sax.saxutils as sax
sys.path.insert(0, os.environ["ROOT"] + "/tests/lib")
from serve import Server

PPMINE = os.environ.get("PPMINE", "ppmine")
PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 40, 30) + b"\x08\x06\0\0\0" + b"png bytes"
GIF = b"GIF89a" + struct.pack("<HH", 5, 6) + b"gif bytes"
JPEG = b"\xff\xd8\xff\xe0\0\4ab\xff\xc0\0\x11\x08" + struct.pack(">HH", 7, 8) + b"jpeg bytes"
WEBP = b"RIFF....WEBPVP8X....\0\0\0\0" + b"\x0f\0\0\x1f\0\0webp bytes"
GOOD = {"/a.png": PNG, "/b.gif": GIF, "/c.jpg": JPEG, "/d.webp": WEBP, "/called-html": PNG,
        "/once-busy": PNG, "/sent-on": PNG, "/limit": PNG + b"x" * ((4 << 20) - len(PNG))}
TYPES = {"/b.gif": "image/gif", "/c.jpg": "image/jpeg", "/d.webp": "image/webp"}

class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def send(self, code, body=b"", **headers):
        self.send_response(code)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        if "Content_Length" not in headers:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            pass

    def do_GET(self):
        path, port = self.path, self.server.server_port
        self.server.hits.append(path)
        first = self.server.hits.count(path) == 1
        if path == "/sent-on":
            self.send(302, Location="/a.png")
        elif path == "/once-busy" and first:
            self.send(429, Retry_After="1")
        elif path == "/called-html":
            self.send(200, PNG, Content_Type="text/html")
        elif path in GOOD:
            self.send(200, GOOD[path], Content_Type="image/png")
        elif path == "/drawing.svg":
            self.send(200, b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
                      Content_Type="image/png")
        elif path == "/bomb.png":
            self.send(200, PNG[:16] + struct.pack(">II", 60000, 60000) + PNG[24:])
        elif path == "/too-large":
            self.send(200, PNG + b"x" * (4 << 20))
        elif path == "/endless":
            self.send_response(200)
            self.end_headers() # no length: until the connection ends
            try:
                self.wfile.write(PNG)
                for _ in range(64):
                    self.wfile.write(b"x" * (1 << 20))
            except OSError:
                self.server.cut += 1
        elif path == "/cut":
            self.send(200, PNG, Content_Length="9999")
        elif path == "/gone":
            self.send(404, b"gone")
        elif path == "/broken":
            self.send(500)
        elif path == "/to-other":
            self.send(302, Location="http://127.0.0.1:%d/stolen.png" % other.server_port)
        elif path == "/to-name":
            self.send(302, Location="http://localhost:%d/stolen.png" % other.server_port)
        elif path == "/to-v6":
            self.send(302, Location="http://[::1]:%d/stolen.png" % other.server_port)
        elif path == "/to-file":
            self.send(302, Location="file:///etc/passwd")
        elif path == "/loop":
            self.send(302, Location="/loop")
        else:
            self.send(404)

def start():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.hits, server.cut = [], 0
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server

main, other = start(), start()
here, there = main.server_port, other.server_port
BAD = { # why it is refused, and whether another run asks again
    "/drawing.svg": ("not a PNG", 0), "/bomb.png": ("too many pixels", 0), "/too-large": ("larger than", 0),
    "/endless": ("larger than", 0), "/cut": ("", 1), "/gone": ("HTTP 404", 0), "/broken": ("HTTP 500", 1),
    "/to-other": ("not a public", 0), "/to-name": ("not a public", 0), "/to-v6": ("not a public", 0),
    "/to-file": ("rotocol", 0), "/loop": ("redirects", 0)}
AWAY = ["http://127.0.0.1:%d/x.png" % there, "http://localhost:%d/x.png" % there,
        "http://[::1]:%d/x.png" % there, "http://[::ffff:127.0.0.1]:%d/x.png" % there,
        "http://0:%d/x.png" % there, "http://2130706433:%d/x.png" % there, "http://0x7f.1:%d/x.png" % there,
        "http://10.0.0.1/x.png", "http://169.254.169.254/latest/meta-data", "http://192.168.1.1/x.png"]

def body(urls):
    return "<p>training is slower</p>" + "".join('<img src="%s" alt="words of %s">' % (
        html.escape(u), html.escape(u)) for u in urls)

def dump(posts):
    with open("Posts.xml", "w", encoding="utf-8") as out:
        print('<?xml version="1.0" encoding="utf-8"?>\n<posts>', file=out)
        for number, (kind, parent, text) in posts.items():
            print('<row Id="%d" PostTypeId="%d"%s CreationDate="2019-01-01T00:00:00.000" Score="1"%s Body=%s%s />' % (
                number, kind, ' ParentId="%d"' % parent if parent else "", ' Title="Why?"' if kind == 1 else "",
                sax.quoteattr(text), ' Tags="&lt;keras&gt;"' if kind == 1 else ""), file=out)
        print("</posts>", file=out)

def ppmine(*args, rc=0, **env):
    done = subprocess.run([PPMINE, *args], capture_output=True, text=True,
                          env={**os.environ, **{k: str(v) for k, v in env.items()}})
    assert done.returncode == rc, (args, done.returncode, done.stderr)
    return done

def fetch(*args, rc=0, database="i.db", **env):
    env.setdefault("PPMINE_IMAGE_TEST_SERVER", "127.0.0.1:%d" % here)
    done = ppmine("-d", database, "fetch", "--images", "--rate", "0", "--format", "json", *args, rc=rc, **env)
    return json.loads(done.stdout) if done.stdout else None, done.stderr

def rows(query, *values, database="i.db"):
    with sqlite3.connect(database) as db:
        return db.execute(query, values).fetchall()

def make(name, posts):
    dump(posts)
    ppmine("-q", "-d", name, "init")
    ppmine("-q", "-d", name, "load", "Posts.xml")
    ppmine("-q", "-d", name, "match")

url = lambda path: "http://127.0.0.1:%d%s" % (here, path)
first = list(GOOD)[:4]
make("i.db", {
    1: (1, 0, body([url(p) for p in first] + ["data:image/png;base64,AAAA", "file:///etc/passwd",
                                               "javascript:alert(1)"])),
    2: (2, 1, body([url(p) for p in list(GOOD)[3:]] + [url(p) for p in BAD] + AWAY)), # an answer of it
    3: (1, 0, "<p>hello there</p><img src='%s'>" % url("/not-a-candidate.png"))})

# --- what the command line says wrong ---
for args, words in ((["--tag", "keras"], "do not go together"), (["--status"], "do not go together"),
                    (["--max-images", "0"], "not a number"), (["--rate", "26"], "not a number")):
    assert words in fetch(*args, rc=2)[1], args
assert "about --images" in ppmine("-d", "i.db", "fetch", "--again", rc=2).stderr
assert "is for a server on this machine" in ppmine("-d", "i.db", "fetch", "--images", "--rate", "0", rc=2).stderr
assert "is not an address and a port" in fetch(rc=2, PPMINE_IMAGE_TEST_SERVER="localhost:80")[1]
assert main.hits == other.hits == []

# --- without the hook no server of this machine is asked; it says so with a warning when it is there ---
ppmine("-q", "-d", "i.db", "fetch", "--images", "--rate", "25", "--max-images", "1")
assert main.hits == other.hits == [], (main.hits, other.hits)
assert rows("SELECT count(*) FROM image WHERE failed LIKE 'not a public%'")[0][0] > 20
rows("DELETE FROM image")

# --- a run that is killed, and one that is stopped: the next goes on, and asks for nothing twice ---
slow = subprocess.Popen([PPMINE, "-q", "-d", "i.db", "fetch", "--images", "--rate", "2"],
                        env={**os.environ, "PPMINE_IMAGE_TEST_SERVER": "127.0.0.1:%d" % here})
while len(main.hits) < 2:
    time.sleep(0.01)
slow.kill()
slow.wait()
slow = subprocess.Popen([PPMINE, "-q", "-d", "i.db", "fetch", "--images", "--rate", "2"], stderr=subprocess.DEVNULL,
                        env={**os.environ, "PPMINE_IMAGE_TEST_SERVER": "127.0.0.1:%d" % here})
while len(main.hits) < 4:
    time.sleep(0.01)
slow.send_signal(signal.SIGTERM)
assert slow.wait() == 128 + signal.SIGTERM
counts, said = fetch()
assert "need not be public" in said, said
assert counts["done"] and counts["failed"] == len(BAD) + len(AWAY), (counts, said)
for path in first: # at most what was under way when a run was killed or stopped comes twice
    assert main.hits.count(path) - (path == "/a.png") <= 2, (path, main.hits)
assert sum(main.hits.count(p) for p in first[1:]) <= len(first[1:]) + 2, main.hits

# --- what is kept, and what is not ---
kept = dict(rows("SELECT url, bytes FROM image WHERE failed IS NULL"))
assert kept == {url(path): bytes_ for path, bytes_ in GOOD.items()}, kept.keys()
for path in GOOD:
    assert rows("SELECT type FROM image WHERE url = ?", url(path))[0][0] == TYPES.get(path, "image/png"), path
assert rows("SELECT width, height FROM image WHERE url = ?", url("/c.jpg")) == [(8, 7)]
for path, (why, may_pass) in BAD.items():
    (said, passes), = rows("SELECT failed, may_pass FROM image WHERE url = ?", url(path))
    assert why in said and passes == may_pass, (path, said, passes)
for away in AWAY:
    (said, passes), = rows("SELECT failed, may_pass FROM image WHERE url = ?", away)
    assert "not a public address" in said or away.startswith("http://[::1]"), (away, said)
assert other.hits == [], other.hits
assert main.cut == 1, "an endless image was taken to its end"
assert "/not-a-candidate.png" not in main.hits
assert counts["images"] == len(GOOD) + len(BAD) + len(AWAY)

# --- asked for again: what may pass, in two more runs; all, with a word; what is kept, never ---
for n in range(4):
    before = len(main.hits)
    fetch()
    assert sorted(main.hits[before:]) == (["/broken", "/cut"] if n < 2 else []), (n, main.hits[before:])
before = len(main.hits)
assert fetch("--again")[0]["failed"] == len(BAD) + len(AWAY)
assert not set(main.hits[before:]) & set(GOOD), main.hits[before:]

# --- a server that asks to wait: its images are left alone, and nothing is held against them ---
rows("DELETE FROM image WHERE url IN (?, ?)", url("/once-busy"), url("/a.png"))
main.hits.clear()
counts, said = fetch("--max-wait", "0")
assert not counts["done"] and counts["put_off"] == 1 and "longer than --max-wait" in said, (counts, said)
assert rows("SELECT count(*) FROM image WHERE url = ?", url("/once-busy")) == [(0,)]
assert fetch()[0]["done"]

# --- the limit ---
rows("DELETE FROM image WHERE url = ?", url("/a.png"))
counts, said = fetch("--max-images", "1")
assert not counts["done"] and counts["kept"] == 0 and "limit of --max-images" in said, (counts, said)
assert fetch()[0]["kept"] == 1

# --- no network: the run ends, and not all images are lost for it ---
probe = socket.socket()
probe.bind(("127.0.0.1", 0)) # nobody listens
dead = probe.getsockname()[1]
make("dead.db", {1: (1, 0, body(["http://127.0.0.1:%d/%d.png" % (dead, n) for n in range(30)]))})
said = fetch(rc=4, database="dead.db", PPMINE_IMAGE_TEST_SERVER="127.0.0.1:%d" % dead)[1]
assert "10 images in a row" in said, said
assert rows("SELECT count(*), min(may_pass) FROM image", database="dead.db") == [(10, 1)]

# --- the pages, with all servers gone ---
main.shutdown()
other.shutdown()
with Server("i.db", "ann") as s:
    page = s.get("/code/1").text
    shown = re.findall(r'<img src="(/images/\d+)" width="(\d+)" height="(\d+)" loading="lazy" alt="words of ([^"]*)">', page)
    # /d.webp is in the question and in the answer
    assert sorted(alt for *_, alt in shown) == sorted([*kept, url("/d.webp")]), shown
    assert (page.count("<img ") == len(shown)), page
    for src, width, height, alt in shown:
        answer = s.get(src)
        assert answer.status == 200 and answer.content == kept[alt], src
        path = alt[len(url("")):]
        assert answer.headers["Content-Type"] == TYPES.get(path, "image/png"), path
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Content-Disposition"] == "attachment"
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert s.visitor().get(src).status == 401, "for strangers"
    for path in BAD: # their words; no link, as they are on this machine
        assert 'image: words of %s</span>' % html.escape(url(path)) in page, path
    for path in ("/images/", "/images/0", "/images/999999", "/images/-1", "/images/1x", "/images/1/2",
                 "/images/18446744073709551617", "/images/%s" % rows("SELECT image_id FROM image WHERE url = ?",
                                                                     url("/gone"))[0][0]):
        assert s.get(path).status == 404, path
    assert s.request("POST", "/images/1", b"", Origin="http://" + s.host).status == 405

# --- what is published without texts has none of them ---
for options, n in (((), 0), (("--with-text",), len(GOOD))):
    folder = "out" + "".join(options)
    ppmine("-q", "-d", "i.db", "export", "--package", folder, "--no-plots", *options)
    copies = [os.path.join(at, f) for at, _, files in os.walk(folder) for f in files
              if open(os.path.join(at, f), "rb").read(6) == b"SQLite"]
    assert len(copies) == 1, copies
    assert rows("SELECT count(bytes) FROM image", database=copies[0]) == [(n,)], options
PYTHON
