#!/usr/bin/python3
"""A Posts.xml as big as you like, made of real rows.

    make_dump.py --size-mb N [--seed N] [--share PERCENT] OUT

Repeats the rows of real dumps under new ids: an answer keeps its question and
comes after it. In every repetition the words inside a body change places, in
prose and in code apart, while markup and lengths stay, so that no packer finds
what it packed before and a packed dump is about as small as a real one.

PERCENT of all rows (1) are questions with a study tag, created in the study's
window; all other questions lose such tags. OUT.json says how many posts a load
has to keep. A dump that was made from the same rows with the same options is
left as it is, and a smaller one is the beginning of a bigger one.

The rows come from $PPMINE_DUMPS/*/Posts.xml, else from the sample of the study dlperf.
"""

import argparse
import datetime
import glob
import hashlib
import html
import json
import os
import random
import re
import sys
from operator import itemgetter

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

WINDOW = (datetime.date(2018, 1, 1), datetime.date(2021, 3, 3))
STUDY_TAGS = ("tensorflow", "keras", "tensorflow2.0", "keras-layer", "tensorflow-lite")
OTHER_NAMES = ((b"tensorflow", b"numpy"), (b"keras", b"scipy"))

HEAD = b'\xef\xbb\xbf<?xml version="1.0" encoding="utf-8"?>\r\n<posts>\r\n'
TAIL = b"</posts>"

ROW = re.compile(rb"<row ([^<>\r\n]*)/>")
ATTRIBUTE = re.compile(rb'(\w+)="([^"]*)"')
# What is between two words of a body: tags, entities, everything but letters and digits.
WORD = re.compile(rb"&lt;/?[a-zA-Z].*?&gt;|&amp;[#\w]+;|&[#\w]+;|([A-Za-z0-9_]+)", re.DOTALL)
CODE = re.compile(rb"(&lt;pre.*?&lt;/pre&gt;)", re.DOTALL)

PIECE = 64          # words change places with others of their piece
PERMUTATIONS = 256  # for each size of a piece


def say(text):
    print(f"make_dump.py: {text}", file=sys.stderr)


# --- real rows ---

def source_files():
    folder = os.environ.get("PPMINE_DUMPS")
    files = sorted(glob.glob(os.path.join(folder, "*", "Posts.xml"))) if folder else []
    return files or [os.path.join(ROOT, "studies/dlperf/sample/Posts.xml")]


def rows_of(data):
    """Attribute lists of the rows, or nothing if they are not as in the public dumps."""
    rows = [ATTRIBUTE.findall(match.group(1)) for match in ROW.finditer(data)]
    return rows if rows and all(row and row[0][0] == b"Id" for row in rows) else []


