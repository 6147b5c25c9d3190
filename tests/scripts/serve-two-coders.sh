#!/bin/bash
# Two coders code 50 posts in a browser by keyboard alone and settle what differs; the figures are those
# of the same acts on the command line. Each changes keys, which the other does not get.
set -eu
unset PPMINE_NOW # acts have times of their own

command -v chromium >/dev/null && command -v chromedriver >/dev/null ||
    { echo "no chromium and chromium-driver"; exit 77; }
python3 - >Posts.xml <<'PYTHON'
print('<?xml version="1.0" encoding="utf-8"?>\n<posts>')
for i in range(1, 56):
    print(f'<row Id="{i}" PostTypeId="1" CreationDate="20{18 + i % 3}-03-{i % 28 + 1:02}T00:00:00.000" Score="{i}"'
          f' Title="Training number {i} is slow" Tags="&lt;keras&gt;" Body="&lt;p&gt;It is slower, case {i}.&lt;/p&gt;" />')
print('</posts>')
PYTHON
for name in page shell; do
    ppmine -q -d $name.db init
    ppmine -q -d $name.db load Posts.xml
    ppmine -q -d $name.db match >/dev/null
done
exec python3 -B - <<'PYTHON'
import csv, io, json, os, re, sqlite3, subprocess, sys
sys.path.insert(0, os.environ["ROOT"] + "/tests/lib")
from serve import Server
from webdriver import Browser

POSTS = 50
READY = "return document.body.dataset.ready === 'yes' && location.pathname"
SAVED = "return document.getElementById('state').className !== 'busy'"

def ppmine(database, *words, rc=0):
    done = subprocess.run(["ppmine", "-q", "-d", database, *words], capture_output=True, text=True, check=False)
    assert done.returncode in (0, rc), (words, done.stderr)
    return done.stdout

def decided(who, turn):
    """What the coder says of the nth post: None, or for each facet the place of a code; bob errs at times."""
    slip = who == "bob" and turn % 7 == 3
    if (turn % 3 == 0) != (who == "bob" and turn % 11 == 5):
        return None
    return [("symptom", (turn + slip) % 5), ("root-cause", turn % 4), ("introducing-stage", turn % 3),
            ("exposing-stage", (turn + slip) % 2)]

KEYS = "123456wert"
NAMES = {}

def code(browser, who, no, keys):
    before, most = None, {"no": 0, "yes": 0}
    for turn in range(POSTS):
        path = browser.wait(READY + " !== arguments[0] && location.pathname", before)
        said = decided(who, turn)
        pressed = [no] if said is None else [keys.get((facet, place), KEYS[place]) for facet, place in said] + ["l"]
        if said is not None:
            pressed.insert(1, "\ue007")  # Enter: a symptom may have several codes
        if not NAMES:
            for facet, _ in decided("ann", 1):
                NAMES[facet] = browser.script(
                    "return [...document.querySelectorAll(`.facet[data-facet='${arguments[0]}'] input[data-key]`)]"
                    ".map((input) => input.value)", facet.replace("-", " "))
        browser.press(*pressed)
        kind = "no" if said is None else "yes"
        most[kind] = max(most[kind], len(pressed))
        words = ["--problem", "no"] if said is None else ["--problem", "yes"] + [
            word for facet, place in said for word in ("--" + facet, NAMES[facet][place])]
        ppmine("shell.db", "label", "set", path.rsplit("/", 1)[1], "--coder", who, *words)
        before = path
    browser.wait(READY + " !== arguments[0]", before)
    assert most["no"] <= 4 and most["yes"] <= 10, most
    print(who, "keys at most: no", most["no"], "yes", most["yes"])

def change(browser, what, key):
    browser.script("document.querySelector(`tr[data-what='${arguments[0]}'] button`).focus()", what)
    browser.press("\ue007")  # Enter
    browser.press(key)

def key_of(browser, what):
    return browser.script("return document.querySelector(`tr[data-what='${arguments[0]}'] kbd`)?.textContent", what)

with Server("page.db", "bob", launch=False) as server, Browser() as browser:
    browser.go(server.link)
    browser.wait(READY)
    # bob takes other keys for a command and a code. One that is in use is refused.
    here = f"http://{server.host}"
    browser.go(here + "/keys")
    browser.wait(READY)
    code_name = browser.script("return [...document.querySelectorAll('tr[data-what]')].map((row) => row.dataset.what)"
                               ".find((what) => what.startsWith('symptom: '))")
    change(browser, "no", "0")
    browser.wait("return document.querySelector(\"tr[data-what='no'] kbd\")?.textContent === '0'")
    browser.wait(READY)
    change(browser, code_name, "0")
    browser.wait("return document.getElementById('state').textContent.includes(\"is that of 'no'\")")
    change(browser, code_name, "8")
    browser.wait("return document.querySelector(\"tr[data-what='\" + arguments[0] + \"'] kbd\")?.textContent === '8'", code_name)
    change(browser, "yes", "\ue00c")  # Escape: no change
    assert key_of(browser, "yes") == "y"
    browser.go(here + "/code")
    browser.wait(READY)
    # '?' shows all of them. In a text field none of them is a shortcut.
    browser.press("?")
    listed = browser.script("return [...document.querySelectorAll('.keys[open] kbd')].map((kbd) => kbd.textContent)")
    assert "0" in listed and "n" not in listed and len(listed) == 18, listed
    path = browser.script("return location.pathname")
    for field in ("reason", "note"):
        browser.click(f"textarea[name={field}]")
        browser.press(*"0y8lkuo?")
        assert browser.script("return document.querySelector(`textarea[name=${arguments[0]}]`).value", field) == "0y8lkuo?"
        browser.script("document.querySelector(`textarea[name=${arguments[0]}]`).value = ''", field)
    assert browser.script("return location.pathname") == path
    browser.press("\ue00c")
    code(browser, "bob", "0", {("symptom", 0): "8"})
    # Keys are of the coder: another browser has them, another coder does not.
    assert f'data-key="8"><kbd>8</kbd> {code_name.split(": ")[1]}' in server.visitor().request(
        "GET", path, Cookie="; ".join(f"{c['name']}={c['value']}" for c in browser.cookies())).text

