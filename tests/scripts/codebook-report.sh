#!/bin/bash
# codebook list --report prints, in each format, the numbers that a second program counts in the tables of the database:
# problems of each code with share and interval, the first examples, the agreement of the coders on it.
set -eu

ppmine -q -d two.db init --published
mkdir satd
python3 "$ROOT/tests/lib/invented.py" "$ROOT/studies/satd" satd >/dev/null
ppmine -q -d three.db init --library satd satd/*
for study in two three; do
    for format in text csv json ndjson markdown latex html xlsx; do
        ppmine -d $study.db codebook list --report --format $format >$study.$format
    done
done
python3 - <<'PYTHON'
import collections
import csv
import html
import json
import re
import sqlite3
import sys
import zipfile

COLUMNS = "facet", "category", "code", "n", "share", "low", "high", "examples", "agreement"


def counted(path):
    """What each code of each facet comes to, from the tables alone."""
    db = sqlite3.connect(path)
    people = {c for c, merged in db.execute("SELECT coder, is_merged FROM coder") if not merged and not c.startswith("model:")}
    problems = [(p, json.loads(labels)) for p, labels in db.execute("SELECT problem_id, labels FROM problem")]
    problems.sort(key=lambda p: (int(p[0].split(":")[-1].split("_")[0]), int((p[0].split("_") + ["0"])[1])))
    rows = {}
    for facet, of in db.execute("SELECT facet, list FROM facet WHERE list IS NOT NULL ORDER BY place"):
        said = collections.defaultdict(lambda: collections.defaultdict(set))
        for subject, coder, code in db.execute("SELECT subject, coder, code_id FROM label WHERE facet = ?", (facet,)):
            if coder in people:
                said[subject][coder].add(code)
        labelled = [(p, labels[facet]) for p, labels in problems if labels.get(facet)]
        for code, category, name in db.execute("SELECT code_id, category, name FROM code WHERE facet = ? AND retired_in IS NULL",
                                               (of,)):
            have = [p for p, codes in labelled if code in codes]
            n, k, z = len(labelled), len(have), 1.959963984540054
            share = [None] * 3
            if n > 0:
                middle, half = k / n + z * z / 2 / n, z * (k / n * (1 - k / n) / n + z * z / 4 / n / n) ** .5
                share = [k / n, max(0, (middle - half) / (1 + z * z / n)), (middle + half) / (1 + z * z / n)]
            both = one = 0
            for coders in said.values():
                yes = sum(code in codes for codes in coders.values())
                both += yes * (yes - 1)
                one += yes * (len(coders) - 1)
            rows[facet, name] = [facet, category or "", name, k, *share, " ".join(have[:3]), both / one if one else None]
    return rows


def shown(row):
    """As people read it: shares in percent, four places, a dash for what is not there."""
    return row[:3] + [str(row[3])] + [f"{100 * x:.1f}%" for x in row[4:7] if x is not None] + \
        [row[7], "" if row[8] is None else f"{row[8]:.4f}"]


def cells(text, form):
    """Rows of cells of the formats that are for people."""
    lines = text.splitlines()
    if form == "markdown":
        return [[re.sub(r"\\(.)", r"\1", c.strip()) for c in line.strip("|").split(" | ")] for line in lines if line[:1] == "|"]
    if form == "latex":
        return [[re.sub(r"\\([%&_#$])", r"\1", c.strip()) for c in line.replace("\\\\", "").split(" & ")]
                for line in lines if " & " in line]
    if form == "html":
        return [[html.unescape(c) for c in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)]
                for row in re.findall(r"<tr>(.*?)</tr>", text)]
    return [re.split(r"  +", line.strip()) for line in lines]


def close(a, b):
    if isinstance(a, float) and b not in ("", None):
        return abs(a - float(b)) < 1e-9
    return (str(a) if a is not None else "") == (str(b) if b is not None else "")


def read(study, form):
    path = f"{study}.{form}"
    if form == "xlsx":
        with zipfile.ZipFile(path) as book:
            texts = [html.unescape(re.sub("<.*?>", "", t)) for t in
                     re.findall("<si>(.*?)</si>", book.read("xl/sharedStrings.xml").decode())] \
                if "xl/sharedStrings.xml" in book.namelist() else []
            sheet = book.read("xl/worksheets/sheet1.xml").decode()
        rows = []
        for row in re.findall("<row.*?>(.*?)</row>", sheet):
            found = {}
            for name, kind, inner in re.findall(r'<c r="([A-Z]+)\d+"([^>]*?)(?:/>|>(.*?)</c>)', row):
                value = html.unescape(re.sub("<.*?>", "", inner))
                found[name] = texts[int(value)] if 't="s"' in kind else value
            rows.append([found.get(chr(65 + i), "") for i in range(10)])
        return [dict(zip(rows[0], r)) for r in rows[1:]]
    with open(path, newline="", encoding="utf-8") as file:
        if form == "csv":
            return list(csv.DictReader(file))
        if form == "ndjson":
            return [json.loads(line) for line in file]
        if form == "json":
            return json.load(file)[0]["rows"]
        return cells(file.read(), form)


for study in "two", "three":
    expected = counted(f"{study}.db")
    if len(expected) < 8 or not any(r[8] not in (None, 0, 1) for r in expected.values()):
        sys.exit(f"{study}: too little to compare: {expected}")
    for form in "csv", "json", "ndjson", "xlsx":
        rows = {(r["facet"], r["code"]): r for r in read(study, form) if r.get("code")}
        if rows.keys() != expected.keys():
            sys.exit(f"{study}.{form}: codes: {rows.keys() ^ expected.keys()}")
        for key, row in rows.items():
            for column, value in zip(COLUMNS, expected[key]):
                if not close(value, row[column]):
                    sys.exit(f"{study}.{form}: {key}: {column}: {row[column]!r}, counted {value!r}")
    for form in "text", "markdown", "latex", "html":
        rows = [[c for c in row if c not in ("", "-", "—", "–", "--")] for row in read(study, form)]
        for key, values in expected.items():
            wanted = [c for c in shown(values) if c]
            if not any([c for c in row if c in wanted] == wanted for row in rows):
                sys.exit(f"{study}.{form}: {key}: no row says {wanted}: {[r for r in rows if key[1] in r]}")
    print(study, len(expected))
PYTHON
