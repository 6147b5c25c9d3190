#!/bin/bash
# ppmine serve for two coders: blind until the settling is open; then what differs is settled, and the
# figures are those of the command line.
set -eu
unset PPMINE_NOW # acts have times of their own

ppmine -q -d t.db init
ppmine -q -d t.db load "$ROOT/studies/dlperf/sample/Posts.xml"
ppmine -q -d t.db match >/dev/null
exec python3 -B - <<'PYTHON'
import os, re, sqlite3, subprocess, sys
sys.path.insert(0, os.environ["ROOT"] + "/tests/lib")
from serve import Server, checked

MARK = "MARKER-OF-B"  # in all that B says and in B's name
POSTS = [105, 107, 110, 112, 118, 119]

def ppmine(*words, rc=0):
    done = subprocess.run(["ppmine", "-q", "-d", "t.db", *words], capture_output=True, text=True, check=False)
    assert done.returncode in (0, rc), done.stderr
    return done.stdout

def decide(server, post, symptom, cause, reason):
    body = {"post_id": post, "is_problem": True, "reason": reason, "note": reason + " note",
            "codes": {"symptom": [symptom], "root cause": [cause], "introducing stage": ["training"],
                      "exposing stage": ["training"]}} if symptom else \
        {"post_id": post, "is_problem": False, "reason": reason, "note": reason + " note"}
    assert server.api("/api/decide", body).status == 200

def crawl(server):
    """Every page that can be reached, with odd parameters too: {address: text}."""
    todo = ["/", "/code?unfinished=1", "/settle?names=hidden", "/api/next", "/api/progress", "/api/codebook",
            "/results/totals.csv", "/results/tests.json", "/agreement?coders=" + MARK, "/search?words=slow",
            "/search?coder=" + MARK, "/search?words=slow&judged=yes&all=yes", "/search?judged=no", "/code/1",
            f"/code?after={POSTS[0]}", f"/code/{POSTS[0]}?coder={MARK}", "/%2e%2e/", "/settle/1"]
    todo += [f"/api/posts/{post}?coder={MARK}" for post in POSTS]
    todo += [f"/code/{post}?problem={post}_{n}" for post in POSTS for n in (1, 2)]
    seen = {}
    while todo:
        path = todo.pop()
        if path in seen or not path.startswith("/") or len(seen) > 400:
            continue
        answer = server.get(path)
        seen[path] = answer.text + str(answer.headers)
        todo += [a.replace("&amp;", "&") for a in re.findall(r'(?:href|action)="([^"]*)"', answer.text)]
        if answer.headers["Location"]:
            todo.append(answer.headers["Location"])
    return seen

def sections(html):
    return re.findall(r'<section id="[^"]*">.*?</section>', html, re.S)

with Server("t.db", MARK) as b:
    for i, post in enumerate(POSTS):
        decide(b, post, ["memory leak", "program hang", None][i % 3], "not using batch API", f"{MARK} {i}")
with Server("t.db", "ann") as a:
    for i, post in enumerate(POSTS):
        decide(a, post, ["memory leak", "slow execution time", "out of memory"][i % 3], "not using batch API", "mine")

    # --- before the settling: no byte of B, from no request ---
    pages = crawl(a)
    assert len(pages) > 60 and f"/code/{POSTS[1]}" in pages, sorted(pages)
    # What A sent comes back in forms: addresses with the mark are looked at without it.
    for path, text in pages.items():
        if MARK in path:
            text = text.replace(path, "").replace(f'value="{MARK}"', "")
        assert MARK not in text, path
    for fields in ({"go": "agreed"}, {"subject": str(POSTS[1]), "facet": "symptom", "value": "program hang"},
                   {"go": "open"}):
        answer = a.form("/settle", fields)
        assert answer.status == 400 and MARK not in answer.text, fields
    assert sqlite3.connect("t.db").execute("SELECT count(*) FROM decision WHERE coder = 'merged'").fetchone() == (0,)
    assert checked(a.get(f"/code/{POSTS[1]}").text, "codes:symptom") == ["slow execution time"]

    # --- the settling is opened ---
    assert a.form("/settle", {"go": "open", "sure": "yes"}).status == 303
    page = a.get("/settle").text
    assert MARK in page and f"{MARK} 1" in page, "the crawler looks for what is never there"
    assert "Look when" in page or "The guide" in page or "or <em>" in page
    hidden = a.get("/settle?names=hidden").text
    assert f'<th scope="row">{MARK}' not in hidden

    # --- agreement: the figures of the command line ---
    said = sections(ppmine("agree", "--all", "--confusion", "--per-code", "--format", "html"))
    page = a.get("/agreement").text
    assert len(said) >= 3
    for section in said:
        assert section in page, section

    # --- settled: all on which both agree, then the rest ---
    assert a.form("/settle", {"go": "agreed"}).status == 303
    assert a.form("/settle", {"subject": "107", "facet": "symptom", "value": "nonsense"}).status == 400
    for _ in range(40):
        page = a.get("/settle").text
        found = re.search(r'name="subject" value="([^"]*)"><input type="hidden" name="facet" value="([^"]*)"', page)
        if not found:
            break
        subject, facet = found.groups()
        value = {"identification": "yes", "symptom": "program hang"}.get(facet, "training")
        answer = a.form("/settle", {"subject": subject, "facet": facet, "value": "", "other": value,
                                    "reason": "we talked", "gap": "yes"})
        assert answer.status == 303, answer.text
    assert "0 to settle" in a.get("/settle").text
    assert ppmine("label", "resolve", rc=1).count("\n") <= 1
    assert "by ann: guideline gap: we talked" in ppmine("label", "history", "--coder", "merged", "--format", "json")

    # --- results: the figures of the command line, and each as a file ---
    said = sections(ppmine("stats", "--format", "html"))
    page = a.get("/results").text
    assert len(said) >= 8
    for section in said:
        assert section in page, section
    for name in re.findall(r'href="/results/([^"]*)\.csv"', page):
        assert a.get(f"/results/{name}.csv").text == ppmine("stats", "--table", name, "--format", "csv"), name
        a.api(f"/results/{name}.json")
    assert a.get("/results/nothing.csv").status == 404 and a.get("/results/totals.html").status == 404

    # --- search: by stem, by judgement, by code ---
    assert "tf.data pipeline slowly feeding" in a.get("/search?words=pipelines+feed").text, "by stem"
    found = re.findall(r'href="/code/(\d+)"', a.get("/search?judged=yes").text)
    assert found == [str(post) for post in POSTS], found
    assert a.get("/search?words=%22%20OR%20NEAR(%20*&all=yes").status == 200
    assert a.get("/search?from=yesterday").status == 400
    code = re.search(r'<option value="(\d+)">symptom: out of memory', a.get("/search").text).group(1)
    assert re.findall(r'href="/code/(\d+)"', a.get(f"/search?code={code}").text) == ["110", "119"]
    assert "No post was found" in a.get("/search?words=nosuchwordatall").text
PYTHON
