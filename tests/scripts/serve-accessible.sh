#!/bin/bash
# axe-core finds nothing on any page of two studies: light and dark, 360 pixels wide, at 200 %. Nothing is wider than
# the screen. Where that is narrow, the post comes first, answers stay in reach, and fingers hit what they press.
set -eu
unset PPMINE_NOW # acts have times of their own
. "$ROOT/tests/lib/npm.sh"
. "$ROOT/tests/lib/sample.sh"
. "$ROOT/tests/lib/facets.sh"

command -v chromium >/dev/null && command -v chromedriver >/dev/null ||
    { echo "no chromium and chromium-driver"; exit 77; }
npm_packages
sample_databases t.db
facets_database facets.db
ppmine -q -d empty.db init --study facets-study
exec python3 -B - <<'PYTHON'
import os, re, subprocess, sys
sys.path.insert(0, os.environ["ROOT"] + "/tests/lib")
from serve import Server
from webdriver import Browser

POSTS = [105, 107, 110, 112, 118, 119]
AXE = open(os.environ["NODE_MODULES"] + "/axe-core/axe.min.js", encoding="utf-8").read()
# Name, pixels of the page, how many of the screen make one, colours.
VIEWS = [("light", 1280, 900, 1, "light"), ("dark, 360 pixels", 360, 640, 2, "dark"),
         ("200 %", 640, 450, 2, "light")]

# Without the elements that pass: they are most of the page.
RUN = """
return axe.run(document, {resultTypes: ['violations']}).then(
    (said) => ({violations: said.violations, passed: said.passes.length}), String)"""

# The post is at the top, the bar at the bottom, and its first two answers are on the screen.
REACH = """
const place = (e) => e.getBoundingClientRect(), bar = document.querySelector('.panel');
return [scrollY, place(document.querySelector('.thread h1')).top < innerHeight / 2, Math.round(place(bar).bottom) === innerHeight,
        [...bar.querySelectorAll('.buttons button')].slice(0, 2).filter((b) => place(b).top >= 0 &&
            place(b).bottom <= innerHeight && place(b).right <= document.documentElement.clientWidth).length]"""
SMALL = """
return [...document.querySelectorAll('button, nav a, select, summary')].filter((e) => {
    const place = e.getBoundingClientRect();
    return place.height > 0 && (place.height < 44 || place.width < 44);
}).map((e) => e.outerHTML.slice(0, 100))"""

def look(browser, address, name):
    found = []
    for view, width, height, scale, colours in VIEWS:
        browser.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                    mobile=False)
        browser.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": colours}])
        browser.go(address)
        browser.wait("return document.querySelector('script[src=\"/charts.js\"]') === null || document.body.dataset.charts")
        said = browser.script(RUN)
        assert isinstance(said, dict) and said["passed"] > 5, said
        for v in said["violations"]:
            found.append(f"{name}, {view}: {v['id']}: {v['help']}: {v['nodes'][0]['target']}"
                         f" {v['nodes'][0]['html'][:150]} {v['nodes'][0].get('failureSummary', '')[:300]}")
        if width < 800:
            found += [f"{name}, {view}: too small for a finger: {text}" for text in browser.script(SMALL)[:3]]
            if name in ("code", "screen") and (reach := browser.script(REACH)) != [0, True, True, 2]:
                found.append(f"{name}, {view}: the post first, answers in reach: {reach}")
        wide = browser.script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if wide > 0:
            found.append(f"{name}, {view}: {wide} pixels wider than the screen")
    return found

def decide(server, i, post, symptom):
    body = {"post_id": post, "is_problem": i % 5 != 4, "reason": "the loop feeds one row at a time"}
    if body["is_problem"]:
        body["codes"] = {"symptom": [symptom], "root cause": ["not using batch API"],
                         "introducing stage": ["training"], "exposing stage": ["training"]}
    assert server.api("/api/decide", body).status == 200

