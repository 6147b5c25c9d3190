#!/bin/bash
# The page of screening shows the posts that ppmine screen shows, in each order, as a form, as JSON and
# in a real browser by keyboard; answers that come in another way are seen at once.
set -eu
unset PPMINE_NOW # acts have times of their own
. "$ROOT/tests/lib/sample.sh"

sample_databases page.db shell.db
exec python3 -B - <<'PYTHON'
import json, os, re, sqlite3, subprocess, sys
sys.path.insert(0, os.environ["ROOT"] + "/tests/lib")
import webdriver
from serve import Server

def ppmine(database, *words):
    return subprocess.run(["ppmine", "-q", "-d", database, *words], capture_output=True, text=True,
                          check=True).stdout

def rows(database, query):
    with sqlite3.connect(database) as db:
        return db.execute(query).fetchall()

def shell_next(order, coder="ann"):
    return json.loads(ppmine("shell.db", "screen", "--coder", coder, "--order", order, "--format", "json"))

def wanted(post):
    return "unsure" if post % 7 == 0 else "yes" if post % 3 == 0 else "no"

def shown(server, order):
    page = server.follow(f"/screen?order={order}")
    found = re.fullmatch(rf"/screen/(\d+)\?order={order}", page.path)
    assert page.status == 200 and found, (page.path, page.text)
    return int(found[1]), page.text

READ = "SELECT post_id, answer, stratum FROM screening_read WHERE coder = 'ann' ORDER BY place"
MORE = "SELECT post_id, round(score, 4), n_learned, seed, model FROM screening ORDER BY place"

# --- in each order: post by post what the command shows, as a form and as JSON ---
with Server("page.db", "ann") as s:
    for turn in range(36):
        order = ["ranked", "ranked", "random", "ranked", "ranked", "keyword"][turn % 6]
        told = shell_next(order)
        post, page = shown(s, order)
        assert post == told["post_id"], (turn, order, post, told["post_id"])
        assert f'{told["read"]} of {told["posts"]} read, {told["found"]} yes' in page, page[-3000:]
        as_json = s.api(f"/api/screen?order={order}").json
        for name in ("post_id", "stratum", "score", "learned_from", "read", "found", "posts", "may_stop"):
            assert as_json[name] == told[name], (name, as_json, told)
        if turn % 2:
            answer = s.form("/screen", {"post": post, "order": order, "go": wanted(post)})
            assert answer.status == 303 and answer.headers["Location"] == f"/screen?order={order}", answer.text
        else:
            answer = s.api("/api/screen", {"post_id": post, "answer": wanted(post), "order": order})
            assert answer.json == {"saved": True, "post_id": post}, answer.text
        ppmine("shell.db", "screen", "--coder", "ann", "--order", order, "--answer", wanted(post), str(post))
    assert rows("page.db", READ) == rows("shell.db", READ)
    assert rows("page.db", MORE) == rows("shell.db", MORE)
    assert {stratum for _, _, stratum in rows("page.db", READ)} == {"ranked", "random", "keyword"}

    # --- another page and another program answer too ---
    post = shown(s, "ranked")[0]
    s.api("/api/decide", {"post_id": post, "is_problem": True})
    ppmine("shell.db", "label", "set", str(post), "--coder", "ann", "--problem", "yes")
    post = shown(s, "ranked")[0]
    assert post == shell_next("ranked")["post_id"], "what the page Code saved is not known here"
    for database in ("page.db", "shell.db"):
        ppmine(database, "screen", "--coder", "ann", "--answer", "yes", str(post))
        first = rows(database, READ)[0]
        ppmine(database, "label", "set", str(first[0]), "--coder", "ann", "--problem",
               {"yes": "no"}.get(first[1], "yes"))
    assert shown(s, "ranked")[0] == shell_next("ranked")["post_id"], "a changed answer is not learned again"
    assert rows("page.db", READ) == rows("shell.db", READ)

    # --- back, undo, unsure ---
    before, _ = shown(s, "ranked")
    s.form("/screen", {"post": before, "order": "ranked", "go": "yes"})
    now, _ = shown(s, "ranked")
    assert now != before
    answer = s.form("/screen", {"post": now, "order": "ranked", "go": "back"})
    assert answer.headers["Location"] == f"/screen/{before}?order=ranked"
    assert "Your answer: <strong>yes</strong>" in s.get(f"/screen/{before}?order=ranked").text
    answer = s.form("/screen", {"post": before, "order": "ranked", "go": "unsure"})
    assert answer.status == 400 and "Undo first" in answer.text, answer.text
    answer = s.form("/screen", {"post": now, "order": "ranked", "go": "undo"})
    assert answer.headers["Location"] == f"/screen/{before}?order=ranked"
    assert rows("page.db", f"SELECT count(*) FROM judgement WHERE post_id = {before}") == [(0,)]
    assert shown(s, "ranked")[0] == before
    s.form("/screen", {"post": before, "order": "ranked", "go": "unsure"})
    assert shown(s, "ranked")[0] != before
    judged = rows("page.db", "SELECT count(*) FROM judgement")
    answer = s.form("/screen", {"post": shown(s, "ranked")[0], "order": "ranked", "go": "undo"})
    assert answer.headers["Location"] == f"/screen/{before}?order=ranked" and \
        rows("page.db", "SELECT count(*) FROM judgement") == judged, "undo after unsure took something else"

    # --- what is wrong is refused ---
    for fields in ({"post": now, "order": "best", "go": "yes"}, {"post": "x", "order": "ranked", "go": "yes"},
                   {"post": now, "order": "sample", "go": "yes"}, {"post": now, "go": "maybe"},
                   {"post": 999999, "go": "yes"}):
        assert s.form("/screen", fields).status == 400, fields
    assert s.get("/screen/x").status == 404 and s.get("/screen/999999").status == 404
    assert s.get("/screen?order=best").status == 400
    for body in ({}, {"post_id": now}, {"post_id": "1", "answer": "yes"}, {"post_id": now, "answer": 1}):
        assert s.api("/api/screen", body).status == 400, body

