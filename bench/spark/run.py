#!/usr/bin/env python3
"""Measures ppmine-spark against ppmine match --stdin alone, on one dump: make bench-spark.

    run.py [--mb N] [--long-row-mb N] [--cores N] [--piece-mb N] [--json FILE] [--keep FILE] PROGRAM

Prints CPU seconds per GB of both, their ratio, the wall time, and how much of it is Spark's start. CPU
seconds are those of a control group, which has the JVM, its Python workers and ppmine in it: sums of
processes that were waited for would miss some. Both results are sorted and compared; exit code 1 when
they differ.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SAMPLE = os.path.join(ROOT, "studies", "dlperf", "sample", "Posts.xml")


class Group:
    """A control group that counts CPU time, of version 1 or 2."""

    def __init__(self):
        for top, name in (("/sys/fs/cgroup/cpuacct", "cpuacct.usage"),
                          ("/sys/fs/cgroup", "cpu.stat")):
            folder = os.path.join(top, f"ppmine-bench-{os.getpid()}")
            try:
                os.mkdir(folder)
            except OSError:
                continue
            self.folder, self.file = folder, os.path.join(folder, name)
            if os.path.exists(self.file):
                return
            os.rmdir(folder)
        sys.exit("bench-spark: no control group can be made here; run it as root")

    def seconds(self):
        with open(self.file, encoding="utf-8") as file:
            text = file.read()
        if text.startswith("usage_usec"):
            return int(text.split()[1]) / 1e6
        return int(text) / 1e9

    def run(self, command, **how):
        """(CPU seconds, wall seconds) of a command that ends with 0."""
        def enter():
            with open(os.path.join(self.folder, "cgroup.procs"), "w", encoding="utf-8") as file:
                file.write(str(os.getpid()))
        cpu, wall = self.seconds(), time.monotonic()
        subprocess.run(command, preexec_fn=enter, check=True, **how)
        time.sleep(1)  # what Spark leaves behind ends
        return self.seconds() - cpu, time.monotonic() - wall - 1

    def close(self):
        os.rmdir(self.folder)


def sha256_of_sorted(paths, work):
    """Of the lines of files, sorted by sort(1), which needs no memory for them."""
    out = os.path.join(work, "sorted")
    subprocess.run(["sort", "-S", "25%", "-T", work, "-o", out, *paths], check=True,
                   env=dict(os.environ, LC_ALL="C"))
    digest = hashlib.sha256()
    with open(out, "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    os.remove(out)
    return digest.hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--mb", type=int, default=2000)
    parser.add_argument("--long-row-mb", type=int, default=100)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--piece-mb", type=int, help="not the size that ppmine-spark takes by itself")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--dump", help="a dump that is there, instead of one that is made")
    parser.add_argument("--json")
    parser.add_argument("program")
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    work = tempfile.mkdtemp(prefix="bench-spark-")
    group = Group()
    try:
        dump = options.dump or os.path.join(work, "dump.xml")
        if options.dump is None:
            subprocess.run([sys.executable, os.path.join(ROOT, "bench", "spark", "make_dump.py"),
                            "--mb", str(options.mb), "--long-row-mb", str(options.long_row_mb), dump,
                            SAMPLE], check=True)
        runs = [measure(group, program, dump, work, options) for _ in range(options.runs)]
    finally:
        group.close()
        shutil.rmtree(work)
    report(runs, options)
    sys.exit(any(not run["equal"] for run in runs))


def measure(group, program, dump, work, options):
    gb = os.path.getsize(dump) / 1e9
    alone, counts = os.path.join(work, "alone"), os.path.join(work, "counts.json")
    out = os.path.join(work, "out")
    load = os.getloadavg()[0]
    with open(dump, "rb") as posts, open(alone, "wb") as found:
        cpu_alone, wall_alone = group.run(
            [program, "-q", "match", "--stdin", "--threads", str(options.cores)], stdin=posts,
            stdout=found)
    settings = ["spark.ui.enabled=false", "spark.log.level=OFF", "spark.ui.showConsoleProgress=false"]
    cpu_spark, wall_spark = group.run(
        [sys.executable, "-B", os.path.join(ROOT, "scripts", "spark", "ppmine-spark"), "match",
         "--master", f"local[{options.cores}]", "--program", program,
         *([] if options.piece_mb is None else ["--piece-mb", str(options.piece_mb)]),
         "--counts", counts, "-o", out, *(f"--conf={one}" for one in settings), dump],
        stderr=subprocess.DEVNULL)
    with open(counts, encoding="utf-8") as file:
        counts = json.load(file)
    parts = [os.path.join(out, name) for name in os.listdir(out) if name.startswith("part-")]
    equal = sha256_of_sorted([alone], work) == sha256_of_sorted(parts, work)
    shutil.rmtree(out)
    return {"gb": gb, "load": load, "cpu_alone": cpu_alone, "wall_alone": wall_alone,
            "cpu_spark": cpu_spark, "wall_spark": wall_spark, "start": counts["seconds_of_start"],
            "pieces": counts["pieces"], "posts_read": counts["posts_read"],
            "posts": counts["posts"], "hits": counts["hits"], "equal": equal}


def report(runs, options):
    for run in runs:
        gb = run["gb"]
        print(f"{gb:.2f} GB, {run['posts_read']} posts, {run['posts']} with {run['hits']} hits; "
              f"{options.cores} processors, load {run['load']:.1f} before")
        print(f"  ppmine alone   {run['cpu_alone'] / gb:6.2f} CPU s/GB  wall {run['wall_alone']:7.1f} s")
        print(f"  ppmine-spark   {run['cpu_spark'] / gb:6.2f} CPU s/GB  wall {run['wall_spark']:7.1f} s"
              f"  ({run['start']:.1f} s to start Spark, {run['pieces']} pieces)")
        print(f"  ratio          {run['cpu_spark'] / run['cpu_alone']:6.2f}            "
              f"{run['wall_spark'] / run['wall_alone']:12.2f}")
        print(f"  results        {'equal' if run['equal'] else 'DIFFERENT'}")
    if options.json is not None:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"runs": runs}, file, indent=1)


if __name__ == "__main__":
    main()
