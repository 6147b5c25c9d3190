#!/bin/bash
# ppmine serve for two coders: blind until the settling is open; then what differs is settled, and the
# figures are those of the command line.
set -eu
unset PPMINE_NOW # acts have times of their own
. "$ROOT/tests/lib/sample.sh"

ln -s "$ROOT/bench" bench
mkdir demo
cp "$ROOT/tests/check/PP301/bad.py" demo
ppmine -q -d published.db init --published
sample_databases t.db
exec python3 -B - <<'PYTHON'
import json, os, re, sqlite3, subprocess, sys
from urllib.parse import unquote
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
    todo = ["/", "/code?unfinished=1", "/settle?names=hidden", "/api/next", "/api/progress", "/api/screen?order=ranked", "/screen?order=random", "/api/codebook",
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

def each_route(server):
    """Every route of the server with every parameter that a page reads: {address: text}."""
    web = os.environ["ROOT"] + "/web/"
    code = "".join(open(web + name, encoding="utf-8").read() for name in sorted(os.listdir(web)) if name.endswith(".c"))
    routes = re.findall(r'^    \{"(/[^"]*)", (\w+), (\w+), (?:true|false),', code, re.M)
    names = sorted(set(re.findall(r'field_of\(&v->query, "(\w+)"\)', code)) | {"coder", "problem", "post", "facet"})
    assert len(routes) > 20 and len(names) > 8, (routes, names)
    values = [MARK, str(POSTS[1]), f"{POSTS[1]}_1", "yes", "ranked", "all", "1"]
    seen = {}
    for path, get, post in routes:
        paths = [path + str(end) for end in (POSTS[1], MARK, "totals.csv", "confusion.json")] if path.endswith("/") else [path]
        for one in paths:
            for query in [""] + [f"?{name}={value}" for name in names for value in values]:
                if get != "NULL" and path != "/launch":
                    answer = server.get(one + query)
                    seen[one + query] = answer.text + str(answer.headers)
            if post == "NULL" or path == "/settle":
                continue
            for body in ({"post_id": POSTS[1], "problem_id": f"{POSTS[1]}_1"}, {"post_id": POSTS[1], "coder": MARK},
                         {"post_id": POSTS[1], "quote": "the", "coder": MARK}, {"post_id": POSTS[1], "answer": "maybe"}):
                answer = server.api(one, body) if path.startswith("/api") else server.form(one, {**body, "go": "skip"})
                seen[f"POST {one} {body}"] = answer.text + str(answer.headers)
    return seen

def sections(html):
    return re.findall(r'<section id="[^"]*">.*?</section>', html, re.S)

with Server("t.db", MARK) as b:
    for i, post in enumerate(POSTS):
        decide(b, post, ["memory leak", "program hang", None][i % 3], "not using batch API", f"{MARK} {i}")
    said = b.api("/api/threads", {"subject": str(POSTS[1]), "text": f"{MARK} says"})
    assert said.status == 200 and f"{MARK} says" in said.text, said.text # one's own
    assert b.api("/api/threads", {"subject": str(POSTS[1]), "text": " "}).status == 400
    assert b.api("/api/threads", {"subject": "x", "text": "y"}).status == 400
with Server("t.db", "ann") as a:
    for i, post in enumerate(POSTS):
        decide(a, post, ["memory leak", "slow execution time", "out of memory"][i % 3], "not using batch API", "mine")

    # --- before the settling: no byte of B, from no request ---
    pages = crawl(a)
    assert len(pages) > 60 and f"/code/{POSTS[1]}" in pages, sorted(pages)
    of_b = f"SELECT count(*) FROM decision WHERE coder = '{MARK}'"
    before = sqlite3.connect("t.db").execute(of_b).fetchone()
    routes = each_route(a)
    assert sqlite3.connect("t.db").execute(of_b).fetchone() == before
    assert len(routes) > 1000
    for i, post in enumerate(POSTS):  # what A's undo took back
        decide(a, post, ["memory leak", "slow execution time", "out of memory"][i % 3], "not using batch API", "mine")
    pages |= routes
    # What A sent comes back in forms: addresses with the mark are looked at without it.
    for path, text in pages.items():
        if MARK in path:
            text = text.replace(path, "").replace(f'value="{MARK}"', "").replace(f'"{MARK}"', "")
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
    assert f"{MARK} says" in page and f"{MARK} 1 note" in page
    form = {"go": "say", "subject": str(POSTS[1]), "message": "<b>and</b> I say"}
    assert a.form("/settle", form).status == 303
    assert "&lt;b&gt;and&lt;/b&gt; I say" in a.get("/settle").text
    thread = json.loads(a.get(f"/api/threads/{POSTS[1]}").text)
    assert thread["open"] and [m["text"] for m in thread["messages"]] == [f"{MARK} says", form["message"]], thread
    assert [m["coder"] for m in thread["messages"]] == [MARK, "ann"], thread
    assert MARK not in re.sub(r'value="[^"]*"', "", a.get("/settle?names=hidden").text.replace(f"{MARK} ", ""))
    assert "Look when" in page or "The guide" in page or "or <em>" in page
    hidden = a.get("/settle?names=hidden").text
    assert f'<th scope="row">{MARK}' not in hidden

    # --- agreement: the figures of the command line ---
    said = sections(ppmine("agree", "--all", "--confusion", "--per-code", "--segmentation", "--format", "html"))
    page = a.get("/agreement").text
    for shown in (page, a.get("/results").text):
        assert re.search(r"What is settled.</strong> .*Symptoms[^:]*: 0 of \d+ settled; \d+ disputed, .*: not counted.</p>",
                         shown), shown
    assert len(said) >= 4 and any('id="segmentation"' in section for section in said)
    def words(html):
        return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html)).strip()

    for section in said:
        is_matrix = section.startswith('<section id="confusion-')
        assert (words(section) in words(page)) if is_matrix else (section in page), section

    # --- each cell of a matrix leads to what it counts ---
    listed = json.loads(ppmine("agree", "--all", "--disagreements", "--format", "json"))
    rows = next(t for t in listed if t["id"] == "disagreements")["rows"]
    cells = re.findall(r'href="(/agreement\?pair=\d+&amp;row=\d+&amp;column=\d+)">(\d+)</a>', page)
    reached = []
    for address, n in cells:
        text = a.get(address.replace("&amp;", "&")).text
        subjects = re.findall(r'<li><a href="/code/\d+\?problem=([^"]*)">', text)
        assert len(subjects) == int(n) > 0, (address, n, text)
        said_by = re.search(r"<strong>(.*?)</strong>: (.*?); <strong>(.*?)</strong>: (.*?)</p>", text).groups()
        reached += [(subject, *said_by) for subject in subjects]
    assert sorted(reached) == sorted(
        (r["subject"], r["coder_a"], r["code_a"], r["coder_b"], r["code_b"]) for r in rows), (reached, rows)
    for address in ("pair=99&row=0&column=1", "pair=0&row=99&column=1", "pair=0&row=0&column=0", "pair=x", "pair=0"):
        assert a.get("/agreement?" + address).status == 404, address

    # --- settled: all on which both agree, then the rest ---
    found = a.form("/settle", {"go": "agreed"})
    assert found.status == 303
    n = int(re.search(r"/settle\?settled=(\d+)$", found.headers["Location"]).group(1))
    assert n > 1 and f"{n} labels were settled at once" in a.get(found.headers["Location"]).text
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

    # --- a coder sees where it was settled otherwise, and why ---
    mine, settled = ({(c, f): v for c, f, v in sqlite3.connect("t.db").execute(
        "SELECT subject, facet, group_concat(name) FROM (SELECT l.*, c.name FROM label AS l JOIN code AS c USING (code_id)"
        " ORDER BY name) WHERE coder = ? GROUP BY 1, 2", (who,))} for who in ("ann", "merged"))
    titles = {"symptom": "Symptom", "root cause": "Root cause", "introducing stage": "Introducing stage",
              "exposing stage": "Exposing stage"}
    wanted = sorted((c, titles[f], mine[c, f], settled[c, f]) for c, f in mine.keys() & settled.keys()
                    if mine[c, f] != settled[c, f])
    text = a.get("/overruled").text
    shown = re.findall(r'<tr><td><a href="[^"]*">([^<]*)</a></td><td>([^<]*)</td><td>([^<]*)</td><td>([^<]*)</td>'
                       r'<td>by ann: guideline gap: we talked</td>', text)
    assert len(wanted) > 0 and sorted(row for row in shown if row[1] != "Identification") == wanted, (shown, wanted)
    assert f"{len(re.findall('<tr><td>', text))} settled against your decision" in text
    gaps = re.findall(r'<li><a href="[^"]*">([^<]*)</a> ([^:]*): by ann: guideline gap: we talked</li>', text)
    assert sorted(gaps) == sorted(sqlite3.connect("t.db").execute("SELECT subject, facet FROM decision WHERE reason LIKE"
                                                                  " '%guideline gap: we talked'").fetchall()) != [], gaps

    # --- results: the figures of the command line, and each as a file ---
    FORMATS = ["text", "csv", "json", "ndjson", "markdown", "latex", "html"]
    for by in ("", "year", "tag", "site"):
        grouped = ["--by", by] if by else []
        said = sections(ppmine("stats", *grouped, "--format", "html"))
        page = a.get(f"/results?by={by}").text
        assert len(said) >= 4
        for section in said:
            assert words(section) in words(page), section
        names = set(re.findall(r'href="/results/([^"]*)\.csv', page))
        assert len(names) == len(said), names
        for name in names:
            for form in FORMATS:
                answer = a.get(f"/results/{name}.{form}?by={by}")
                assert answer.text == ppmine("stats", *grouped, "--table", name, "--format", form), (name, form)
                assert (answer.headers["Content-Disposition"] == "attachment") == (form == "html")
    assert a.get("/results/nothing.csv").status == 404 and a.get("/results/totals.nothing").status == 404
    # A study without a benchmark and without findings has no pages of them; with findings it has that one.
    for has in (False, True):
        places = re.search(r"<nav.*?</nav>", a.get("/search").text, re.S).group(0)
        assert "/benchmark" not in places and ("/campaign" in places) == has, (has, places)
        if not has:
            ppmine("check", "--project", "demo", "--commit", "1.0", "demo", rc=1)
    for page, names, command in (("agreement", ["agreement", "per-code"], ["agree", "--all", "--per-code"]),
                                 ("benchmark", ["bench-verdicts"], ["bench", "report"]),
                                 ("campaign", ["campaign-rule"], ["campaign", "report"])):
        assert a.get("/" + page).status == 200
        listed = {t["id"]: t["rows"] for t in json.loads(ppmine(*command, "--format", "json", rc=1))}
        for name in names:
            assert a.api(f"/{page}/{name}.json").json[0]["rows"] == listed[name], name

    page = a.get("/campaign").text
    found = re.findall(r'<a href="(/campaign/findings[^"]*)">(\d+)</a>', page)
    assert len(found) >= 2, page
    for address, n in found:
        assert f"<p>{n} findings.</p>" in a.get(address.replace("&amp;", "&")).text, address
    assert len(re.findall(r'<a href="/code/\d+\?problem=', a.get("/benchmark").text)) > 50

    for address in ("table=rq1-code&row=99&column=n", "table=nothing&row=0&column=n", "table=rq1-code&row=0&column=share"):
        assert a.get("/results/problems?" + address).status == 404, address

    # --- search: by stem, by judgement, by code ---
    text = a.get("/search?words=pipelines+feed").text
    assert "tf.data pipeline slowly feeding" in text, "by stem"
    count = int(re.search(r"<p>(\d+) posts?</p>", text).group(1))
    assert count == len(re.findall(r'<a href="/code/\d+">', text)) > 0
    for place in re.findall(r'<small class="place">(.*?)</small>', text, re.S):  # each shows where, by stem
        assert {word.lower()[:4] for word in re.findall("<mark>(.*?)</mark>", place)} & {"pipe", "feed"}, place
        assert len(re.sub("<[^>]*>", "", place)) < 280, place
        assert not re.search(r"[.?!:]\?\w", re.sub("<[^>]*>", "", place)), "the end of a paragraph is a blank: " + place
    assert f"<p>{len(POSTS)} posts</p>" in a.get("/search?judged=yes").text
    found = re.findall(r'href="/code/(\d+)"', a.get("/search?judged=yes").text)
    assert found == [str(post) for post in POSTS], found
    assert a.get("/search?words=%22%20OR%20NEAR(%20*&all=yes").status == 200
    assert a.get("/search?from=yesterday").status == 400
    code = re.search(r'<option value="(\d+)">symptom: out of memory', a.get("/search").text).group(1)
    assert re.findall(r'href="/code/(\d+)"', a.get(f"/search?code={code}").text) == ["110", "119"]
    assert "No post was found" in a.get("/search?words=nosuchwordatall").text

    # --- one sees one problem, the other two: which they are is settled first ---
    ppmine("label", "set", "116", "--coder", MARK, "--symptom", "unknown")
    ppmine("label", "set", "116_1", "--coder", "ann", "--symptom", "memory leak")
    ppmine("label", "set", "116_2", "--coder", "ann", "--symptom", "program hang")
    assert "Which ones the post has" in a.get("/settle").text
    choice = {"subject": "116", "facet": "segmentation", "value": "116_1; 116_3", "reason": "two programs"}
    assert a.form("/settle", choice).status == 400
    assert a.form("/settle", {**choice, "value": "116_1; 116_2"}).status == 303
    assert "0 to settle" in a.get("/settle").text
    assert sqlite3.connect("t.db").execute(
        "SELECT group_concat(problem_id || ' ' || symptom1, ', ') FROM problem_label WHERE post_id = 116"
    ).fetchone() == ("116_1 memory leak, 116_2 program hang",)

    # --- one post at a time: evidence marked, each, all of them or any other codes, and none is passed over ---
    body = a.api("/api/quote", {"post_id": 131, "quote": "the"}).json
    quote = body["evidence"]
    for post, mine, theirs in (("131", ["memory leak"], ["program hang"]), ("133", ["memory leak", "unknown"], ["program hang"]),
                               ("139", ["memory leak"], ["memory leak", "program hang"])):
        for coder, codes in (("ann", mine), (MARK, theirs)):
            ppmine("label", "set", post, "--coder", coder, *(word for code in codes for word in ("--symptom", code)),
                   "--reason", f"I read {quote} [body 9999990-9999999] [body x-1] [body 7-3] [title 0-" if post == "131" else "so")
    page = a.get("/settle").text
    assert "3 to settle" in page and re.findall(r'name="subject" value="(.*?)"', page) == ["131", "131"], page
    assert re.findall(r"<mark>(.*?)</mark>", page) == ["the"], re.findall(r"<mark>(.*?)</mark>", page)
    db = sqlite3.connect("t.db")  # the post is edited, and other words are where the quoted ones were
    (before,) = db.execute("SELECT body_html FROM post WHERE post_id = 131").fetchone()
    for text, marked in (("<p>x</p>" + before, ["the"]), ("<p>" + "nothing " * 99 + "</p>", [])):
        with db:
            db.execute("UPDATE post SET body_html = ? WHERE post_id = 131", (text,))
        page = a.get("/settle").text
        assert re.findall(r"<mark>(.*?)</mark>", page) == marked, re.findall(r"<mark>(.*?)</mark>", page)
    with db:
        db.execute("UPDATE post SET body_html = ? WHERE post_id = 131", (before,))
    page = a.get("/settle").text
    assert 'value="memory leak; program hang" data-key="u"' in page or 'value="program hang; memory leak" data-key="u"' in page
    assert re.findall(r'data-key="([^"]*)"', page) == ["n", "1", "2", "u", "w", "o", "m"], re.findall(r'data-key="([^"]*)"', page)
    assert '<p class="rule"><em>memory leak</em>: ' in page, "a definition"
    later = a.get("/settle?after=131").text  # the second has three codes, more than a problem may have; the third one's are in one
    assert 'name="subject" value="133"' in later and 'data-key="u"' not in later
    assert 'name="after" value="131"' in later
    third = a.get("/settle?after=133").text
    assert 'name="subject" value="139"' in third and 'data-key="u"' not in third
    assert 'name="subject" value="131"' in a.get("/settle?after=139").text, "after the last one comes the first"
    assert a.get("/settle?after=x").status == 400
    answer = a.form("/settle", {"subject": "133", "facet": "symptom", "other": "unknown", "other2": "out of memory",
                                "reason": "both, we said", "after": "131", "names": "hidden"})
    assert answer.status == 303 and answer.headers["Location"] == "/settle?after=131&names=hidden", answer.headers["Location"]
    assert 'name="subject" value="139"' in a.get("/settle?after=131").text
    assert a.form("/settle", {"subject": "139", "facet": "symptom", "other": "unknown", "other2": "unknown"}).status == 400
    assert a.form("/settle", {"subject": "139", "facet": "symptom"}).status == 400
    for post in ("131", "139"):
        assert a.form("/settle", {"subject": post, "facet": "symptom", "value": "memory leak; program hang"}).status == 303
    assert "0 to settle" in a.get("/settle").text
    assert sqlite3.connect("t.db").execute(
        "SELECT subject, value, reason FROM decision WHERE coder = 'merged' AND post_id IN (131, 133, 139) AND facet = 'symptom'"
        " ORDER BY post_id").fetchall() == [("131", '["memory leak","program hang"]', "by ann: settled"),
        ("133", '["unknown","out of memory"]', "by ann: both, we said"),
        ("139", '["memory leak","program hang"]', f"by ann: took {MARK}'s")]

    # --- labels of one coder: a look, with the figures of the command line, then all of them ---
    ppmine("label", "set", "158", "--coder", "ann", "--symptom", "memory leak", "--reason", "<b>leaks</b>")
    look = a.get("/settle?single=ann").text
    assert "&lt;b&gt;leaks&lt;/b&gt;" in look and ">158</a></td><td>Symptom</td><td>memory leak</td>" in look, look
    assert "Take these" in look and "Take these" not in a.get("/settle?single=nobody").text
    for section in sections(ppmine("label", "resolve", "--single", "--take", "ann", "--dry-run", "--format", "html")):
        assert section in look, section
    before = len(json.loads(ppmine("label", "resolve", "--single", "--format", "json")))
    n = int(re.search(r"Take these (\d+) labels", look).group(1))
    assert a.form("/settle", {"go": "single", "coder": "ann"}).status == 303
    left = json.loads(ppmine("label", "resolve", "--single", "--format", "json", rc=1))
    assert n >= 2 and len(left) == before - n, (n, before, left)
    assert a.form("/settle", {"go": "single", "coder": "nobody"}).status == 303, "nothing to take is no fault"