# --- a list: its order first, and no post besides ---
listed = [row.split(",")[0] for row in
          ppmine("page.db", "sample", "--n", "9", "--seed", "7", "--format", "csv").splitlines()[1:]]
with open("list.csv", "w") as f:
    f.write("post_id\n" + "\n".join(reversed(listed)) + "\n")
with Server("page.db", "bob", "--posts", "list.csv") as s:
    seen = []
    while (page := s.follow("/screen")).path != "/screen":
        seen.append(page.path.split("/")[2].split("?")[0])
        s.form("/screen", {"post": seen[-1], "order": "sample", "go": "no"})
        assert s.api("/api/screen?order=ranked").json["post_id"] in [None, *map(int, listed)]
    assert seen == list(reversed(listed)), (seen, listed)
    assert "Nothing is left" in page.text

# --- in the browser, by keyboard ---
if webdriver.is_there():
    READY = "return document.body.dataset.ready && location.pathname"
    with Server("page.db", "eve", launch=False) as server, webdriver.Browser() as browser:
        browser.go(server.link)
        browser.wait(READY)
        browser.go(f"http://{server.host}/screen?order=keyword")
        seen = []
        for turn in range(12):
            path = browser.wait(READY + " !== arguments[0] && location.pathname", seen[-1][0] if seen else "")
            seen.append((path, "ynu"[turn % 3]))
            browser.press("ynu"[turn % 3])
        path = browser.wait(READY + " !== arguments[0] && location.pathname", seen[-1][0])
        read = rows("page.db", "SELECT post_id, answer FROM screening_read WHERE coder = 'eve' ORDER BY place")
        assert [(f"/screen/{post}", answer[0]) for post, answer in read] == seen, (read, seen)
        browser.press("j")
        browser.wait(READY + " === arguments[0]", seen[-1][0])
        assert browser.script("return document.querySelector('.panel strong') !== null")
        assert browser.complaints() == []

# --- with a list: its posts are counted, and all questions beside them ---
with open("list.txt", "w", encoding="utf-8") as file:
    file.write("107\n123\n198\n")
with Server("page.db", "fay", "--posts", "list.txt") as server:
    page = server.follow("/screen").text
    total = int(re.search(r"0 of 3 read of the list; of all questions 0 of (\d+), 0 yes", page)[1])
    assert total > 3, page
    shown = re.search(r'href="https://[^"]*/(107|123|198)"', page)[1]
    subprocess.run(["ppmine", "-q", "-d", "page.db", "screen", "--coder", "fay", "--answer", "yes", shown], check=True,
                   capture_output=True)
    assert f"1 of 3 read of the list; of all questions 1 of {total}, 1 yes" in server.follow("/screen").text