with Server("page.db", "ann", launch=False) as server, Browser() as browser:
    browser.go(server.link)
    browser.wait(READY)
    here = f"http://{server.host}"
    code(browser, "ann", "n", {})
    server.cookie = "; ".join(f"{c['name']}={c['value']}" for c in browser.cookies())
    for body in ({"what": "no", "key": "Enter"}, {"what": "no", "key": "ab"}, {"what": "no", "key": "y"}, {"what": "nothing", "key": "0"},
                 {"what": "no"}, {"key": "0"}, {"what": "no", "key": "\n"}, {"what": ["no"], "key": {}}):
        assert server.api("/api/keys", body).status == 400, body
    assert server.api("/api/keys", {"what": "no", "key": "ä"}).status == 200
    assert 'data-key="ä"' in server.get("/code/1").text
    assert server.api("/api/keys", {"reset": True}).status == 200 and 'data-key="n"' in server.get("/code/1").text
    # A key that was chosen before another code had it stays with the chosen code alone, in its facet.
    chosen = {"symptom: program hang": "6", "root cause: others": "7"}
    connection = sqlite3.connect("page.db")
    with connection:
        connection.execute("INSERT OR REPLACE INTO study VALUES ('keys ann', ?)", (json.dumps(chosen),))
    connection.close()
    page = server.get("/code/1").text
    assert re.findall('data-key="6"><kbd>6</kbd> ([^<]*)', page)[0] == "program hang", page
    assert '<kbd>6</kbd> memory leak' not in page, page
    assert server.api("/api/keys", {"reset": True}).status == 200
    assert '<kbd>6</kbd> memory leak' in server.get("/code/1").text
    assert "keys " not in ppmine("page.db", "export", "--table", "settings", "--format", "csv")

    # Settled: what both agree on, then ann's where they differ, each by one key.
    browser.go(here + "/settle")
    for selector in ("input[name=sure]", "button[value=open]", "button[value=agreed]"):
        browser.wait("return document.querySelector(arguments[0])", selector)
        browser.script("document.querySelector(arguments[0]).focus()", selector)
        browser.press(" " if selector.startswith("input") else "\ue007")
    ppmine("shell.db", "label", "resolve", "--agreed", rc=1)
    # Settling takes posts first: on 'yes' more may be open then.
    settled = 0
    while True:
        found = browser.wait("const p = document.querySelector('main p'); return p?.textContent.includes('to settle') &&"
                             " (document.querySelectorAll('form.dispute').length + '/' + parseInt(p.textContent))")
        if found.startswith("0/"):
            break
        subject, facet, rows = browser.script(
            "const form = document.querySelector('form.dispute'); return [form.elements.subject.value,"
            " form.elements.facet.value, [...form.querySelectorAll('tbody th')].map((th) => th.textContent)]")
        assert rows[0] == "ann" and rows[1] == "bob", rows
        browser.wait("return document.body.dataset.ready")
        browser.press("1")  # one key settles it
        browser.wait("const p = document.querySelector('main p'); return p?.textContent.includes('to settle') &&"
                     " parseInt(p.textContent) < arguments[0]", int(found.split("/")[1]))
        ppmine("shell.db", "label", "resolve", subject, "--facet", facet.replace(" ", "-"), "--take", "ann", "--by", "ann")
        settled += 1
    assert settled >= 10, settled
    print(settled, "settled by hand")
    assert [m for m in browser.complaints() if "favicon" not in m] == []

def figures(database):
    agree = json.loads(ppmine(database, "agree", "--all", "--per-code", "--confusion", "--disagreements", "--format", "json"))
    return agree, json.loads(ppmine(database, "stats", "--format", "json"))

page, shell = figures("page.db"), figures("shell.db")
assert page == shell, "the figures of the page are not those of the command line"
kappa = {row["facet"]: (row["n"], row["kappa"]) for table in page[0] if table["id"] == "agreement" for row in table["rows"]}
assert kappa["identification"][0] == POSTS and 0.5 < kappa["identification"][1] < 1, kappa
totals = {row["what"]: row["n"] for table in page[1] if table["id"] == "totals" for row in table["rows"]}
assert 20 < totals["problems"] < 40, totals
PYTHON