with Server("t.db", "bob") as b:
    for i, post in enumerate(POSTS):
        decide(b, i, post, ["memory leak", "program hang"][i % 2])
trouble = []
with Server("t.db", "ann", launch=False) as a, Browser() as browser:
    browser.cdp("Page.addScriptToEvaluateOnNewDocument", source=AXE) # sent once, compiled once
    browser.go(a.link)
    browser.wait("return document.body.dataset.ready")
    here = f"http://{a.host}"
    # A page that has faults shows that faults are found.
    browser.go(here + "/codebook")
    browser.script("document.querySelector('main').innerHTML += '<img src=/icon.svg><input>'")
    said = browser.script(RUN)
    assert {"image-alt", "label"} <= {v["id"] for v in said["violations"]}, said["violations"]
    a.cookie = "; ".join(f"{c['name']}={c['value']}" for c in browser.cookies())
    for i, post in enumerate(POSTS[1:]):
        decide(a, i + 1, post, ["memory leak", "slow execution time"][i % 2])
    pages = {"code": f"/code/{POSTS[0]}", "coded": f"/code/{POSTS[1]}", "screen": "/screen", "search": "/search?words=slow",
             "codebook": "/codebook", "change": "/codebook?facet=symptom&code=memory%20leak", "keys": "/keys", "api": "/api", "closed": "/settle", "missing": "/nothing"}
    for name, path in pages.items():
        trouble += look(browser, here + path, name)
    assert a.form("/settle", {"go": "open", "sure": "yes"}).status == 303
    for path in ("settle", "settle?names=hidden", "settle?single=ann"):
        trouble += look(browser, f"{here}/{path}", path)
    assert a.form("/settle", {"go": "agreed"}).status == 303
    for name in ("agreement", "agreement?pair=1&row=0&column=1", "overruled", "code?unfinished=1", "search?words=slow&judged=yes", "results", "results?by=year", "results/problems?table=year&row=0&column=n", "benchmark",
                 "campaign", "campaign/findings"):
        trouble += look(browser, f"{here}/{name}", name)
    with Server("facets.db", "ann", launch=False) as other:
        browser.go(other.link)
        browser.wait("return document.body.dataset.ready")
        for path in ("code/1", "codebook", "screen"):
            trouble += look(browser, f"http://{other.host}/{path}", f"facets, {path}")
        other.cookie = "; ".join(f"{c['name']}={c['value']}" for c in browser.cookies())
        assert other.form("/settle", {"go": "open", "sure": "yes"}).status == 303
        for coder, cause, hours in (("ann", "disk", "3"), ("bob", "cpu", "4")):
            done = subprocess.run(["ppmine", "-q", "-d", "facets.db", "label", "set", "1", "--coder", coder, "--cause", cause,
                                   "--hours", hours, "--regression", "yes", "--words", f"as {coder} reads it"], check=False)
            assert done.returncode == 0
        for path in ("code/1", "settle", "agreement", "results"):
            trouble += look(browser, f"http://{other.host}/{path}", f"facets coded, {path}")
    # A study without posts, before and after the settling is open; and what is refused.
    with Server("empty.db", "ann", launch=False) as other:
        browser.go(other.link)
        browser.wait("return location.pathname === '/code'")
        other.cookie = "; ".join(f"{c['name']}={c['value']}" for c in browser.cookies())
        for path in ("code", "code/7", "screen", "search?words=slow", "search?from=x", "settle", "results", "codebook?facet=nothing", "launch?token=x"):
            trouble += look(browser, f"http://{other.host}/{path}", f"empty, {path}")
        assert other.form("/settle", {"go": "open", "sure": "yes"}).status == 303
        for path in ("settle", "agreement", "results", "overruled"):
            trouble += look(browser, f"http://{other.host}/{path}", f"empty and open, {path}")
    complaints = [text for text in browser.complaints() if not re.search("status of 40[034]", text)]
    assert complaints == [], complaints
assert trouble == [], "\n" + "\n".join(trouble)
PYTHON
