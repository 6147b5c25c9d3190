#!/bin/bash
# One server for a team: a link for each coder, hashed at rest, revocable at once; each blind to the
# others until an owner opens the settling. The examples of a proxy in docs/serve.md are run.
set -eu
unset PPMINE_NOW # acts have times of their own
. "$ROOT/tests/lib/sample.sh"

sample_databases t.db
exec python3 -B - <<'PYTHON'
import http.client, os, re, shutil, socket, sqlite3, ssl, subprocess, sys, threading, time
sys.path.insert(0, os.environ["ROOT"] + "/tests/lib")
from serve import Server

def serve(*words, rc=0):
    done = subprocess.run(["ppmine", "-d", "t.db", "serve", *words], capture_output=True, text=True, check=False)
    assert done.returncode == rc, (words, done)
    return done.stdout.strip(), done.stderr

def rows(query):
    with sqlite3.connect("t.db") as db:
        return db.execute(query).fetchall()

def path_of(link):
    return link[link.index("/launch"):]

# --- what does not go together ---
for words in (["--listen", "127.0.0.1"], ["--invite", "ann"], ["--revoke", "ann"],
              ["--coders", "t", "--owner"], ["--coders", "t", "--invite", "a", "--revoke", "b"],
              ["--coders", "t", "--invite", "=cmd"], ["--coders", "t", "--invite", "merged"]):
    serve(*words, rc=2)
assert "--invite" in serve("--coders", "none.txt", "--port", "0", rc=6)[1]

# --- links ---
ann, said = serve("--coders", "team.txt", "--invite", "ann", "--owner")
assert re.fullmatch(r"http://127\.0\.0\.1:8420/launch\?token=[0-9a-f]{64}", ann) and "ann alone" in said
bob, _ = serve("--coders", "team.txt", "--invite", "bob", "--host", "study.example.org")
assert bob.startswith("https://study.example.org/launch?token="), bob
eve, _ = serve("--coders", "team.txt", "--invite", "eve", "--listen", "::1", "--port", "99")
assert eve.startswith("http://[::1]:99/launch?token="), eve
for link in (ann, bob, eve):
    token = link.split("=")[1]
    assert token not in open("team.txt").read() and token.encode() not in open("t.db", "rb").read()
assert len(open("team.txt").read().splitlines()) == 4

