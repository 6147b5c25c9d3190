#!/usr/bin/python3
"""Makes a large dump out of small ones: their rows again and again, with other ids each time.

    make_dump.py [--mb N] [--long-row-mb N] OUT DUMP...

Ids of posts are numbered anew, and moved by the same number in each copy, so that answers keep their
questions.
One row in the middle is very long (--long-row-mb, 0: none): no program should stumble over it, and
ppmine leaves it out. The same dumps give the same bytes.
"""

import argparse
import re
import sys

ID = re.compile(rb'(?<= Id=")\d+(?=")|(?<= ParentId=")\d+(?=")|(?<= AcceptedAnswerId=")\d+(?=")')
ROW = re.compile(rb"<row [^<]*/>")


def read_rows(paths):
    """Rows as pairs: the texts around their ids, and the ids, each dump's numbered without gaps."""
    rows, n = [], 0
    for path in paths:
        with open(path, "rb") as dump:
            found = ROW.findall(dump.read())
        ids = [[int(number) for number in ID.findall(row)] for row in found]
        places = {number: n + i for i, number in enumerate(sorted(set(sum(ids, []))), 1)}
        n += len(places)
        rows += [(ID.split(row), [places[number] for number in numbers])
                 for row, numbers in zip(found, ids)]
    return rows, n


def copies(rows, step):
    """The rows again and again, each time with ids moved by `step`."""
    texts, ids = [b""], []
    for parts, numbers in rows:
        texts[-1] += b"  " + parts[0]
        texts += parts[1:]
        texts[-1] += b"\n"
        ids += numbers
    for shift in range(0, 0x7FFFFFFF - step, step):
        out = [texts[0]]
        for text, number in zip(texts[1:], ids):
            out.append(b"%d" % (number + shift))
            out.append(text)
        yield b"".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--mb", type=int, default=1000)
    parser.add_argument("--long-row-mb", type=int, default=0)
    parser.add_argument("out")
    parser.add_argument("dumps", nargs="+")
    options = parser.parse_args()
    rows, step = read_rows(options.dumps)
    if not rows:
        sys.exit("make_dump.py: there are no rows in these dumps")
    wanted, written, long_row = options.mb * 1_000_000, 0, options.long_row_mb
    with open(options.out, "wb") as out:
        out.write(b'<?xml version="1.0" encoding="utf-8"?>\n<posts>\n')
        for copy in copies(rows, step):
            out.write(copy)
            written += len(copy)
            if long_row and written >= wanted // 2:
                out.write(b'  <row Id="2147483647" PostTypeId="1" Title="slow" Body="')
                out.write(b"It is slow. " * (long_row * 1_000_000 // 12))
                out.write(b'" Tags="&lt;keras&gt;" />\n')
                long_row = 0
            if written >= wanted:
                break
        else:
            print(f"make_dump.py: ids end after {written // 1_000_000} MB", file=sys.stderr)
        out.write(b"</posts>\n")


if __name__ == "__main__":
    main()
