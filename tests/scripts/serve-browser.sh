#!/bin/bash
# A real browser on ppmine serve: posts are coded by keyboard alone, with the same outcome as by label
# set; without script; and nothing that strangers wrote runs.
set -eu
unset PPMINE_NOW # acts have times of their own
. "$ROOT/tests/lib/sample.sh"

command -v chromium >/dev/null && command -v chromedriver >/dev/null ||
    { echo "no chromium and chromium-driver"; exit 77; }
sample_databases page.db shell.db
exec python3 -B - <<'PYTHON'
import csv, io, os, sqlite3, subprocess, sys, time, xml.sax.saxutils as xml
sys.path.insert(0, os.environ["ROOT"] + "/tests/lib")
from serve import Server
from webdriver import Browser

READY = "return document.body.dataset.ready && location.pathname"

def ppmine(database, *words):
    return subprocess.run(["ppmine", "-q", "-d", database, *words], capture_output=True, text=True,
                          check=True).stdout

def codings(database):
    rows = csv.DictReader(io.StringIO(ppmine(database, "label", "export", "--coder", "ann", "--format", "csv")))
    return [{name: value for name, value in row.items() if name != "decided_at"} for row in rows]

def next_page(browser, before):
    browser.wait(READY + " !== arguments[0]" if before else READY, before)
    return browser.wait("return document.body.dataset.ready ? location.pathname : document.querySelector('progress')"
                        " !== null && location.pathname")

def decided(turn):
    """What the test says of a post: None, or the keys of the codes, and their names for label set."""
    if turn % 3 == 0:
        return None
    symptom = [("1", "slow execution time"), ("6", "memory leak"), ("4", "program hang")][turn % 2]
    cause = [("6", "improper model parameter"), ("1", "not using efficient API")][turn % 2]
    return [("symptom", *symptom), ("root-cause", *cause), ("introducing-stage", "5", "training"),
            ("exposing-stage", "6", "evaluation")]

def code_by_keyboard(browser, turns):
    seen, most_no, most_yes, before = [], 0, 0, None
    for turn in range(turns):
        path = next_page(browser, before)
        post = path.rsplit("/", 1)[1]
        codes = decided(turn)
        keys = ["n"] if codes is None else [key for _, key, _ in codes] + ["l"]
        if codes is not None:
            keys.insert(1, "\ue007")  # Enter: a symptom may have several codes
        for key in keys:
            browser.press(key)
        most_no = max(most_no, len(keys) if codes is None else 0)
        most_yes = max(most_yes, len(keys) if codes is not None else 0)
        seen.append((post, codes))
        before = path
    next_page(browser, before)
    assert most_no <= 4 and most_yes <= 10, (most_no, most_yes)
    print("keys: no", most_no, "yes", most_yes)
    return seen

def code_by_shell(seen):
    for post, codes in seen:
        words = ["--problem", "no"] if codes is None else ["--problem", "yes"] + [
            word for facet, _, name in codes for word in ("--" + facet, name)]
        ppmine("shell.db", "label", "set", post, "--coder", "ann", *words)

def only_loopback(browser):
    addresses = [a for a in browser.requests() if not a.startswith(("chrome:", "data:", "chrome-"))]
    assert addresses and all(a.startswith("http://127.0.0.1:") for a in addresses), addresses

def no_complaints(browser):
    complaints = browser.complaints()
    assert complaints == [], complaints