with Server("t.db", None, "--coders", "team.txt") as server:
    a, b, e = (server.visitor(path_of(link)) for link in (ann, bob, eve))
    assert a.get("/launch?token=" + "0" * 64).status == 403 and server.visitor().get("/code").status == 401
    again = server.visitor(path_of(bob))  # another device
    for who, name in ((a, "ann"), (b, "bob"), (e, "eve"), (again, "bob")):
        assert who.api("/api/progress").json["coder"] == name

    # --- many at once on one file: none is refused, none is lost, each has their own ---
    refused = []

    def work(who, name, start):
        for k in range(12):
            post = who.api("/api/next").json["post_id"]
            answer = who.api("/api/decide", {"post_id": post, "is_problem": (k + start) % 2 == 0,
                                             "note": f"{name} {k}"})
            if answer.status != 200:
                refused.append(answer.text)

    team = [(a, "ann", 0), (b, "bob", 1), (e, "eve", 0)]
    threads = [threading.Thread(target=work, args=args) for args in team]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert refused == [], refused

    # --- the owner, and nobody else, sees how far each coder is: no label is in it ---
    candidates = rows("SELECT count(*) FROM candidate")[0][0]
    team_page = a.get("/settle").text
    assert "The settling is not open" in team_page
    shown = re.findall(r'<tr><th scope="row">(\w+)</th><td>(\d+)</td><td>(\d+)</td></tr>', team_page)
    assert shown == [(name, "12", str(candidates)) for name in ("ann", "bob", "eve")], shown
    assert "ann 3" not in team_page and "bob 3" not in team_page
    for who in (b, e):
        assert "How far" not in who.get("/settle").text
    assert rows("SELECT coder, count(*), sum(is_problem) FROM judgement GROUP BY coder") == \
        [("ann", 12, 6), ("bob", 12, 6), ("eve", 12, 6)]
    notes = rows("SELECT coder, count(DISTINCT text) FROM note GROUP BY coder")
    assert notes == [("ann", 12), ("bob", 12), ("eve", 12)], notes
    for who, name, _ in team:
        for path in ("/code", "/search?judged=yes", "/settle", "/agreement", "/results", "/screen"):
            text = who.follow(path).text
            if (name, path) == ("ann", "/settle"):  # but the table above
                text = re.sub(r'<table class="team">.*?</table>', "", text, flags=re.S)
            for other in {"ann", "bob", "eve"} - {name}:
                assert not re.search(rf"\b{other}\b", text), (name, path, other)

    # --- only an owner opens the settling ---
    assert "Open the settling" in a.get("/settle").text and "Open the settling" not in b.get("/settle").text
    assert b.form("/settle", {"go": "open", "sure": "yes"}).status == 400
    assert rows("SELECT count(*) FROM study WHERE key = 'settling_opened'") == [(0,)]
    assert a.form("/settle", {"go": "open", "sure": "yes"}).status == 303
    assert "bob" in e.get("/settle").text and b.get("/agreement").status == 200

    # --- revoked at once; a new link ends the old one ---
    serve("--coders", "team.txt", "--revoke", "eve")
    assert e.get("/code").status == 401 and server.visitor().get(path_of(eve)).status == 403
    assert b.get("/codebook").status == 200
    serve("--coders", "team.txt", "--revoke", "eve", rc=1)
    new, _ = serve("--coders", "team.txt", "--invite", "bob")
    assert b.get("/codebook").status == 401 and again.get("/codebook").status == 401
    assert server.visitor().get(path_of(bob)).status == 403
    assert server.visitor(path_of(new)).get("/codebook").status == 200
    assert a.get("/codebook").status == 200

    # --- a file that is not right lets nobody in ---
    kept = open("team.txt").read()
    open("team.txt", "w").write(kept + "nonsense\n")
    assert a.get("/codebook").status == 401
    open("team.txt", "w").write(kept)
    a = server.visitor(path_of(ann))
    os.rename("team.txt", "away.txt")
    assert a.get("/codebook").status == 401
    os.rename("away.txt", "team.txt")

# --- another address ---
with Server("t.db", None, "--coders", "team.txt", "--listen", "127.0.0.2") as server:
    connection = http.client.HTTPConnection("127.0.0.2", server.port, timeout=20)
    connection.request("GET", path_of(ann))
    assert connection.getresponse().status == 200

# --- the proxies of the documentation, with TLS ---
PORT = 8443
text = open(os.environ["ROOT"] + "/docs/serve.md").read()

def example(name):
    found = re.search(rf"```{name}\n(.*?)```", text, re.S)
    assert found, name
    return found[1].replace("/etc/ssl/study", os.path.abspath("study"))

def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]

def run_proxy(command, port):
    proxy = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=open("proxy.log", "w"))
    for _ in range(100):
        if socket.socket().connect_ex(("127.0.0.1", port)) == 0:
            return proxy
        time.sleep(0.1)
    raise AssertionError(open("proxy.log").read())

def try_proxy(server, port):
    host = "study.example.org"
    trust = ssl.create_default_context(cafile="study.pem")

    class Tls(http.client.HTTPSConnection):
        def connect(self):
            self.sock = trust.wrap_socket(socket.create_connection(("127.0.0.1", port), 20), server_hostname=host)

    def ask(method, path, body=None, **headers):
        c = Tls(host)
        c.request(method, path, body, {"Host": host, **headers})
        return c.getresponse()

    answer = ask("GET", path_of(ann))
    cookie = answer.headers["Set-Cookie"]
    assert answer.status == 200 and cookie.endswith("; Secure"), (answer.status, cookie)
    cookie = cookie.split(";")[0]
    page = ask("GET", "/codebook", Cookie=cookie)
    assert page.status == 200 and "Content-Security-Policy" in page.headers
    form = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
    assert ask("POST", "/code/105", "problem=105&go=no", Origin="https://" + host, **form).status == 303
    assert ask("POST", "/code/105", "problem=105&go=no", Origin="https://evil.example", **form).status == 403

