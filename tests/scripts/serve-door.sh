#!/bin/bash
# The page that brings the browser to the launch link: only its owner can read it, it goes when the link was used, when
# the server ends, and at the next start when the server was killed; no other file goes.
set -eu
command -v python3 >/dev/null || { echo "no python3"; exit 77; }

"$PPMINE" -q -d t.db init
mkdir bin runtime
chmod 700 runtime
printf '#!/bin/sh\nstat -c %%a "$1" >"%s/mode"\ncp "$1" "%s/page"\n' "$PWD" "$PWD" >bin/xdg-open
chmod 755 bin/xdg-open
export PATH=$PWD/bin:$PATH DISPLAY=:99 XDG_RUNTIME_DIR=$PWD/runtime
exec python3 -B - <<'PYTHON'
import os, re, signal, subprocess, time, urllib.request

def wait(what):
    for _ in range(200):
        if what():
            return
        time.sleep(0.05)
    raise AssertionError("waited in vain")

def start():
    for name in ("page", "mode"):
        if os.path.exists(name):
            os.unlink(name)
    p = subprocess.Popen([os.environ["PPMINE"], "-q", "-d", "t.db", "serve", "--coder", "ann", "--port", "0"],
                         stdout=subprocess.PIPE, text=True)
    link = p.stdout.readline().strip()
    wait(lambda: os.path.exists("page") and os.path.getsize("page"))
    assert open("mode").read().strip() == "600"
    assert re.search(r"url=([^\"]*)", open("page").read())[1] == link
    return p, link

def doors():
    return [n for n in os.listdir("runtime") if n.endswith(".html")]

p, link = start()
assert len(doors()) == 1 and doors()[0].startswith("ppmine-serve-%d-" % p.pid), doors()
urllib.request.urlopen(link).read()
wait(lambda: doors() == [])
p.terminate()
p.wait(20)
assert doors() == []

p, link = start()  # never used
p.send_signal(signal.SIGINT)
p.wait(20)
assert doors() == []

p, link = start()
p.kill()
p.wait()
left = doors()
assert len(left) == 1
others = ["ppmine-serve-%d-a1b2c3.html" % os.getpid(), "ppmine-serve-x-a1b2c3.html", "ppmine-serve-%d-a.html" % p.pid,
          "ppmine-serve--1-a1b2c3.html", "other-%d-a1b2c3.html" % p.pid]
for name in others:
    open("runtime/" + name, "w").close()
p, link = start()
assert left[0] not in doors() and set(others) < set(doors()) and len(doors()) == len(others) + 1, doors()
p.terminate()
p.wait(20)
assert set(doors()) == set(others)
PYTHON
