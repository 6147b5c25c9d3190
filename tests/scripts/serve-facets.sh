#!/bin/bash
# Facets of all kinds by keys in a browser, and no lost word: several codes, a number, yes or no, a text, 60 codes; drafts,
# a server that is started again, two tabs.
set -eu
unset PPMINE_NOW # acts have times of their own
. "$ROOT/tests/lib/facets.sh"

command -v chromium >/dev/null && command -v chromedriver >/dev/null ||
    { echo "no chromium and chromium-driver"; exit 77; }
facets_database t.db
exec python3 -B - <<'PYTHON'
import os, sqlite3, sys, time
sys.path.insert(0, os.environ["ROOT"] + "/tests/lib")
from serve import Server
from webdriver import Browser

ENTER, ESCAPE = "\ue007", "\ue00c"
IDLE = ("const f = document.getElementById('coding'); return f !== null && !f.inert && document.body.dataset.ready &&"
        " document.getElementById('state').className === 'good' && f.dataset.post")
STATE = "return document.getElementById('state').textContent"
MISSED = "return document.getElementById('missed').textContent"

def press(browser, keys):
    for key in keys:
        browser.press(key)

def rest(browser):
    try:
        return browser.wait(IDLE)
    except AssertionError:
        raise AssertionError(browser.script("return [document.getElementById('state').textContent, location.pathname,"
                                            " document.getElementById('missed').textContent, JSON.stringify(localStorage)]")) from None

def rows(sql):
    return sqlite3.connect("t.db").execute(sql).fetchall()

def labels(post):
    return rows(f"SELECT facet, group_concat(name, '+') FROM (SELECT l.facet, name FROM label AS l JOIN code USING (code_id)"
                f" WHERE post_id = {post} ORDER BY place) GROUP BY facet ORDER BY facet")

def says(browser, script, words):
    try:
        browser.wait(f"{script}.includes(arguments[0])", words)
    except AssertionError:
        raise AssertionError(f"not '{words}': {browser.script(STATE)} / {browser.script(MISSED)}") from None

