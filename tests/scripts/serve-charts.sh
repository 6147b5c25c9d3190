#!/bin/bash
# The charts of Results and Agreement, in a real browser: they have the numbers of their tables, say more where
# the mouse is, can be filtered, and are saved as SVG and PNG. Nothing is asked of the network.
set -eu
unset PPMINE_NOW

command -v chromium >/dev/null && command -v chromedriver >/dev/null ||
    { echo "no chromium and chromium-driver"; exit 77; }
ppmine -q -d published.db init --published
exec python3 -B - <<'PYTHON'
import base64, os, re, subprocess, sys
import xml.etree.ElementTree as ET
sys.path.insert(0, os.environ["ROOT"] + "/tests/lib")
from serve import Server
from webdriver import Browser

TEXTS = "return [...document.querySelectorAll(`#${arguments[0]} svg.chart g[data-mark=%s] %s`)].map((e) => e.textContent)"
CELLS = "return [...document.querySelectorAll(`#${arguments[0]} tbody tr`)].map((tr) => [...tr.cells].map((c) => c.textContent))"
# What a button would save, as base64, in place of saving it.
SAVED = """
const [section, button, done] = arguments, [make, click] = [URL.createObjectURL, HTMLAnchorElement.prototype.click];
let last = null;
URL.createObjectURL = (blob) => { last = blob; return make.call(URL, blob); };
HTMLAnchorElement.prototype.click = function () {
    [URL.createObjectURL, HTMLAnchorElement.prototype.click] = [make, click];
    const reader = new FileReader();
    reader.onload = () => done([this.download, reader.result]);
    reader.readAsDataURL(last);
};
[...document.querySelectorAll(`#${section} button`)].find((b) => b.textContent === button).click();"""

with Server("published.db", "ann", launch=False) as a, Browser() as browser:
    browser.go(a.link)
    browser.wait("return location.pathname !== '/launch'")
    a.cookie = "; ".join(f"{c['name']}={c['value']}" for c in browser.cookies())
    assert a.form("/settle", {"go": "open", "sure": "yes"}).status == 303
    here = f"http://{a.host}"
    browser.go(here + "/results")
    browser.wait("return document.body.dataset.charts")

    # --- the numbers of the tables ---
    rows = browser.script(CELLS, "rq1-code")
    said = browser.script(TEXTS % ("text", "text"), "rq1-code")
    assert len(rows) == 11 and said == [f"{r[2]} ({r[3][:-1]} %)" for r in rows], (rows, said)
    rows = browser.script(CELLS, "rq3-stage")
    said = browser.script(TEXTS % ("text", "text"), "rq3-stage")
    assert sorted(said) == sorted(f"{r[i]} ({r[i + 1][:-1]} %)" for r in rows for i in (1, 5)), (rows, said)
    rows = browser.script(CELLS, "symptom-cause")
    said = browser.script(TEXTS % ("text", "text"), "symptom-cause")
    assert said == [n for r in rows for n in r[1:-1] if n != "0"], (rows, said)
    assert browser.script("return document.querySelector('#totals figure, #tests figure')") is None

    # --- the mouse ---
    box = browser.script("const e = document.querySelector('#rq1-code svg.chart g[data-mark=bar] rect'); e.scrollIntoView({block: 'center'});"
                         " const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]")
    browser.cdp("Input.dispatchMouseEvent", type="mouseMoved", x=box[0], y=box[1])
    tip = browser.wait("return document.querySelector('#rq1-code svg.chart g:is([data-mark=tip], [aria-label=tip]) text')?.textContent")
    assert "slow execution time" in tip and re.search(r"\bn\b.*91", tip), tip
    for what in ("mousePressed", "mouseReleased"):
        browser.cdp("Input.dispatchMouseEvent", type=what, x=box[0], y=box[1], button="left", clickCount=1)
    browser.wait("return location.pathname === '/results/problems'")
    assert browser.script("return location.search") == "?table=rq1-code&row=0&column=n"
    browser.go(here + "/results")
    browser.wait("return document.body.dataset.charts")

    # --- a filter ---
    browser.write("#rq1-code input[type=search]", "MEMORY")
    said = browser.script(TEXTS % ("text", "text"), "rq1-code")
    assert [s.split()[0] for s in said] == ["36", "13", "3"], said
    browser.write("#rq1-code input[type=search]", " of nothing")
    assert browser.script("return document.querySelector('#rq1-code svg')") is None

    # --- files ---
    name, data = browser.script_async(SAVED, "rq3-stage", "SVG")
    svg = base64.b64decode(data.split(",")[1]).decode()
    assert name == "rq3-stage.svg" and "var(" not in svg and ET.fromstring(svg).tag == "{http://www.w3.org/2000/svg}svg", re.findall("var.{40}", svg)
    assert "hyper parameter tuning" in svg
    name, data = browser.script_async(SAVED, "symptom-cause", "PNG")
    png = base64.b64decode(data.split(",")[1])
    assert name == "symptom-cause.png" and png[:8] == b"\x89PNG\r\n\x1a\n" and int.from_bytes(png[16:20], "big") == 1520

    # --- agreement ---
    browser.go(here + "/agreement")
    browser.wait("return document.body.dataset.charts")
    rows = [r for r in browser.script(CELLS, "drift") if r[8] != "–"]
    assert len(rows) > 20 and len(browser.script(TEXTS % ("dot", "circle"), "drift")) == len(rows)
    rows = browser.script(CELLS, "confusion-symptom")
    assert browser.script(TEXTS % ("text", "text"), "confusion-symptom") == [n for r in rows for n in r[1:] if n != "0"]
    browser.go(here + "/results?by=year")
    browser.wait("return document.body.dataset.charts")
    rows = browser.script(CELLS, "rq1-code")
    assert sorted(browser.script(TEXTS % ("text", "text"), "rq1-code")) == sorted(r[3] for r in rows if r[3] != "0"), rows
    complaints = browser.complaints()
    assert complaints == [], complaints
    addresses = [address for address in browser.requests() if address.startswith("http")]
    assert addresses and all(address.startswith(here) for address in addresses), addresses

    # --- figures are those of the database as it is, whoever wrote ---
    before = a.get("/agreement").text
    assert a.get("/agreement").text == before
    subprocess.run(["ppmine", "-q", "-d", "published.db", "label", "set", "50486678", "--coder", "coder1", "--symptom", "memory leak"],
                   check=True)
    after = a.get("/agreement").text
    assert after != before and a.get("/agreement").text == after
    kept = a.get("/d3.min.js").headers["Cache-Control"], a.get("/charts.js").headers["Cache-Control"]
    assert kept == ("private, max-age=86400", "no-store"), kept
PYTHON
