#!/usr/bin/python3
"""Makes labelled sets (id, title, body, included) of the data of other people.

    sets.py OUT NAME=FILE…    one set from each file: a CSV, in a clone of its repository

Texts belong to their authors: OUT is for measurements, not for a repository. README.md says where the files are from.
"""

import csv
import os
import sys

csv.field_size_limit(10 ** 9)
ID = ("id", "pubmedID", "Number")
TITLE = ("title", "Title", "Document Title")
BODY = ("body", "abstract", "Abstract", "Body")
LABEL = ("included", "label_included", "label", "class")
YES = {"1": "1", "yes": "1", "0": "0", "no": "0"}


def column(row, names, path):
    for name in names:
        if name in row:
            return name
    sys.exit(f"{path}: none of the columns {', '.join(names)}")


def rows(path):
    for encoding in ("utf-8-sig", "latin-1"):
        try:
            with open(path, encoding=encoding, newline="") as file:
                return list(csv.DictReader(file))
        except UnicodeDecodeError:
            pass
    return []


def convert(path, out):
    read = rows(path)
    title, body, label = (column(read[0], names, path) for names in (TITLE, BODY, LABEL))
    number = next((name for name in ID if name in read[0]), None)
    left_out = found = 0
    with open(out, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("id", "title", "body", "included"))
        for place, row in enumerate(read, 1):
            said = YES.get((row[label] or "").strip().lower())
            if said is None:
                left_out += 1
                continue
            found += said == "1"
            writer.writerow((row[number] if number else place, row[title] or "", row[body] or "", said))
    print(f"{out}: {len(read)} read = {len(read) - left_out} kept + {left_out} without a label; included: {found}")


def main():
    out = sys.argv[1]
    os.makedirs(out, exist_ok=True)
    for pair in sys.argv[2:]:
        name, path = pair.split("=", 1)
        convert(path, os.path.join(out, name + ".csv"))


main()
