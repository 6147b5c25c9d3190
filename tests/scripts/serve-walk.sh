#!/bin/bash
# A study of their own, by two partners over a line of 200 ms, one of them on a phone, as new users do it: from a table of
# posts and five facets to a package that checks itself. The labels are those that the keys said.
set -eu
unset PPMINE_NOW # acts have times of their own

command -v chromium >/dev/null && command -v chromedriver >/dev/null ||
    { echo "no chromium and chromium-driver"; exit 77; }
mkdir study
printf 'name = waits\nproblems = waits\ntags = *\n' >study/study.ini
echo slow >study/keywords.txt
printf '%s\n' facet,title,about,kind,most,required,asks 'waits,,post,yes/no,,,does somebody wait?' \
    'cause,Cause,problem,multiple,3,yes,what do they wait for?' 'where,Where,problem,single,,yes,where does it wait?' \
    'minutes,Minutes,problem,number,,no,how many minutes?' 'solved,Solved,problem,yes/no,,no,did an answer solve it?' \
    'words,Words,problem,text,,no,the words that say so' >study/facets.csv
printf '%s\n' facet,code 'cause,missing index' cause,lock cause,network cause,disk where,client where,server >study/codebook.csv
{
    echo post_id,title,body,created_at
    for i in {1..30}; do echo "$i,Query $i is slow,Our report $i takes minutes since the update.,2024-03-11T09:00:00"; done
} >posts.csv
ppmine -q -d s.db init --study study
ppmine -q -d s.db load --all-tags posts.csv
ppmine -q -d s.db match >/dev/null
ppmine -q -d s.db sample --n 20 --assign ann,bob --overlap 20% --format csv >sample.csv
for who in 'ann --owner' bob; do
    # shellcheck disable=SC2086 # the name, and an option
    ppmine -q -d s.db serve --coders team.txt --invite $who >"${who%% *}.link"
done
python3 -B - <<'PYTHON'
import csv, os, random, sqlite3, sys, threading
sys.path.insert(0, os.environ["ROOT"] + "/tests/lib")
from line import Line
from serve import Server
from webdriver import Browser

ENTER = "\ue007"
CODES = {"cause": ["missing index", "lock", "network", "disk"], "where": ["client", "server"], "solved": ["yes", "no"]}
MINE = {name: [row["post_id"] for row in csv.DictReader(open("sample.csv")) if name in row["coders"].split(";")]
        for name in ("ann", "bob")}
BOTH = set(MINE["ann"]) & set(MINE["bob"])
NEXT = ("if (document.body.classList.contains('page-end')) return 'end'; const f = document.getElementById('coding');"
        " return !f.inert && document.body.dataset.ready && document.getElementById('state').className === 'good' &&"
        " f.dataset.post !== arguments[0] && f.dataset.post")
LOADED = "return document.readyState === 'complete'"
TEXT = "return document.querySelector('main').innerText"
OPEN = ("return [...document.querySelectorAll('form.dispute')].map((f) => f.elements.subject.value + f.elements.facet.value)"
        ".join() || document.querySelector('main').innerText.slice(0, 40)")
said, failed = {"ann": {}, "bob": {}}, []

def enter(browser, line, name):
    browser.go(f"{line.address}/launch?" + open(f"{name}.link").read().strip().split("?")[1])
    browser.wait("return location.pathname.startsWith('/code')")

def code(name, line):
    rng, before = random.Random(name), None
    with Browser(width=1280 if name == "ann" else 390, height=900) as browser:
        enter(browser, line, name)
        while (post := browser.wait(NEXT, before)) != "end":
            keys, labels = ["n"], None
            if rng.random() < 0.7:
                labels = {"cause": sorted(rng.sample(range(4), rng.randrange(1, 4))), "where": [rng.randrange(2)],
                          "solved": [rng.randrange(2)], "minutes": str(rng.randrange(1, 60))}
                keys = [*(str(i + 1) for i in labels["cause"]), ENTER, str(labels["where"][0] + 1), *labels["minutes"], ENTER,
                        str(labels["solved"][0] + 1), ENTER, *"it waits", ENTER, "l"]
            browser.press(*keys)
            said[name][post], before = labels, post