# --- each count leads to as many problems, and these are the ones that SQL finds ---
with Server("published.db", "ann") as a:
    assert 'href="/benchmark"' in a.get("/search").text
    assert a.form("/settle", {"go": "open", "sure": "yes"}).status == 303
    reached = {}
    for page in (a.get("/results").text, a.get("/results?by=year").text):
        for address, n in re.findall(r'<td class="n"><a href="(/results/problems[^"]*)">([\d,]+)</a>', page):
            address = address.replace("&amp;", "&")
            text = a.get(address).text
            reached[unquote(address)] = re.findall(r'<td><a href="/code/\d+\?problem=([^"]*)">', text)
            counted = re.search(r"<p>(\d+) problems in (\d+) posts\.</p>", text).groups()
            if "column=labels" in address: # a problem may have several
                assert int(n) >= int(counted[0]) and "counts labels" in text, (address, n)
            else:
                assert n in counted, (address, n)
    assert len(reached) > 300, len(reached)
    # no count is without its link, but for those of a test, which are not of problems
    page = a.get("/results").text
    unlinked = []
    for table, title, rest in re.findall(r'<section id="([^"]*)">\n<table>\n<caption>(.*?)</caption>(.*?)</section>', page, re.S):
        heads = re.findall(r'<th scope="col"[^>]*>(.*?)</th>', rest)
        for row in re.findall(r"<tr>(.*?)</tr>", rest.split("<tbody>")[1], re.S):
            cells = re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.S)
            unlinked += [(table, head) for head, cell in zip(heads, cells) if re.fullmatch(r"[1-9][\d,]*", cell) and head != "year"]
    assert set(unlinked) == {("tests", "df"), ("tests", "cells &lt; 5"), ("tests", "sampled")}, set(unlinked)
    ids = re.findall(r'<section id="([^"]*)">', page)
    tested = re.findall(r'<th scope="row"><a href="#([^"]*)">(.*?)</a>', page)
    assert len(tested) == 4 and {to for to, _ in tested} == {"symptom-cause", "cause-stage"} <= set(ids), (tested, ids)
    db = sqlite3.connect("published.db")

    def compare(table, column, where, key):
        rows = json.loads(subprocess.run(["ppmine", "-q", "-d", "published.db", "stats", "--table", table, "--format", "json"],
                                         capture_output=True, text=True, check=True).stdout)[0]["rows"]
        for i, row in enumerate(rows):
            wanted = {r[0] for r in db.execute(f"SELECT problem_id FROM problem_label WHERE {where}", {"x": row[key]})}
            assert set(reached.get(f"/results/problems?table={table}&row={i}&column={column}", [])) == wanted, (table, row)

    compare("rq1-code", "n", "symptom1 = :x", "code")
    compare("rq1-code", "any", ":x IN (symptom1, symptom2)", "code")
    compare("rq2-category", "n", "root_cause IN (SELECT name FROM code WHERE category = :x AND facet = 'root cause')", "category")
    compare("rq3-stage", "exposing", "exposing_stage = :x", "stage")
    compare("year", "n", "substr(created_at, 1, 4) = :x", "year")
    compare("symptom-cause", "API", "symptom1 IN (SELECT name FROM code WHERE category = :x AND facet = 'symptom') AND root_cause IN"
            " (SELECT name FROM code WHERE category = 'API' AND facet = 'root cause')", "symptom")
    order = [r[0] for r in db.execute("SELECT problem_id FROM problem_label WHERE introducing_stage = exposing_stage")]
    assert sorted(reached["/results/problems?table=rq3-order&row=0&column=n"]) == sorted(order)
    rows = json.loads(subprocess.run(["ppmine", "-q", "-d", "published.db", "stats", "--table", "tests", "--format", "json"],
                                     capture_output=True, text=True, check=True).stdout)[0]["rows"]
    of = {to: [i for i, (t, _) in enumerate(tested) if t == to] for to, _ in tested}
    category = "(SELECT category FROM code WHERE facet = '%s' AND name = %s)"
    for to, one, other in (("symptom-cause", category % ("symptom", "symptom1"), category % ("root cause", "root_cause")),
                           ("cause-stage", category % ("root cause", "root_cause"), "introducing_stage")):
        for i, where in zip(of[to], ("1", f"lower({one}) <> 'unknown' AND lower({other}) <> 'unknown'")):
            wanted = sorted(r[0] for r in db.execute(f"SELECT problem_id FROM problem_label WHERE {one} IS NOT NULL AND {other}"
                                                     f" IS NOT NULL AND {where}"))
            assert sorted(reached[f"/results/problems?table=tests&row={i}&column=n"]) == wanted, (to, i)
            assert len(wanted) == rows[i]["n"]
    best = {}
    for problem, approach, status in db.execute("SELECT problem_id, approach, status FROM assessment"):
        runs = approach != "documentation"
        applies = status != "not applied" if runs else status == "partially solved"
        best.setdefault(problem, []).append((runs, applies, status == "partially solved"))
    last = 3 # after documentation, profiler, xla
    for column, wanted in (
            ("problems", best), ("not_applied", [p for p, b in best.items() if not any(applies for _, applies, _ in b)]),
            ("applied", [p for p, b in best.items() if any(applies for _, applies, _ in b)]),
            ("partially_solved", [p for p, b in best.items() if any(runs and solved for runs, _, solved in b)]),
            ("not_solved", [p for p, b in best.items() if any(runs and applies for runs, applies, _ in b)
                            and not any(runs and solved for runs, _, solved in b)])):
        assert sorted(reached[f"/results/problems?table=rq4&row={last}&column={column}"]) == sorted(wanted), column
PYTHON
