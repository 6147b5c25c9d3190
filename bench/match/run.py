#!/usr/bin/env python3
"""What match costs in a database with all posts of a dump, beside match --stdin over its rows.

    run.py [--size-mb N] [--runs N] [--program P] [--json FILE]

Seconds by the clock, and of all processors together; the least of the runs. Another keyword set is tried
twice: answered from the full-text index, and by reading all posts (as after a load). Both must say the
same.
"""

import argparse
import json
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
OTHER = "slow\nfaster\ngpu|cpu memory\ntake *2 long\ntitle: memory leak\n! faster r-cnn\nout of memory\n"


def timed(command, **options):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    said = subprocess.run(command, check=True, stdout=options.pop("stdout", subprocess.PIPE), **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.monotonic() - start, busy, said.stdout


def least(runs, measure):
    results = [measure() for _ in range(runs)]
    return min(r[0] for r in results), min(r[1] for r in results), results[-1][2]


def measure(program, folder, size, runs):
    dump, db, other = (os.path.join(folder, name) for name in ("Posts.xml", "all.db", "other.txt"))
    subprocess.run([os.path.join(HERE, "../core/make_dump.py"), "--size-mb", str(size), dump], check=True,
                   stdout=subprocess.DEVNULL)
    with open(other, "w", encoding="utf-8") as file:
        file.write(OTHER)
    subprocess.run([program, "-q", "-d", db, "init"], check=True)
    subprocess.run([program, "-q", "-d", db, "load", "--all-tags", dump], check=True)

    def stream():
        with open(dump, "rb") as rows:
            return timed([program, "match", "--stdin"], stdin=rows, stdout=subprocess.DEVNULL)

    tried = [program, "-q", "-d", db, "match", "--keywords", other, "--format", "json"]
    figures = {"stream": least(runs, stream),
               "database": least(runs, lambda: timed([program, "-q", "-d", db, "match", "-n", "1"])),
               "another set, from the index": least(runs, lambda: timed(tried))}
    with sqlite3.connect(db) as connection:
        connection.execute("INSERT INTO run (command, tool_version, parameters, started_at) VALUES ('load', '', '{}', '')")
    figures["another set, reading all posts"] = least(runs, lambda: timed(tried))
    answers = [figures[name][2] for name in ("another set, from the index", "another set, reading all posts")]
    if answers[0] != answers[1]:
        sys.exit("run.py: the index and the posts give different answers")
    with sqlite3.connect(db) as connection:
        posts = connection.execute("SELECT count(*) FROM post").fetchone()[0]
    return posts, {name: figure[:2] for name, figure in figures.items()}


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    options.add_argument("--size-mb", type=int, default=1000)
    options.add_argument("--runs", type=int, default=3)
    options.add_argument("--program", default="build/ppmine")
    options.add_argument("--json")
    args = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        posts, figures = measure(os.path.abspath(args.program), folder, args.size_mb, args.runs)
    print(f"{posts} posts, {args.size_mb} MB, {os.cpu_count()} processors")
    clock, busy = figures["stream"]
    for name, figure in figures.items():
        print(f"{name:32} {figure[0]:7.2f} s  {figure[0] / clock:6.2f}   of processors {figure[1]:7.2f} s"
              f"  {figure[1] / busy:6.2f}")
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump({"posts": posts, "size_mb": args.size_mb, "seconds": figures}, file, indent=1)


if __name__ == "__main__":
    main()
