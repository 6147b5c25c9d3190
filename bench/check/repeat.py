#!/usr/bin/env python3
"""Measures check on files that say the same thing thousands of times, against tree-sitter alone.

    bench/check/repeat.py [--bytes N] [--every K]

Each case of tests/check (--every 5: each fifth) becomes a file of N bytes in three ways: as it is, again
and again; with names of its own each time; with the line that has the finding repeated where it stands.
All rules run over it, the fixes are made out, and the processor seconds are divided by those that
tree-sitter takes to parse the same bytes. What takes time with the square of its length stands out: the
ratio grows with N.
"""
import argparse
import glob
import os
import re
import sys
import tempfile

from measure import measure

sys.path.insert(0, "tests/lib")
import check_cases  # noqa: E402

DEFINED = re.compile(r"^\s*(?:def|class)\s+(\w+)|^\s*(\w+)\s*=[^=]", re.M)
EXPECT = re.compile(r"#\s*expect:")


def cases():
    for path in sorted(glob.glob("tests/check/PP*/*.py")):
        rule = os.path.basename(os.path.dirname(path))
        for case in check_cases.read_cases(path):
            yield f"{rule}: {case.title}", "\n".join(case.files["main.py"]) + "\n"


def as_it_is(body, size):
    return body * max(2, size // len(body))


def named_anew(body, size):
    names = {a or b for a, b in DEFINED.findall(body)}
    if not names:
        return None
    pattern = re.compile(r"\b(%s)\b" % "|".join(sorted(map(re.escape, names))))
    return "".join(pattern.sub(rf"\g<1>_{i}", body) for i in range(max(2, size // len(body))))


def found_again(body, size):
    lines = body.split("\n")
    found = [line for line in lines
             if EXPECT.search(line) and not line.split("#")[0].rstrip().endswith(":")]
    if not found:
        return None
    times = max(2, size // sum(len(line) + 1 for line in found))
    return "\n".join("\n".join([line] * times) if line in found else line for line in lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bytes", type=int, default=500_000)
    parser.add_argument("--every", type=int, default=1)
    args = parser.parse_args()
    check = ["build/ppmine", "-q", "check", "--no-config", "--select", "PP", "--diff", "-j1"]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "main.py")
        for title, body in list(cases())[::args.every]:
            for way in (as_it_is, named_anew, found_again):
                text = way(body, args.bytes)
                if text is None:
                    continue
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                plain = measure(["build/release/bench/check/parse_only"], path.encode() + b"\n")
                ours = measure([*check, path])
                rows.append((ours[0] / max(plain[0], 0.01), ours[0], way.__name__, title))
    rows.sort(reverse=True)
    print(f"{len(rows)} files of {args.bytes:,} bytes; check took {sum(r[1] for r in rows):.1f} s, "
          f"in the middle {rows[len(rows) // 2][0]:.1f} x tree-sitter; the worst:")
    for ratio, seconds, way, title in rows[:10]:
        print(f"{ratio:8.1f} x tree-sitter {seconds:8.2f} s  {way:12} {title}")


main()
