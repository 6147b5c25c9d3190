#!/bin/bash
# datapackage.json, ro-crate-metadata.json and croissant.json of a package agree with its files, as read by a program that
# knows none of our code: names, sizes, checksums, columns in their order, types of the cells.
set -eu

ppmine -q init --published
ppmine -q export --open --package plain --no-plots --licence 'CC BY 4.0'
# A study with facets of all kinds, and a title and authors that mean something in JSON and on a terminal.
. "$ROOT/tests/lib/facets.sh"
facets_database own.db
ppmine -q -d own.db label set 1 --coder ann --relevance yes --cause disk --cause cpu --hours 2.5 --words '=1+1; "so"'
ppmine -q -d own.db label set 1 --coder bob --relevance yes --cause disk --cause cpu --hours 2.5 --words '=1+1; "so"'
sqlite3 own.db "INSERT INTO study VALUES ('title', 'Q \\ <b> é \"so\"'), ('authors', 'A \"x\" B; ; C\\D' || char(27))"
ppmine -q -d own.db export --open --package own-package --no-plots

python3 -B - plain own-package <<'PYTHON'
import csv
import hashlib
import json
import os
import sys


def check(folder):
    read = lambda name: json.load(open(os.path.join(folder, name), encoding="utf-8"))
    files = {os.path.relpath(os.path.join(d, f), folder) for d, _, names in os.walk(folder) for f in names}
    described = files - {"SHA256SUMS", "datapackage.json", "ro-crate-metadata.json", "croissant.json"}
    bytes_of = {f: open(os.path.join(folder, f), "rb").read() for f in described}
    sha = {f: hashlib.sha256(b).hexdigest() for f, b in bytes_of.items()}
    header = {f: next(csv.reader([bytes_of[f].decode().split("\n")[0]])) for f in described if f.endswith(".csv")}

    package = read("datapackage.json")
    resources = {r["path"]: r for r in package["resources"]}
    assert set(resources) == {f for f in described if not f.startswith(".")}, set(resources) ^ described
    names = [r["name"] for r in package["resources"]]
    assert len(set(names)) == len(names) and all(set(n) <= set("abcdefghijklmnopqrstuvwxyz0123456789_-") for n in names)
    of_type = {"integer": int, "number": float, "array": lambda c: [][:0] == json.loads(c)[:0], "object": lambda c: dict(json.loads(c)),
               "boolean": lambda c: {"0": 0, "1": 1}[c], "string": str}
    columns = cells = 0
    for path, r in resources.items():
        assert r["bytes"] == len(bytes_of[path]) and r["hash"] == "sha256:" + sha[path], path
        if not path.endswith(".csv"):
            assert "schema" not in r, path
            continue
        assert "schema" in r, path + " is a table without columns"
        fields = r["schema"]["fields"]
        assert [f["name"] for f in fields] == header[path], (path, header[path])
        rows = list(csv.DictReader(bytes_of[path].decode().splitlines(keepends=True)))
        key = r["schema"].get("primaryKey", [])
        assert len({tuple(row[k] for k in key) for row in rows}) == len(rows) or not key, (path, key)
        for f in fields:
            columns += 1
            for row in rows:
                cell = row[f["name"]]
                if cell == "":
                    assert not f["constraints"].get("required"), (path, f["name"])
                    continue
                of_type[f["type"]](cell)
                assert cell in f["constraints"].get("enum", [cell]), (path, f["name"], cell)
                cells += 1

    crate = {e["@id"]: e for e in read("ro-crate-metadata.json")["@graph"]}
    assert {p["@id"] for p in crate["./"]["hasPart"]} == described
    assert all(crate[f]["sha256"] == sha[f] and int(crate[f]["contentSize"]) == len(bytes_of[f]) for f in described)
    assert crate["ro-crate-metadata.json"]["about"] == {"@id": "./"}

    croissant = read("croissant.json")
    objects = {o["@id"]: o for o in croissant["distribution"]}
    assert set(objects) == described and all(objects[f]["sha256"] == sha[f] for f in described)
    sets = {s["field"][0]["source"]["fileObject"]["@id"]: s for s in croissant["recordSet"]}
    assert set(sets) == set(header)
    for path, s in sets.items():
        assert [f["source"]["extract"]["column"] for f in s["field"]] == header[path], path
    ids = [f["@id"] for s in croissant["recordSet"] for f in s["field"]]
    assert len(set(ids)) == len(ids) and not any(" " in i for i in ids)
    sums = dict(reversed(line.split("  ", 1)) for line in open(os.path.join(folder, "SHA256SUMS")).read().splitlines())
    assert set(sums) == files - {"SHA256SUMS"}
    return package, crate, columns, cells


package, crate, columns, cells = check(sys.argv[1])
assert columns > 200 and cells > 20000, (columns, cells)
assert package["licenses"][0]["title"] == "CC BY 4.0"
authors = [c["title"] for c in package["contributors"]]
assert len(authors) == 6 and [crate[a["@id"]]["name"] for a in crate["./"]["author"]] == authors, authors
package, crate, _, _ = check(sys.argv[2])
# Nobody stands between two semicolons; what a terminal takes for a command is '?'.
assert [c["title"] for c in package["contributors"]] == ['A "x" B', "C\\D?"], package["contributors"]
assert package["title"] == crate["./"]["name"] and package["licenses"][0]["title"] == "see LICENSE"
PYTHON
