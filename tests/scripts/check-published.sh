#!/bin/bash
# The table that compares the published checker with check, in check/evidence/README.md, counts what its files say.
set -eu
python3 - "$ROOT/check/evidence" <<'PYTHON'
import csv
import os
import re
import sys

folder = sys.argv[1]


def rows(name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return list(csv.DictReader(file))


def counts(places):
    had = [p for p in places if "cannot be had" not in p["published"]]
    return [len(had), sum(p["published"].startswith("checker ") for p in had), sum(bool(p["default"]) for p in had),
            sum(bool(p["all"]) for p in had)]


with open(os.path.join(folder, "README.md"), encoding="utf-8") as page:
    text = page.read()
developed = {(f"{r['package']} {r['version_before']}", r["file"], r["line_before"]) for r in rows("fixed.csv")}
fixed = rows("published-fixed.csv")
known = [(p["package"], p["file"], p["line"]) in developed for p in fixed]
expected = {"fixed.csv, on which our rules were developed": counts(p for p, k in zip(fixed, known) if k),
            "fixed-held-out.csv, not developed on": counts(p for p, k in zip(fixed, known) if not k),
            "examples of the published checker": counts(rows("published-examples.csv"))}
for title, figures in expected.items():
    row = re.search(rf"^\| {re.escape(title)} \|(.*)\|$", text, re.M)
    said = [int(cell) for cell in row[1].split("|")] if row else None
    if said != figures:
        sys.exit(f"check/evidence/README.md, {title}: {said}; the file says {figures}")
hidden = [p for p in fixed if p["published"].startswith("checker ") and not p["all"] and
          f"{p['package'].split()[0]} {p['line']} | nothing: " not in text]
if hidden:
    sys.exit(f"found by the published checker alone: {hidden}")
unread = sum(p["published"].startswith(("cannot be read", "not done")) for p in fixed)
if unread != 3:
    sys.exit(f"{unread} places could not be read; the page says three")
# Each place that the page must give a reason for is in its table.
for p in fixed:
    if p["published"].startswith("checker ") and not p["default"] and \
            f"{p['package'].split()[0]} {p['line']}" not in text:
        sys.exit(f"check/evidence/README.md gives no reason for {p['package']} {p['line']}")
PYTHON