# --- progress in coding counts candidates alone, of which screening shows others, too ---
with Server("page.db", "ann") as s:
    said = s.api("/api/progress").json
    judged = rows("page.db", "SELECT count(*), sum(post_id IN (SELECT post_id FROM candidate_post)) FROM judgement WHERE coder = 'ann'")[0]
    assert judged[0] > judged[1] == said["judged"] <= said["total"], (judged, said)

# --- a slip that is mended: how the post came to be read stays, through both doors, and the new answer counts at once ---
HOW = "SELECT post_id, place, read_at, answer, stratum FROM screening WHERE coder = '{}' ORDER BY place"
with Server("page.db", "gus") as server:
    for answer in ("yes", "unsure", "yes"):
        post = server.api("/api/screen?order=random").json["post_id"]
        server.api("/api/screen", {"post_id": post, "answer": answer, "order": "random"})
    before = rows("page.db", HOW.format("gus"))
    assert [row[4] for row in before] == ["random"] * 3, before
    told = json.loads(ppmine("page.db", "screen", "--coder", "gus", "--answer", "no", str(before[0][0]), "--format", "json"))
    assert (told["read"], told["found"]) == (3, 1), told
    assert server.api("/api/screen", {"post_id": before[1][0], "answer": "yes"}).status == 200
    assert server.form("/screen", {"post": before[2][0], "order": "ranked", "go": "no"}).status == 303
    assert rows("page.db", HOW.format("gus")) == [(*row[:3], answer, "random") for row, answer in zip(before, ("no", "yes", "no"))]
    # So does a post that was judged elsewhere, of which screening knows nothing.
    post = server.api("/api/screen?order=ranked").json["post_id"]
    assert server.api("/api/decide", {"post_id": post, "is_problem": True}).status == 200
    assert server.api("/api/screen", {"post_id": post, "answer": "no"}).status == 200
    ppmine("page.db", "screen", "--coder", "gus", "--answer", "yes", str(post))
    assert rows("page.db", f"SELECT answer, stratum FROM screening_read WHERE coder = 'gus' AND post_id = {post}") == [("yes", "hand")]
    # No door takes a yes or no for "unsure".
    said = subprocess.run(["ppmine", "-d", "page.db", "screen", "--coder", "gus", "--answer", "unsure", str(before[1][0])],
                          capture_output=True, text=True)
    assert said.returncode == 3 and "You answered yes already" in said.stderr, said
    assert rows("page.db", HOW.format("gus"))[1][3] == "yes"

# --- posts that come or go while the server runs ---
def load(*posts):
    with open("more.xml", "w", encoding="utf-8") as file:
        file.write("<posts>\n" + "".join(
            f'<row Id="{post}" PostTypeId="1" CreationDate="2019-01-02T03:04:05.678" Score="1" Title="More {post}"'
            f' Tags="&lt;tensorflow&gt;" Body="&lt;p&gt;It is slow.&lt;/p&gt;" {more} />\n' for post, more in posts) + "</posts>")
    ppmine("page.db", "load", "more.xml")

with Server("page.db", "hal") as server:
    before = server.api("/api/screen").json
    load((7001, ""), (7002, ""), (7003, ""))
    after = server.api("/api/screen").json
    assert after["posts"] == before["posts"] + 3, (before, after)
    for post in (7001, 7002):
        answer = server.api("/api/screen", {"post_id": post, "answer": "yes"})
        assert answer.status == 200, answer.text
    assert f"2 of {after['posts']} read, 2 yes" in server.follow("/screen").text
    load((7001, 'DeletionDate="2020-01-01T00:00:00.000"'))
    page = server.follow("/screen").text
    assert f"1 of {after['posts'] - 1} read, 1 yes" in page and "Not counted: 1 posts that you judged" in page, page
    said = subprocess.run(["ppmine", "-d", "page.db", "screen", "status", "--coder", "hal"], capture_output=True, text=True)
    assert "1 posts that 'hal' judged are not counted" in said.stderr and "1 of" not in said.stdout, said
PYTHON