# --- 24 posts by keyboard alone; the same by label set ---
with Server("page.db", "ann", launch=False) as server, Browser() as browser:
    browser.go(server.link)
    seen = code_by_keyboard(browser, 24)
    assert len({post for post, _ in seen}) == 24
    code_by_shell(seen)
    assert codings("page.db") == codings("shell.db"), (codings("page.db"), codings("shell.db"))
    judged = [c for c in codings("page.db") if c["is_problem"] != ""]
    assert sum(c["is_problem"] == "yes" for c in judged) == 16 and len(judged) == 24, judged

    # Keys in a text field are text. A key again takes a code back; undo takes that back.
    path = browser.script("return location.pathname")
    browser.click("textarea[name=note]")
    for key in "no 1":
        browser.press(key)
    assert browser.script("return document.querySelector('textarea[name=note]').value") == "no 1"
    assert browser.script("return location.pathname") == path
    browser.press("\ue00c")  # Escape: saved
    browser.wait("return document.getElementById('state').className === 'good'")
    assert sqlite3.connect("page.db").execute("SELECT text FROM note").fetchall() == [("no 1",)]
    checked = "return [...document.querySelectorAll('.facet input:checked')].map((i) => i.value).join()"
    browser.press("3")
    assert browser.script(checked) == "increasing time over time", browser.script(checked)
    browser.press("3")
    assert browser.script(checked) == ""
    browser.wait("return document.getElementById('state').className === 'good'")
    browser.press("o")
    browser.wait(READY + " && " + checked.replace("return ", "", 1) + " === 'increasing time over time'")
    # What is selected is quoted, with its place in bytes.
    browser.script("getSelection().selectAllChildren(document.querySelector('.question .body p'))")
    browser.press(";")
    browser.wait("return document.querySelector('textarea[name=reason]').value.startsWith('“')")
    browser.wait("return document.getElementById('state').className === 'good'")
    reason = sqlite3.connect("page.db").execute("SELECT reason FROM decision WHERE reason IS NOT NULL"
                                                " LIMIT 1").fetchone()
    assert reason is not None and "[body 0-" in reason[0], reason
    browser.press("?")
    assert browser.script("return document.querySelector('.keys').open")
    no_complaints(browser)
    # Another key for a command
    browser.go(f"http://{server.host}/keys")
    browser.wait(READY)
    browser.click("tr[data-what=no] button")
    browser.press("0")
    browser.wait("return document.querySelector('tr[data-what=no] kbd')?.textContent === '0'")
    browser.go(f"http://{server.host}{path}")
    browser.wait(READY)
    browser.press("0")
    assert next_page(browser, path) != path
    only_loopback(browser)
    no_complaints(browser)

def moved_from(browser, path):
    """The address after a form was sent: a click does not wait for the answer."""
    for _ in range(100):
        if browser.address() != path:
            return browser.address()
        time.sleep(0.1)
    raise AssertionError(f"the page is still {path}")


# --- narrow: nothing wider than the screen ---
with Server("page.db", "bob", launch=False) as server, Browser(width=500) as browser:
    browser.go(server.link)
    browser.wait(READY)
    wide = browser.script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, wide

# --- without script: a form ---
with Server("page.db", "eve", launch=False) as server, Browser(script=False) as browser:
    browser.go(server.link)
    browser.go(f"http://{server.host}/code")
    path = browser.address()
    browser.click("input[value='memory leak']")
    browser.click("button[value=next]")
    path = moved_from(browser, path)
    browser.click("button[value=no]")
    moved_from(browser, path)
with sqlite3.connect("page.db") as db:
    assert db.execute("SELECT is_problem FROM judgement WHERE coder = 'eve' ORDER BY post_id").fetchall() == [(1,), (0,)]

# --- what strangers write ---
with open(os.environ["ROOT"] + "/tests/data/attacks.txt", encoding="utf-8") as f:
    attacks = f.read().splitlines()
with open("Attacks.xml", "w", encoding="utf-8") as f:
    f.write('<?xml version="1.0" encoding="utf-8"?>\n<posts>\n')
    for i, text in enumerate(attacks, 1):
        f.write('<row Id="%d" PostTypeId="1" CreationDate="2019-01-01T00:00:00.000" Score="1" Title=%s Body=%s'
                ' OwnerDisplayName=%s Tags="&lt;keras&gt;" />\n'
                % (i, xml.quoteattr(text + " slower"), xml.quoteattr("<p>slower</p>" + text), xml.quoteattr(text)))
    f.write("</posts>\n")
ppmine("attacks.db", "init")
ppmine("attacks.db", "load", "Attacks.xml")
ppmine("attacks.db", "match")
with Server("attacks.db", "x' onfocus='window.hit=1' \"><script>window.hit=1</script>", launch=False) as server, \
        Browser() as browser:
    browser.go(server.link)
    browser.wait(READY)
    for i, text in enumerate(attacks, 1):
        ppmine("attacks.db", "label", "set", str(i), "--coder", "y", "--problem", "yes", "--note", text)
        browser.go(f"http://{server.host}/code/{i}")
        browser.wait(READY)
        assert browser.script("return window.hit === undefined && document.forms.length === 1 &&"
                              " document.querySelectorAll('iframe, object, embed, meta[http-equiv], base,"
                              " article script, article [style], .thread form, .thread input').length === 0"), text
        browser.press("1")
        browser.wait("return document.getElementById('state').className === 'good'")
    no_complaints(browser)
    only_loopback(browser)
PYTHON
