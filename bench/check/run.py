#!/usr/bin/env python3
"""Measures check: against tree-sitter parsing alone, and against pylint, on the same files.

    bench/check/run.py [--runs N] [--pylint-files N] FOLDER

Times are processor seconds (user + system), the least of N runs; memory is the peak resident size.
pylint sees a sample of the files, and its time for 1,000 lines is extrapolated from that. The tool
that was published with the study is not run: its time is what was measured over 28 repositories.
"""
import argparse
import os

from measure import measure

# Processor seconds for 1,000 lines of its first check, and of the two others together.
PUBLISHED = (7.3, 0.28)


def python_files(folder):
    found = []
    for root, dirs, names in os.walk(folder):
        dirs.sort()
        found += [os.path.join(root, n) for n in sorted(names) if n.endswith(".py")]
    return found


def lines_of(paths):
    total = 0
    for path in paths:
        with open(path, "rb") as file:
            total += file.read().count(b"\n")
    return total


def uses_tensorflow(path):
    with open(path, "rb") as file:
        content = file.read()
    return b"tensorflow" in content or b"keras" in content


def row(name, lines, seconds, wall, peak, ratio=""):
    print(f"{name:34} {lines:9,} lines {seconds:9.2f} s cpu {wall:8.2f} s "
          f"{seconds / lines * 1e6 if lines else 0:10.1f} us/line {peak / 1024:7.0f} MB  {ratio}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--pylint-files", type=int, default=40)
    parser.add_argument("folder")
    args = parser.parse_args()
    ppmine, check = "build/ppmine", ["-q", "check", "--no-config", "--no-gitignore"]
    paths = python_files(args.folder)
    users = [p for p in paths if uses_tensorflow(p)]
    lines, lines_users = lines_of(paths), lines_of(users)
    print(f"{len(paths)} files, {len(users)} of which name TensorFlow or Keras")

    listing = "\n".join(users).encode() + b"\n"
    plain = measure(["build/release/bench/check/parse_only"], listing, args.runs)
    row("tree-sitter alone, those files", lines_users, *plain)
    one = measure([ppmine, *check, "-j1", *users], runs=args.runs)
    row("check -j1, those files", lines_users, *one, f"{one[0] / plain[0]:.2f} x tree-sitter")
    whole = measure([ppmine, *check, args.folder], runs=args.runs)
    row("check, the whole folder", lines, *whole)

    step = max(1, len(users) // args.pylint_files)
    sample = users[::step][:args.pylint_files]
    lines_sample = lines_of(sample)
    ours = measure([ppmine, *check, "-j1", *sample], runs=args.runs)
    row(f"check -j1, {len(sample)} files", lines_sample, *ours)
    theirs = measure(["pylint", "--disable=all", "--enable=W0631,W0640",
                      *sample])
    row(f"pylint, two checks, {len(sample)} files", lines_sample, *theirs,
        f"{theirs[0] / ours[0]:.0f} x check")
    summary(one[0] / lines_users, theirs[0] / lines_sample if lines_sample else 0)


def summary(ours, pylint):
    published = sum(PUBLISHED) / 1000
    print("\nfor 1,000 lines (those that name TensorFlow or Keras), processor seconds:")
    for name, seconds, how in (("check", ours, "measured on all of them"),
                               ("pylint", pylint, "extrapolated from the sample"),
                               ("published tool", published, "from the literature, not run here")):
        print(f"  {name:16} {seconds * 1000:9.4f}  {seconds / ours:8.0f} x check  ({how})")


main()