class Row:
    """A row in pieces: everything but ids, date, body words and tags is ready to write."""

    def __init__(self, attributes, place, parent):
        self.place = place
        self.parent = parent  # place of its question among the rows; None: no answer
        self.question = dict(attributes).get(b"PostTypeId") == b"1"
        self.accepted_id = self.accepted = None
        parts = {"head": [], "middle": [], "end": []}
        part = "head"
        self.date = self.body = b""
        self.tags = None
        for name, value in attributes:
            if name == b"Id":
                parts[part].append(b'<row Id="%d"')
            elif name == b"ParentId":
                parts[part].append(b' ParentId="%d"' if parent is not None else b"")
            elif name == b"AcceptedAnswerId":
                self.accepted_id = value
            elif name == b"CreationDate":
                self.date = value
                parts[part].append(b' CreationDate="')
                part = "middle"
            elif name == b"Body":
                self.body = value
                parts[part].append(b' Body="')
                part = "end"
            elif name == b"Tags":
                self.tags = value
                parts[part].append(b"\0")
            else:
                parts[part].append(b' %s="%s"' % (name, value))
        self.head = b"  " + b"".join(parts["head"])
        self.middle = b'"' + b"".join(parts["middle"])
        self.end = self.study_end = b'"' + b"".join(parts["end"]) + b" />\r\n"
        if self.question:
            self.set_tags()
        else:
            self.end = self.end.replace(b"\0", b' Tags="%s"' % (self.tags or b""))
        self.split_body()

    def set_tags(self):
        tags = [t for t in re.split(rb"[<>|]", html.unescape((self.tags or b"").decode()).encode())
                if t]
        others = []
        for tag in tags:
            for ours, other in OTHER_NAMES:
                tag = tag.replace(ours, other)
            if tag not in others:
                others.append(tag)
        piped = (self.tags or b"").startswith(b"|")
        study = STUDY_TAGS[self.place % len(STUDY_TAGS)].encode()

        def written(names):
            names = names[:5]
            return (b' Tags="|%s|"' % b"|".join(names) if piped
                    else b' Tags="&lt;%s&gt;"' % b"&gt;&lt;".join(names))

        plain = written(others or [b"untagged"])
        tagged = written([study] + others)
        if b"\0" not in self.end:
            self.end = self.end.replace(b" />\r\n", b"\0 />\r\n")
        self.study_end = self.end.replace(b"\0", tagged)
        self.end = self.end.replace(b"\0", plain)

    def split_body(self):
        self.pieces = [b""]  # what is between words, then words, in turn
        self.ranges = []     # of words that change places, once and once more
        for part in CODE.split(self.body):
            first = len(self.pieces) // 2
            at = 0
            for match in WORD.finditer(part):
                if match.lastindex is None:
                    continue
                self.pieces[-1] += part[at:match.start()]
                self.pieces += [match.group(1), b""]
                at = match.end()
            self.pieces[-1] += part[at:]
            last = len(self.pieces) // 2
            for begin in (first, first - PIECE // 2):
                for start in range(begin, last, PIECE):
                    start, stop = max(start, first), min(start + PIECE, last)
                    if stop - start > 1:
                        self.ranges.append((start, stop))


def read_rows(files):
    """Rows with known questions, each body once; and what tells these rows from others."""
    rows, bodies = [], set()
    digest = hashlib.sha256()
    for path in files:
        with open(path, "rb") as file:
            data = file.read()
        digest.update(data)
        first, places, answers = len(rows), {}, {}
        for attributes in rows_of(data):
            values = dict(attributes)
            body = values.get(b"Body", b"")
            if values.get(b"PostTypeId") not in (b"1", b"2") or not body or body in bodies:
                continue
            parent = None
            if values[b"PostTypeId"] == b"2":
                parent = places.get(values.get(b"ParentId"))
                if parent is None:
                    continue
            else:
                places[values[b"Id"]] = len(rows)
            bodies.add(body)
            answers[values[b"Id"]] = len(rows)
            rows.append(Row(attributes, len(rows), parent))
        for row in rows[first:]:
            if row.accepted_id is None:
                continue
            row.accepted = answers.get(row.accepted_id)
            if row.accepted is not None:
                row.head = row.head.replace(b' CreationDate="',
                                            b' AcceptedAnswerId="%d" CreationDate="')
    return rows, digest


# --- writing ---

def permutations(seed):
    numbers = random.Random(seed)
    table = [None, None]
    for size in range(2, PIECE + 1):
        table.append([itemgetter(*numbers.sample(range(size), size))
                      for _ in range(PERMUTATIONS)])
    return table


def write(rows, out, size, seed, share):
    table = permutations(seed)
    numbers = random.Random(seed + 1)
    questions = sum(row.question for row in rows)
    chance = share / 100 * len(rows) / questions
    days = (WINDOW[1] - WINDOW[0]).days + 1
    counts = {"rows": 0, "questions": 0, "kept_questions": 0, "kept_answers": 0}
    out.write(HEAD)
    written, base = len(HEAD) + len(TAIL), 1
    chunk = []
    while True:
        kept = set()
        for row in rows:
            if row.parent is not None:
                head = row.head % (base + row.place, base + row.parent)
            elif row.accepted is not None:
                head = row.head % (base + row.place, base + row.accepted)
            else:
                head = row.head % (base + row.place)
            date, end = row.date, row.end
            wanted = row.question and numbers.random() < chance
            if wanted:
                day = WINDOW[0] + datetime.timedelta(days=numbers.randrange(days))
                date = day.isoformat().encode() + date[10:]
                end = row.study_end
            pieces = row.pieces.copy()
            words = pieces[1::2]
            choice = numbers.randbytes(len(row.ranges))
            for (start, stop), c in zip(row.ranges, choice):
                words[start:stop] = table[stop - start][c](words[start:stop])
            pieces[1::2] = words
            text = b"".join((head, date, row.middle, *pieces, end))
            written += len(text)
            if written > size:
                out.write(b"".join(chunk))
                out.write(TAIL)
                return counts
            chunk.append(text)
            counts["rows"] += 1
            counts["questions"] += row.question
            if wanted:
                kept.add(row.place)
                counts["kept_questions"] += 1
            elif row.parent in kept:
                counts["kept_answers"] += 1
        out.write(b"".join(chunk))
        chunk = []
        base += len(rows)


def made_already(path, key):
    try:
        with open(path + ".json", encoding="utf-8") as file:
            about = json.load(file)
        return about["key"] == key and about["bytes"] == os.path.getsize(path)
    except (OSError, ValueError, KeyError):
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--size-mb", type=float, required=True, help="of 1000000 bytes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=float, default=1.0, help="percent of rows in the study")
    parser.add_argument("out")
    args = parser.parse_args()

    files = source_files()
    rows, digest = read_rows(files)
    if not rows:
        sys.exit("make_dump.py: no rows in " + ", ".join(files))
    with open(__file__, "rb") as file:
        digest.update(file.read())
    digest.update(repr((args.size_mb, args.seed, args.share)).encode())
    key = digest.hexdigest()
    if made_already(args.out, key):
        return 0
    say(f"{args.out}: {args.size_mb:g} MB from {len(rows)} rows of {len(files)} files")
    with open(args.out + ".part", "wb", buffering=0) as out:
        about = write(rows, out, args.size_mb * 1e6, args.seed, args.share)
        about["bytes"] = out.tell()
    about["source_rows"] = len(rows)
    about["source_files"] = len(files)
    about["source_is_sample"] = len(files) == 1
    about["key"] = key
    os.replace(args.out + ".part", args.out)
    with open(args.out + ".json", "w", encoding="utf-8") as file:
        json.dump(about, file, indent=1)
        file.write("\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