with Server("t.db", "ann", launch=False) as server, Browser() as browser:
    browser.go(server.link)
    assert browser.wait(IDLE) == "1"
    # All fits on the page: it does not scroll beside its panel, in which no field is squeezed away.
    heights = browser.script("return [...document.querySelectorAll('#coding textarea')].map((t) => t.getBoundingClientRect().height)")
    assert len(heights) == 3 and min(heights) >= 40, heights
    assert browser.script("return document.documentElement.scrollHeight <= innerHeight + 1")
    here = f"http://{server.host}"
    # The facets are named as in facets.csv, and so is every field.
    words = browser.script("return document.querySelector('.facets').textContent")
    assert "Cause of it" in words and "what made it slow?" in words and "Hours lost" in words
    unnamed = browser.script("return [...document.querySelectorAll('#coding input:not([type=hidden]), #coding select, #coding"
                             " textarea')].filter((i) => !i.labels.length && !i.ariaLabel).map((i) => i.outerHTML)")
    assert unnamed == [], unnamed

    # --- two causes, a number and yes or no: seven keys, no mouse ---
    keys = ["1", "2", ENTER, "5", ENTER, "1", "l"]
    press(browser, keys)
    assert len(keys) <= 7
    browser.wait(IDLE.replace("&& f.dataset.post", "&& f.dataset.post === '2'"))
    assert labels(1) == [("cause", "disk+cpu"), ("hours", "5"), ("regression", "yes")], labels(1)

    # --- one code too many is refused aloud; a key again takes a code back ---
    press(browser, "1234")
    says(browser, MISSED, "Cause of it: at most 3 codes")
    rest(browser)
    assert labels(2) == [("cause", "disk+cpu+memory")], labels(2)
    press(browser, "14")
    rest(browser)
    assert labels(2) == [("cause", "cpu+memory+network")], labels(2)
    assert browser.script(MISSED) == ""

    # --- 60 codes: those without a key are found by typing; what is not there is said ---
    press(browser, "2/")
    press(browser, "number 60" + ENTER)
    rest(browser)
    assert labels(2) == [("cause", "memory+network+cause number 60")], labels(2)
    press(browser, "/nothing" + ENTER)
    says(browser, MISSED, "no code has “nothing” in its name")
    press(browser, ESCAPE)
    wide = browser.script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, wide

    # --- a number that is none stays, is said, and keeps the post here; corrected, it goes on ---
    press(browser, [ENTER, "4", ",", ",", ENTER])
    says(browser, STATE, "NOT SAVED: Hours lost")
    press(browser, "l")
    browser.wait("return !document.getElementById('coding').inert && document.getElementById('coding').dataset.post === '2'")
    browser.script("const i = document.querySelector('input[inputmode]'); i.value = ''; i.focus()")
    press(browser, "7" + ENTER)
    rest(browser)
    assert ("hours", "7") in labels(2), labels(2)
    # A text: Enter begins it, and ends it.
    press(browser, ["2", "1", ENTER])
    press(browser, "it l1n" + ENTER)
    rest(browser)
    assert labels(2)[-1] == ("words", "it l1n") and ("place", "loop") in labels(2), labels(2)

    # --- typed words are drafts until they are saved: a reload, and a server that is started again ---
    press(browser, "m")
    press(browser, "ask bob")
    assert browser.script(STATE) == "not saved yet", browser.script(STATE)
    browser.go(here + "/code/2")
    browser.wait("return document.body.dataset.ready && document.querySelector('textarea[name=note]').value === 'ask bob'")
    assert browser.script(STATE) == "not saved yet" and rows("SELECT * FROM note") == []
    browser.go(here + "/code/3")
    says(browser, STATE, "not saved yet: what you typed about 2")
    browser.go(here + "/code/2")
    browser.wait("return document.body.dataset.ready")
    # A used link lets in who has a session.
    browser.go(server.link)
    browser.wait("return location.pathname.startsWith('/code/') && document.body.dataset.ready")
    browser.go(here + "/code/2")
    browser.wait("return document.body.dataset.ready")
    port = server.port
    server.stop(kill=True)
    press(browser, "y")
    press(browser, "m")
    press(browser, ESCAPE)
    says(browser, STATE, "NOT SAVED yet: the server does not answer")
    with Server("t.db", "ann", "--port", str(port), launch=False) as again:
        says(browser, STATE, "NOT SAVED yet: you have no session")
        old = browser.call("GET", browser.session + "/window")
        new = browser.call("POST", browser.session + "/window/new", {"type": "tab"})["handle"]
        browser.call("POST", browser.session + "/window", {"handle": new})
        browser.go(again.link)
        browser.wait("return document.body.dataset.ready")
        browser.call("POST", browser.session + "/window", {"handle": old})
        rest(browser)
        assert rows("SELECT text FROM note") == [("ask bob",)]
        assert browser.script("return Object.keys(localStorage).length") == 0

        # --- two tabs with one post: the stale one says so, and shows what there is ---
        browser.call("POST", browser.session + "/window", {"handle": new})
        browser.go(here + "/code/2")
        rest(browser)
        browser.call("POST", browser.session + "/window", {"handle": old})
        press(browser, ["\ue012"] * 5)  # to the first facet
        press(browser, "3")
        rest(browser)
        assert ("cause", "network+cause number 60") in labels(2), labels(2)
        browser.call("POST", browser.session + "/window", {"handle": new})
        press(browser, "m")
        press(browser, "mine")
        press(browser, ESCAPE)
        says(browser, STATE, "NOT SAVED: the note “mine”")
        assert browser.script("return document.querySelector('textarea[name=note]').value") == "mine"
        before = rows("SELECT count(*) FROM decision")
        press(browser, "n") # one key: a second one may come when the page is fresh, and is taken then
        says(browser, MISSED, "Not taken")
        browser.wait("return document.querySelector('textarea[name=note]').value === 'mine'")
        assert rows("SELECT count(*) FROM decision") == before and rows("SELECT is_problem FROM judgement WHERE post_id = 2") == [(1,)]
        assert browser.script("return [...document.querySelectorAll('.facet input[type=checkbox]:checked')].map((i) => i.value)") \
            == ["network", "cause number 60"]

        # --- evidence from an answer; a code that is made while coding ---
        browser.go(here + "/code/1")
        browser.wait("return document.body.dataset.ready")
        browser.script("getSelection().selectAllChildren(document.querySelector('.answer .body p'))")
        press(browser, ";")
        browser.wait("return document.querySelector('textarea[name=reason]').value === '“The disk spins down.” [answer 101 0-20]'")
        for _ in range(100):
            if rows("SELECT reason FROM decision WHERE reason IS NOT NULL"):
                break
            time.sleep(0.05)
        assert len(rows("SELECT facet FROM decision WHERE reason LIKE '%answer 101%'")) == 1
        # A reason is for the facet that is named beside it, whether it is chosen before or after the words; as a draft, too.
        browser.go(here + "/code/2")
        browser.wait("return document.body.dataset.ready")
        def reasons():
            return rows("SELECT facet, reason FROM decision WHERE post_id = 2 AND reason IS NOT NULL ORDER BY decided_at, facet")
        before = reasons()
        browser.write("select[name=reason_for]", "Hours lost")
        browser.write("textarea[name=reason]", "about a day")
        browser.write("textarea[name=note]", "so")
        press(browser, ESCAPE)
        rest(browser)
        assert reasons() == [*before, ("hours", "about a day")], reasons()
        browser.write("textarea[name=reason]", " and more")
        browser.script("document.querySelector('select[name=reason_for]').focus()") # as a click does
        browser.write("select[name=reason_for]", "Cause of it")
        browser.click("textarea[name=note]")
        rest(browser)
        assert reasons() == [*before, ("hours", "about a day"), ("cause", "about a day and more")], reasons()
        browser.write("select[name=reason_for]", "place")
        assert browser.script("return document.querySelector('textarea[name=reason]').value") == ""
        browser.write("textarea[name=reason]", "a draft")
        browser.script("window.onbeforeunload = null")
        browser.go(here + "/code/2")
        browser.wait("return document.body.dataset.ready && document.querySelector('select[name=reason_for]').value === 'place'")
        browser.write("textarea[name=reason]", "!")
        press(browser, ESCAPE)
        rest(browser)
        assert reasons()[-1] == ("place", "a draft!") and len(reasons()) == len(before) + 3, reasons()
        browser.go(here + "/code/1")
        browser.wait("return document.body.dataset.ready")
        browser.script("document.querySelector('[data-facet=place] input').closest('.facet').querySelector('a.new').click()")
        browser.wait("return document.querySelector('input[name=name]')")
        browser.write("input[name=name]", "middle")
        browser.write("textarea[name=definition]", "In the middle.")
        browser.write("input[name=why]", "case 1")
        browser.click("button[value=add]")
        browser.wait("return location.pathname === '/code/1' && document.querySelector('input[value=middle]') !== null")
PYTHON
