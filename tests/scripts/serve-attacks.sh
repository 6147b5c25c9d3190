#!/bin/bash
# What others wrote to break filters of HTML (DOMPurify's and html5lib's fixtures, and ours), as titles,
# bodies, authors, tags, notes, reasons and names of codes, in every page of a real browser: nothing runs, the
# content security policy has nothing to refuse, and nothing outside of loopback is asked for.
set -eu
unset PPMINE_NOW # acts have times of their own
. "$ROOT/tests/lib/npm.sh"

command -v chromium >/dev/null && command -v chromedriver >/dev/null ||
    { echo "no chromium and chromium-driver"; exit 77; }
npm_packages
exec python3 -B - <<'PYTHON'
import glob, http.server, json, os, re, sqlite3, subprocess, sys, threading, xml.sax.saxutils as xml
sys.path.insert(0, os.environ["ROOT"] + "/tests/lib")
from serve import Server
from webdriver import Browser

MODULES = os.environ["NODE_MODULES"]
PER_THREAD = 60  # answers of a question

def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()

def payloads():
    """{payload: where from}, each once."""
    found = {}
    for text in read(os.environ["ROOT"] + "/tests/data/attacks.txt").splitlines():
        found.setdefault(text, "ours")
    for text in re.findall(r'"payload": ("(?:[^"\\]|\\.)*")', read(MODULES + "/dompurify/test/fixtures/expect.js")):
        try:
            found.setdefault(json.loads(text), "DOMPurify")
        except ValueError:
            pass  # a text of JavaScript that is none of JSON
    for test in json.loads(read(MODULES + "/html5/test/data/sanitizer/tests1.dat")):
        found.setdefault(test["input"], "html5lib sanitizer")
    for path in sorted(glob.glob(MODULES + "/html5/test/data/tree-construction/*.dat")):
        for text in re.findall(r"^#data\n(.*?)\n#errors", read(path), re.S | re.M):
            if "<" in text:
                found.setdefault(text, "html5lib tree construction")
    # XML has no control characters; a post has neither.
    return {re.sub("[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]", "", text)[:4000]: source
            for text, source in found.items()}

ALL = payloads()
TEXTS = [text for text in ALL if text.strip()]
COUNTS = {source: sum(ALL[text] == source for text in TEXTS) for source in ALL.values()}
print(COUNTS)
assert COUNTS["DOMPurify"] >= 60 and COUNTS["html5lib sanitizer"] >= 20 and \
    COUNTS["html5lib tree construction"] >= 800, COUNTS

def ppmine(*words, rc=(0,)):
    done = subprocess.run(["ppmine", "-q", "-d", "a.db", *words], capture_output=True, text=True, check=False)
    assert done.returncode in rc, (words, done.stderr)
    return done.returncode

def row(**values):
    return "<row " + " ".join(f"{name}={xml.quoteattr(str(value), {chr(10): '&#10;'})}"
                              for name, value in values.items()) + " />\n"

THREADS = [TEXTS[i:i + PER_THREAD] for i in range(0, len(TEXTS), PER_THREAD)]
DATE = "2019-01-01T00:00:00.000"
with open("Posts.xml", "w", encoding="utf-8") as f:
    f.write('<?xml version="1.0" encoding="utf-8"?>\n<posts>\n')
    for i, texts in enumerate(THREADS, 1):
        f.write(row(Id=i, PostTypeId=1, CreationDate=DATE, Score=1, Title=texts[0] + " slower", Body="<p>slower</p>" + texts[0],
                    OwnerDisplayName=texts[-1], Tags="<keras>"))
        for k, text in enumerate(texts):
            f.write(row(Id=10000 + 100 * i + k, PostTypeId=2, ParentId=i, CreationDate=DATE, Score=1, Body=text,
                        OwnerDisplayName=text))
    for i, text in enumerate(TEXTS):  # titles, for the search
        f.write(row(Id=1000000 + i, PostTypeId=1, CreationDate=DATE, Score=1, Title=text, Body="<p>slower</p>", Tags="<keras>"))
    f.write("</posts>\n")
ppmine("init")
ppmine("load", "Posts.xml")
ppmine("match")
with sqlite3.connect("a.db") as db:  # as a site that knows no rule for tags
    for i, texts in enumerate(THREADS, 1):
        db.execute("UPDATE post SET tags = ? WHERE post_id = ?", (json.dumps(texts[:5]), i))
names = []
for text in TEXTS:
    if ALL[text] in ("ours", "DOMPurify") and len(text) < 150 and len(names) < 25:
        if ppmine("codebook", "add", "--facet", "symptom", "--category", "Time", "--definition", text, "--by", "ann",
                  "--why", text, "--", text, rc=(0, 2, 3)) == 0:
            names.append(text)
assert len(names) >= 5, names

CLEAN = """
const bad = [...document.querySelectorAll('*')].filter((e) =>
    [...e.attributes].some((a) => /^on/i.test(a.name) || (a.name === 'style' && e.closest('figure') === null) || a.name === 'srcdoc' ||
        (/^(href|src|action|formaction|data|background|poster|xlink:href)$/i.test(a.name) &&
         !/^(https?:\\/\\/|\\/|#|$)/i.test(a.value))) ||
    /^(iframe|object|embed|base|math|frame|frameset|applet|template|noscript|style|video|audio|img|image)$/i.test(e.localName) ||
    (e.localName === 'script' && !['/page.js', '/pick.js', '/d3.min.js', '/plot.umd.min.js', '/charts.js'].includes(e.getAttribute('src'))) ||
    (e.localName === 'link' && !['/style.css', '/icon.svg'].includes(e.getAttribute('href'))) ||
    (e.localName === 'meta' && e.httpEquiv !== '') || (e.localName === 'svg' && e.closest('figure') === null));
return [window.hit !== undefined, bad.slice(0, 3).map((e) => e.outerHTML.slice(0, 300)),
        document.querySelectorAll('header').length, document.querySelectorAll('main').length]"""

