#!/bin/bash
# A matched database in Datasette, without an extension: every table and view can be read, and posts are
# found by stem. Datasette comes from PyPI once.
set -eu
version=0.65.2
. "$ROOT/tests/lib/python.sh"
python_with "datasette==$version" || { echo "Datasette $version cannot be had: $(tail -1 said)" && exit 77; }

ppmine -q init --published
ppmine -q load "$ROOT/studies/dlperf/sample/Posts.xml"
ppmine -q match >/dev/null
ppmine -q label set 105 --coder ann --symptom hang
exec "$venv/bin/python" -B - <<'PYTHON'
import asyncio
import sqlite3
from urllib.parse import quote

from datasette.app import Datasette


async def read_all(client, base):
    page = await client.get(f"/{base}.json")
    assert page.status_code == 200, page.text
    listed = {t["name"] for t in page.json()["tables"]} | {v["name"] for v in page.json()["views"]}
    file = sqlite3.connect(f"{base}.db")
    names = [n for n, in file.execute("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")]
    assert len(names) > 40 and listed >= set(names) - {"sqlite_sequence", "sqlite_stat1"}, set(names) - listed
    for name in names:
        for kind in ("json", "csv"):
            answer = await client.get(f"/{base}/{quote(name)}.{kind}?_size=2")
            assert answer.status_code == 200 and "error" not in answer.text[:12], (name, answer.text[:300])
        assert (await client.get(f"/{base}/{quote(name)}?_size=2")).status_code == 200, name


async def read():
    client = Datasette(["ppmine.db"], settings={"sql_time_limit_ms": 20000}).client
    file = sqlite3.connect("ppmine.db")
    await read_all(client, "ppmine")
    rows = (await client.get("/ppmine/candidate.json?_shape=array&_size=max")).json()
    assert len(rows) == file.execute("SELECT count(*) FROM candidate").fetchone()[0] > 30
    found = await client.get("/ppmine.json?_shape=array&sql=" + quote(
        "SELECT post_id FROM post_text WHERE post_id IN"
        " (SELECT rowid FROM post_search WHERE post_search MATCH 'slowli AND gpu')"))
    assert found.json() == [{"post_id": 191}], found.text


asyncio.run(read())
PYTHON