def coded(name, line):
    try:
        code(name, line)
    except BaseException as error: # of a thread
        failed.append((name, error))

def labels_of(db, post, coder):
    """What the database has, or None for a post that is none."""
    judged = db.execute("SELECT is_problem FROM judgement WHERE post_id = ? AND coder = ?", (post, coder)).fetchone()
    found = {}
    for facet, name in db.execute("SELECT l.facet, c.name FROM label AS l JOIN code AS c USING (code_id) WHERE post_id = ?"
                                  " AND coder = ? ORDER BY l.facet, c.name", (post, coder)):
        found.setdefault(facet, []).append(name)
    return found if judged[0] else None

def wanted(labels):
    if labels is None:
        return None
    return {"minutes": [labels["minutes"]], "words": ["it waits"]} | {
        facet: sorted(CODES[facet][i] for i in labels[facet]) for facet in CODES}

with Server("s.db", None, "--coders", "team.txt", "--posts", "sample.csv") as server, Line(server.port, 1) as line:
    line.latency = 0.2
    threads = [threading.Thread(target=coded, args=(name, line)) for name in said]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == [], failed
    db = sqlite3.connect("s.db")
    for name, posts in said.items():
        assert sorted(posts) == sorted(MINE[name]) and len(posts) == 12, (name, posts)
        for post, labels in posts.items():
            assert labels_of(db, post, name) == wanted(labels), (name, post, labels_of(db, post, name), labels)
    with Browser() as browser:
        enter(browser, line, "ann")
        browser.go(line.address + "/settle")
        browser.wait(LOADED)
        words = browser.script(TEXT)
        assert "ann\t12\t12" in words and "bob\t12\t12" in words, words
        browser.click("input[name=sure]")
        browser.click("button[value=open]")
        browser.wait("return document.querySelector('button[value=agreed]')")
        # One key for each dispute: all codes of both where the facet takes them, else what ann said.
        n_keys = 0
        while browser.script("return document.querySelector('form.dispute') !== null"):
            before = browser.script(OPEN)
            browser.press(browser.script("return document.querySelector('form.dispute [data-key=u]') ? 'u' : '1'"))
            n_keys += 1
            browser.wait(LOADED + " && (() => {" + OPEN + "})() !== arguments[0]", before)
        assert 0 < n_keys <= 4 * len(BOTH), n_keys
        browser.click("button[value=agreed]")
        browser.wait("return location.search.includes('settled=')")
        for name in said:
            browser.wait(LOADED)
            browser.script("const s = document.querySelector('select[name=single]'); s.value = arguments[0];"
                           " s.form.requestSubmit()", name)
            browser.wait("return location.search.includes('single=') && document.querySelector('button[value=single]')")
            assert "Labels that one coder alone gave" in browser.script(TEXT)
            browser.click("button[value=single]")
            browser.wait("return location.search.includes('settled=')")
        for page, word in (("agreement", "Agreement of two coders"), ("results", "Each count leads"), ("overruled", "settled against")):
            browser.go(f"{line.address}/{page}")
            browser.wait("return document.querySelector('main')?.innerText.includes(arguments[0])", word)
            # Words above a table, of five facets, push none of its columns out of sight.
            assert not browser.script("return [...document.querySelectorAll('table')].some((t) => t.scrollWidth > t.clientWidth)")
        assert browser.complaints() == []
    for name, posts in said.items():
        for post, labels in posts.items():
            if post not in BOTH:
                assert labels_of(db, post, "merged") == wanted(labels), (post, labels)
PYTHON
ppmine -q -d s.db export --package package
(cd package && sha256sum --quiet -c SHA256SUMS && python3 check.py >../checked) || { cat checked; exit 1; }
grep -q ' passed, 0 failed' checked
