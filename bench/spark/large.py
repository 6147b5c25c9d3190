#!/usr/bin/env python3
"""The large run: 10 GB of real posts on Spark, against one machine: make bench-spark-large.

    large.py [--mb N] [--dumps FOLDER | --dump FILE] [--json FILE] PROGRAM

Makes a dump out of the Posts.xml files below FOLDER (default: the sample of the study), with one row of
100 MB, and runs ppmine-spark match on two processors (local[2]), the same with an archive of Java's
classes, on a cluster of two workers, on one of which a worker is killed in the middle, and with executors
that lack the program. The first four must give what `ppmine match --stdin` gives, sorted; the last must
fail with a word. Prints CPU seconds (of a control group), wall time and load; exit code 1 if one differs.
"""

import argparse
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

import cluster
import run

SETTINGS = {"spark.ui.enabled": "false", "spark.log.level": "OFF",
            "spark.ui.showConsoleProgress": "false"}
ON_CLUSTER = {"spark.executor.memory": "512m", "spark.cores.max": "2",
              "spark.driver.host": "127.0.0.1"}


class Large:
    """The runs, in order; each adds a row."""

    def __init__(self, program, dump, work):
        self.program, self.dump, self.work = program, dump, work
        self.group, self.rows, self.expected = run.Group(), [], None
        self.gb = os.path.getsize(dump) / 1e9

    def path(self, name):
        return os.path.join(self.work, name)

    def job(self, *arguments, settings=(), out="out"):
        return [sys.executable, "-B", os.path.join(run.ROOT, "scripts", "spark", "ppmine-spark"), "match",
                "--counts", self.path("counts.json"), "-o", self.path(out),
                *(f"--conf={key}={value}" for key, value in {**SETTINGS, **dict(settings)}.items()),
                *arguments]

    def add(self, name, cpu, wall, load, **more):
        row = {"run": name, "cpu": round(cpu, 2), "cpu_per_gb": round(cpu / self.gb, 3),
               "wall": round(wall, 1), "load": round(load, 1), **more}
        self.rows.append(row)
        print(json.dumps(row), flush=True)

    def compare(self, out="out"):
        with open(self.path("counts.json"), encoding="utf-8") as file:
            counts = json.load(file)
        parts = glob.glob(os.path.join(self.path(out), "part-*"))
        equal = run.sha256_of_sorted(parts, self.work) == self.expected
        shutil.rmtree(self.path(out))
        return {"equal": equal, "pieces": counts["pieces"], "start": counts["seconds_of_start"],
                "posts": counts["posts"], "hits": counts["hits"]}

    def alone(self):
        load = os.getloadavg()[0]
        with open(self.dump, "rb") as posts, open(self.path("alone"), "wb") as found:
            cpu, wall = self.group.run([self.program, "-q", "match", "--stdin", "--threads", "2"],
                                       stdin=posts, stdout=found)
        self.expected = run.sha256_of_sorted([self.path("alone")], self.work)
        self.add("alone", cpu, wall, load)

    def local(self, name, *arguments):
        load = os.getloadavg()[0]
        cpu, wall = self.group.run(
            self.job("--master", "local[2]", "--program", self.program, *arguments, self.dump),
            stderr=subprocess.DEVNULL)
        self.add(name, cpu, wall, load, **self.compare())

    def archived(self):
        """The run that makes the archive reads little."""
        little = self.path("little.xml")
        subprocess.run([sys.executable, os.path.join(run.ROOT, "bench", "spark", "make_dump.py"), "--mb", "1",
                        little, run.SAMPLE], check=True)
        archive = ["--class-archive", self.path("classes.jsa")]
        subprocess.run(self.job("--master", "local[2]", "--program", self.program, *archive, little,
                                out="little"), check=True, stderr=subprocess.DEVNULL)
        if os.path.exists(self.path("classes.jsa")):
            self.local("local[2], class archive", *archive)

    def _enter(self):
        with open(os.path.join(self.group.folder, "cgroup.procs"), "w", encoding="utf-8") as file:
            file.write(str(os.getpid()))

    def on_cluster(self, name, kill):
        folder = tempfile.mkdtemp(prefix="cluster-", dir=self.work)
        machines = cluster.Cluster(folder, enter=self._enter)
        try:
            load, cpu, began = os.getloadavg()[0], self.group.seconds(), time.monotonic()
            with subprocess.Popen(
                    self.job("--master", machines.url, "--program", self.program, self.dump,
                             settings=ON_CLUSTER), preexec_fn=self._enter, stderr=subprocess.DEVNULL,
                    env=dict(os.environ, PYSPARK_PYTHON=sys.executable)) as job:
                files = self._watch(job, machines.workers[0] if kill else None)
            cpu, wall = self.group.seconds() - cpu, time.monotonic() - began
            result = self.compare() if job.returncode == 0 else {"equal": False}
            if kill:
                result["tries"] = files
                result["equal"] = result["equal"] and files > result["pieces"]
            self.add(name, cpu, wall, load, **result)
        finally:
            machines.stop()
            time.sleep(2)

    def _watch(self, job, victim):
        """How many files were begun: one for each try of a piece. The victim dies after the third."""
        seen = set()
        while job.poll() is None:
            seen.update(glob.glob(self.path("out.unfinished-*/lines/*")))
            if victim is not None and len(seen) > 3:
                cluster.kill_worker(victim)
                victim = None
            time.sleep(0.05)
        return len(seen)

    def without_program(self):
        word = "is not on this executor"
        done = subprocess.run(self.job("--master", "local[2]", "--no-ship", "--program", "ppmine-of-nobody",
                                       self.dump), stderr=subprocess.PIPE, text=True, check=False)
        said = [line for line in done.stderr.split("\n") if word in line]
        self.rows.append({"run": "without the program", "equal": done.returncode == 3 and bool(said) and
                          not os.path.exists(self.path("out")), "said": said[:1]})
        print(json.dumps(self.rows[-1]), flush=True)


def make_dump(options, work):
    if options.dump is not None:
        return os.path.abspath(options.dump)
    dumps = sorted(glob.glob(os.path.join(options.dumps, "*", "Posts.xml"))) if options.dumps else []
    dumps = [path for path in dumps if b"<row" in open(path, "rb").read(1 << 20)]  # one is no dump
    dump = os.path.join(work, "dump.xml")
    subprocess.run([sys.executable, os.path.join(run.ROOT, "bench", "spark", "make_dump.py"), "--mb",
                    str(options.mb), "--long-row-mb", "100", dump, *(dumps or [run.SAMPLE])], check=True)
    return dump


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--mb", type=int, default=10000)
    parser.add_argument("--dumps", default=os.environ.get("PPMINE_DUMPS"))
    parser.add_argument("--dump", help="a dump that is there, instead of one that is made")
    parser.add_argument("--json")
    parser.add_argument("program")
    options = parser.parse_args()
    work = tempfile.mkdtemp(prefix="bench-spark-large-")
    try:
        large = Large(os.path.abspath(options.program), make_dump(options, work), work)
        try:
            print(f"{large.gb:.2f} GB", flush=True)
            large.alone()
            large.local("local[2]")
            large.archived()
            large.on_cluster("cluster of two workers", kill=False)
            large.on_cluster("a worker killed in the middle", kill=True)
            large.without_program()
            large.alone()
        finally:
            large.group.close()
    finally:
        shutil.rmtree(work)
    if options.json is not None:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"gb": large.gb, "runs": large.rows}, file, indent=1)
    sys.exit(any(not row.get("equal", True) for row in large.rows))


if __name__ == "__main__":
    main()