proxies = []
if shutil.which("nginx") and shutil.which("openssl"):
    proxies.append("nginx")
if shutil.which("caddy") and shutil.which("openssl"):
    proxies.append("caddy")
if not proxies:
    print("neither nginx nor caddy: the examples of a proxy were not run")
for name in proxies:
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "study.key", "-out",
                    "study.pem", "-days", "2", "-subj", "/CN=study.example.org", "-addext",
                    "subjectAltName=DNS:study.example.org"], check=True, capture_output=True)
    with Server("t.db", None, "--coders", "team.txt", "--host", "study.example.org") as server:
        port = free_port()
        block = example(name).replace("127.0.0.1:8420", f"127.0.0.1:{server.port}")
        if name == "nginx":
            here = os.getcwd()
            block = block.replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl")
            temporary = "".join(f"{kind}_temp_path {here}/tmp-{kind};\n"
                                for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
            open("proxy.conf", "w").write(f"daemon off; pid {here}/nginx.pid; error_log stderr;\nevents {{}}\n"
                                          f"http {{\naccess_log off;\n{temporary}{block}}}\n")
            command = ["nginx", "-e", "stderr", "-c", f"{here}/proxy.conf", "-p", here]
        else:
            block = block.replace("study.example.org {", f"study.example.org:{port} {{")
            open("Caddyfile", "w").write("{\nadmin off\nauto_https off\n}\n" + block)
            command = ["caddy", "run", "--config", "Caddyfile", "--adapter", "caddyfile"]
        proxy = run_proxy(command, port)
        try:
            try_proxy(server, port)
        finally:
            proxy.terminate()
            proxy.wait(20)

# --- a sample that is shared: each has their own list, and who has none is told so ---
with open("both.csv", "w") as file:
    drawn = subprocess.run(["ppmine", "-d", "t.db", "sample", "--n", "10", "--assign", "bob,eve", "--format", "csv"],
                           stdout=file, stderr=subprocess.PIPE, text=True, check=True)
lists = {name: [line.split(",")[0] for line in open("both.csv") if re.search(rf"[,;]{name}[;\n]", line)] for name in ("bob", "eve")}
assert len(lists["bob"]) == len(lists["eve"]) == 6, lists
both = set(lists["bob"]) & set(lists["eve"])
assert len(both) == 2, both
sqlite3.connect("t.db").executescript("DELETE FROM decision; DELETE FROM judgement; DELETE FROM label;")
invited = {name: serve("--coders", "shared.txt", "--invite", name, *owner)[0]
           for name, *owner in (("bob",), ("eve",), ("ann", "--owner"))}
with Server("t.db", None, "--coders", "shared.txt", "--posts", "both.csv") as server:
    visitors = {name: server.visitor(path_of(link)) for name, link in invited.items()}
    for name in ("bob", "eve"):
        for post in lists[name][:4]:
            assert visitors[name].api("/api/next").json["post_id"] == int(post), (name, post)
            assert visitors[name].api("/api/decide", {"post_id": int(post), "is_problem": False}).status == 200
        progress = visitors[name].api("/api/progress").json
        assert (progress["judged"], progress["total"]) == (4, 6), progress
    assert visitors["ann"].api("/api/next").json.get("post_id") is None, visitors["ann"].api("/api/next").text
    shown = re.findall(r'<tr><th scope="row">(\w+)</th><td>(\d+)</td><td>(\d+)</td></tr>', visitors["ann"].get("/settle").text)
    assert shown == [("bob", "4", "6"), ("eve", "4", "6")], shown
PYTHON
