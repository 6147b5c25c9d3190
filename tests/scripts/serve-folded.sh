#!/bin/bash
# A confusion matrix that no screen holds is a list of the cells in which coders differ; each leads to what it counts, and
# the files have the whole matrix.
set -eu
unset PPMINE_NOW

exec python3 -B - <<'PYTHON'
import argparse, csv, os, re, sqlite3, subprocess, sys
sys.path[:0] = [os.environ["ROOT"] + "/tests/lib", os.environ["ROOT"] + "/bench/serve"]
import clicks
from serve import Server

made = argparse.Namespace(posts=400, double=300, single=0, folder=".", ppmine=os.environ.get("PPMINE", "ppmine"))
database = clicks.make_database(made)
with sqlite3.connect(database) as db: # one cell of three posts
    for post, in db.execute("SELECT post_id FROM post WHERE post_id NOT IN (SELECT post_id FROM decision) LIMIT 3").fetchall():
        for coder, cause in (("ann", "cause 07"), ("bob", "cause 03")):
            clicks.decide(db, coder, post, {"relevance": True, "cause": [cause]}, "2026-01-03T00:00:00.000Z")
subprocess.run([made.ppmine, "-q", "-d", database, "label", "merge", database], check=True, stdout=subprocess.DEVNULL)
with Server(database, "ann") as s:
    s.form("/settle", {"go": "open", "sure": "yes"})
    table = list(csv.reader(s.get("/agreement/confusion-cause.csv").text.splitlines()))
    assert table[0][-1] == "not_counted" and "coded by one coder" in table[1][-1], table[:2]
    table = [row[:-1] for row in table]
    codes, cells = table[0][1:], []
    assert len(codes) > 64, len(codes)
    for row in table[1:]:
        cells += [(row[0], code, int(n)) for code, n in zip(codes, row[1:]) if int(n) > 0 and code != row[0]]
    page = s.get("/agreement").text
    assert "confusion-place" in page and '<section id="confusion-cause"' not in page
    shown = re.findall(r'<tr><td>([^<]*)</td><td>([^<]*)</td><td class="n"><a href="([^"]*)">(\d+)</a></td></tr>', page)
    assert sorted((a, b, int(n)) for a, b, _, n in shown) == sorted(cells) and len(cells) > 20, (len(shown), len(cells))
    counts = [int(n) for *_, n in shown]
    assert counts == sorted(counts, reverse=True) and counts[0] >= 3, counts
    assert f"<p>{len(cells)} ways to differ, of {len(table) - 1} by {len(codes)}.</p>" in page
    for a, b, address, n in shown[:5]:
        text = s.get(address.replace("&amp;", "&")).text
        assert len(re.findall(r'<li><a href="/code/\d+', text)) == int(n) and a in text and b in text, (a, b, n, text)
PYTHON