def look(browser, address, ready=False, charts=False):
    browser.go(address)
    if charts:
        browser.wait("return document.body.dataset.charts")
    if ready:
        browser.wait("return document.body.dataset.ready")
    said = browser.script(CLEAN)
    assert said == [False, [], 1, 1], (address, said)

# The check itself finds what it looks for.
with Server("a.db", "ann", launch=False) as s, Browser() as browser:
    browser.go(s.link)
    browser.wait("return document.body.dataset.ready")
    here = f"http://{s.host}"
    browser.go(here + "/keys")
    browser.script("document.querySelector('main').innerHTML = '<p onclick=x>a</p><a href=\"javascript:x\">b</a>'")
    assert len(browser.script(CLEAN)[1]) == 2
    browser.script("document.querySelector('main').innerHTML = '<img src=x onerror=window.hit=1>'")
    assert browser.wait("return true") and len(browser.complaints()) > 0, "the policy's refusals are not seen"
    browser.requests()

    for i, texts in enumerate(THREADS, 1):
        look(browser, f"{here}/code/{i}", ready=True)
    a = s.visitor()
    a.cookie = "; ".join(f"{c['name']}={c['value']}" for c in browser.cookies())
    pages = 0
    path = "/search?all=yes"
    while path:
        look(browser, here + path)
        pages += 1
        last = re.search(r'name="after" value="(\d+)">More', a.get(path).text)
        path = f"/search?all=yes&after={last[1]}" if last else None
    assert pages > len(TEXTS) / 100, pages
    for i, texts in enumerate(THREADS[:20], 1):
        assert a.api("/api/decide", {"post_id": i, "is_problem": True, "reason": texts[1], "note": texts[2],
                                     "codes": {"symptom": ["memory leak"]}}).status == 200
        ppmine("label", "set", str(i), "--coder", "y'><b onclick=window.hit=1>", "--symptom", "program hang", "--reason", texts[3])
    for path in ("/screen", "/codebook", "/keys", "/api", "/settle", "/agreement"):
        look(browser, here + path)
    assert a.form("/settle", {"go": "open", "sure": "yes"}).status == 303
    assert a.form("/settle", {"go": "agreed"}).status == 303
    settled = 0
    for i, name in enumerate(names[:20], 1):  # code names in drawings, tables, links and reasons
        answer = a.form("/settle", {"subject": str(i), "facet": "symptom", "other": name, "reason": name})
        settled += answer.status == 303
    assert settled >= 5, settled
    drawn = a.get("/results").text
    assert "&lt;" in drawn
    links = re.findall(r'href="(/results/problems[^"]*column=n)"', drawn)
    assert len(links) > 5
    for path in [*(link.replace("&amp;", "&") for link in links[:10]), "/results?by=year", "/results?by=tag", "/overruled", "/keys",
                 "/agreement", "/benchmark", "/campaign", "/campaign/findings?rule=%3Cscript%3E",
                 "/results/problems?table=%3Cscript%3E&row=0&column=%22%3E%3Cscript%3E"]:
        look(browser, here + path)
    look(browser, here + "/results", charts=True)
    assert browser.script("return document.querySelectorAll('figure svg.chart').length") >= 3
    for path in ("/settle", "/agreement", "/results", "/code/1", "/code/2?problem=2_%3Cscript%3E",
                 "/search?words=%22%3E%3Cscript%3Ewindow.hit%3D1%3C/script%3E&tag=%3Cimg%20src%3Dx%20onerror%3Dwindow.hit%3D1%3E",
                 "/%3Cscript%3Ewindow.hit=1%3C/script%3E", "/code?after=%3Cscript%3E", "/screen?order=%22%3E%3Csvg%20onload%3D1%3E"):
        look(browser, here + path)

    # A page at another port gets the cookies along with what it sends, and still writes nothing.
    def decided():
        with sqlite3.connect("a.db") as db:
            return db.execute("SELECT count(*) FROM decision").fetchone()[0]

    class Stranger(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def do_GET(self):
            page = f"""<!DOCTYPE html><form id="f" method="post" action="{here}/code/30"><input name="problem" value="30">
<input name="go" value="no"></form><script>fetch('{here}/api/decide', {{method: 'POST', mode: 'no-cors', credentials: 'include',
body: '{{"post_id": 31, "is_problem": true}}'}}).finally(() => document.getElementById('f').submit())</script>""".encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(page)))
            self.end_headers()
            self.wfile.write(page)

    complaints = browser.complaints()
    stranger = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Stranger)
    threading.Thread(target=stranger.serve_forever, daemon=True).start()
    before = decided()
    assert a.form("/code/29", {"problem": "29", "go": "no"}).status == 303 and decided() > before  # of our own page
    before = decided()
    browser.go(f"http://127.0.0.1:{stranger.server_port}/")
    browser.wait(f"return location.href.startsWith('{here}')")
    assert "Only pages of this server may change data" in browser.script("return document.body.innerText")
    assert decided() == before, "a page of a stranger has written"
    stranger.shutdown()
    complaints = [text for text in complaints if not re.search(r"status of 40[04]", text)]
    assert complaints == [], complaints[:5]
    asked = [x for x in browser.requests() if not x.startswith((here, f"http://127.0.0.1:{stranger.server_port}/", "chrome", "data:"))]
    assert asked == [], asked[:5]
PYTHON
