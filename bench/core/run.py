#!/usr/bin/python3
"""Times ppmine's stemmer, matcher and dump reader against other programs.

    run.py [--size-mb N] [--runs N] [--only SECTION,...] [--json FILE]

Times whole processes, one after another in turns (A B A B ...) after one run of
each that does not count, with the files in the page cache. Says medians, and
the least and the most in brackets. A ratio is the median of the ratios of
each turn. Targets are for 1000 MB; they are reported, never enforced: exit 1
means that something could not be run or gave a wrong result.

Makes its files below build/bench once and keeps them.
"""

import argparse
import json
import os
import platform
import re
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
KEYWORDS = os.path.join(ROOT, "studies/dlperf/keywords.txt")

BASELINE_MB = 4            # of the dump, for the matcher in Python
BASELINE_WORDS = 300_000   # for NLTK
STEM_WORDS = 8_000_000
WORDS_A_LINE = 10
PACKED_MB = 200
MEMORY_DIR = "/dev/shm"    # a file system in memory, for information

# --- running ---


class Failed(Exception):
    """Something could not be run, or its result is wrong."""


class Command:
    """A process to time. before() is not timed, after() raises Failed for a wrong result."""

    def __init__(self, name, argv, stdin=None, before=None, after=None):
        self.name = name
        self.argv = [str(arg) for arg in argv]
        self.stdin = stdin or os.devnull
        self.before = before
        self.after = after
        self.samples = []
        self.others = 0.0  # cores that other processes kept busy meanwhile

    def run(self, stdout=os.devnull):
        if self.before:
            self.before()
        program = shutil.which(self.argv[0])
        if program is None:
            raise Failed(f"{self.argv[0]}: no such program")
        done = subprocess.run([sys.executable, "-I", "-S", os.path.join(HERE, "spawn.py"),
                               self.stdin, stdout, program, *self.argv],
                              capture_output=True, text=True, check=False)
        code, wall, cpu, rss = done.stdout.split() if done.returncode == 0 else "?" * 4
        if code != "0":
            raise Failed(f"{' '.join(self.argv)}: exit {code}: {done.stderr.strip()[:2000]}")
        if self.after:
            self.after()
        return {"wall": float(wall), "cpu": float(cpu), "rss_mb": int(rss) / 1e6}

    def values(self, what):
        return [sample[what] for sample in self.samples]

    def median(self, what="wall"):
        return statistics.median(self.values(what))


def busy_seconds():
    """CPU seconds so far: of everybody; of this process and those it waited for."""
    with open("/proc/stat", encoding="ascii") as file:
        user, nice, system = map(int, file.readline().split()[1:4])
    times = os.times()
    return (user + nice + system) / os.sysconf("SC_CLK_TCK"), sum(times[:4])


def interleave(commands, runs):
    say("timing " + ", ".join(c.name for c in commands))
    start, (all_before, ours_before) = time.perf_counter(), busy_seconds()
    for command in commands:
        command.run()
    for _ in range(runs):
        for command in commands:
            command.samples.append(command.run())
    took, (all_after, ours_after) = time.perf_counter() - start, busy_seconds()
    for command in commands:
        command.others = max(0.0, all_after - all_before - ours_after + ours_before) / took


def ratio(over, under):
    """Of the turns that both took last."""
    turns = min(len(over.samples), len(under.samples))
    return statistics.median(a / b for a, b in zip(over.values("wall")[-turns:],
                                                   under.values("wall")[-turns:]))


def say(text):
    print(f"bench-core: {text}", file=sys.stderr, flush=True)


# --- the report ---


def seconds(command, what="wall"):
    values = command.values(what)
    digits = 3 if max(values) < 10 else 1
    return (f"{statistics.median(values):.{digits}f} s "
            f"({min(values):.{digits}f}–{max(values):.{digits}f})")


def megabytes(command):
    return f"{command.median('rss_mb'):.1f} MB ({max(command.values('rss_mb')):.1f} at most)"


class Report:
    def __init__(self):
        self.figures, self.commands, self.errors = [], [], []

    def add(self, figure, ours, peer, value=None, target=None, most=True):
        """value: the number a target is about; most: it may be at most the target."""
        reached = None
        if target is not None:
            reached = value <= target if most else value >= target
        self.figures.append({
            "figure": figure, "ours": ours, "peer": peer, "ratio": value,
            "target": None if target is None else f"{'≤' if most else '≥'} {target:g}",
            "reached": reached})

    def timed(self, *commands):
        self.commands += commands

    def print(self):
        rows = [[f["figure"], f["ours"], f["peer"] or "–",
                 "–" if f["ratio"] is None else f"{f['ratio']:.2f}",
                 f["target"] or "–", {None: "–", True: "yes", False: "NO"}[f["reached"]]]
                for f in self.figures]
        print_table(["figure", "ours", "peer", "ratio", "target", "reached"], rows)
        print()
        rows = [[c.name, len(c.samples), seconds(c), seconds(c, "cpu"), megabytes(c),
                 f"{c.others:.1f}"]
                for c in self.commands if c.samples]
        print_table(["process", "runs", "wall", "CPU", "peak RSS", "others"], rows)
        print("\nothers: cores that other processes kept busy meanwhile; the more, the less the "
              "wall times say.")

    def as_json(self):
        return {"figures": self.figures, "errors": self.errors,
                "processes": [{"name": c.name, "argv": c.argv, "others": c.others,
                               "samples": c.samples}
                              for c in self.commands]}


def print_table(head, rows):
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in [head] + rows) for i in range(len(head))]
    for row in [head, ["-" * width for width in widths]] + rows:
        print(" | ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


# --- the machine ---


def first_line(*argv, line=0):
    try:
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
        lines = [text for text in (done.stdout + done.stderr).splitlines() if text.strip()]
        return lines[line].strip()
    except (OSError, IndexError):
        return "not found"


def cpu_model():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.machine()


def describe(args):
    modules = "import nltk, bs4, lxml; print(nltk.__version__, bs4.__version__, lxml.__version__)"
    return {
        "cpu": cpu_model(), "cores": os.cpu_count(), "kernel": platform.release(),
        "load_at_start": [round(number, 2) for number in os.getloadavg()],
        "size_mb": args.size_mb, "runs": args.runs,
        "versions": {
            "ppmine": first_line(args.ppmine, "--version"),
            "libarchive, libxml2, sqlite3": " ".join(
                first_line("pkg-config", "--modversion", name)
                for name in ("libarchive", "libxml-2.0", "sqlite3")),
            "wc": first_line("wc", "--version"), "xmllint": first_line("xmllint", "--version"),
            "7z": first_line("7z"), "zstd": first_line("zstd", "--version"),
            "gzip": first_line("gzip", "--version"), "xz": first_line("xz", "--version"),
            "bzip2": first_line("bzip2", "--help"), "python": platform.python_version(),
            "nltk, bs4, lxml": first_line(sys.executable, "-c", modules)}}


def print_machine(about):
    print(f"{about['cpu']}, {about['cores']} cores, Linux {about['kernel']}, "
          f"load {' '.join(map(str, about['load_at_start']))}; "
          f"{about['size_mb']:g} MB, {about['runs']} runs")
    for name, version in about["versions"].items():
        print(f"  {name}: {version}")
    print(flush=True)


# --- files to read ---


class Files:
    def __init__(self, folder, size_mb):
        self.folder = folder
        self.size_mb = size_mb

    def dump(self, size_mb):
        """Path and description of a dump; all are beginnings of the biggest one."""
        folder = os.path.join(self.folder, f"{size_mb:g}mb")
        os.makedirs(folder, exist_ok=True)
        path = os.path.join(folder, "Posts.xml")
        done = subprocess.run([sys.executable, os.path.join(HERE, "make_dump.py"),
                               "--size-mb", str(size_mb), path], check=False)
        if done.returncode != 0:
            raise Failed(f"make_dump.py: exit {done.returncode}")
        with open(path + ".json", encoding="utf-8") as file:
            return path, json.load(file)

    def made_from(self, path, key):
        """True if the file was made from the dump with this key; else says that it will be."""
        note = path + ".key"
        if os.path.exists(path) and os.path.exists(note):
            with open(note, encoding="utf-8") as file:
                if file.read() == key:
                    return True
        say(f"making {os.path.relpath(path, ROOT)}")
        if os.path.exists(path):
            os.remove(path)
        return False

    @staticmethod
    def note_made(path, key):
        with open(path + ".key", "w", encoding="utf-8") as file:
            file.write(key)

    def packed(self, suffix, argv, size_mb):
        """A packed dump. argv makes it: {in} and {out} are names in its folder."""
        path, about = self.dump(size_mb)
        out = path + suffix
        key = about["key"] + " ".join(argv)
        if self.made_from(out, key):
            return out, about
        names = {"in": "Posts.xml", "out": "Posts.xml" + suffix}
        argv = [arg.format(**names) for arg in argv]
        if shutil.which(argv[0]) is None:
            raise Failed(f"{argv[0]}: no such program")
        to_stdout = names["out"] not in argv
        with open(out if to_stdout else os.devnull, "wb") as file:
            done = subprocess.run(argv, cwd=os.path.dirname(path), stdout=file, check=False)
        if done.returncode != 0:
            raise Failed(f"{' '.join(argv)}: exit {done.returncode}")
        self.note_made(out, key)
        return out, about

    def words(self, size_mb):
        """Lines of words of posts, prose only; (path, number of words)."""
        path, about = self.dump(size_mb)
        out = os.path.join(self.folder, "words.txt")
        key = f"{about['key']} {STEM_WORDS} {WORDS_A_LINE}"
        if not self.made_from(out, key):
            script = os.path.join(HERE, "make_words.py")
            done = subprocess.run([sys.executable, script, str(STEM_WORDS), str(WORDS_A_LINE),
                                   path, out], check=False)
            if done.returncode != 0:
                raise Failed(f"make_words.py: exit {done.returncode}")
            self.note_made(out, key)
        return out, sum(len(line.split()) for line in open(out, "rb"))


def head_of(path, lines, out):
    with open(path, "rb") as source, open(out, "wb") as file:
        for _ in range(lines):
            file.write(source.readline())


# --- sections ---


class Bench:
    def __init__(self, args, report):
        self.args, self.report = args, report
        self.ppmine = args.ppmine
        self.files = Files(args.folder, args.size_mb)
        self.runs = args.runs
        self.threads = ["--threads", "2"] if os.cpu_count() > 2 else []
        self.loads = {}  # size in MB: the timed load

    def scratch(self, name):
        return os.path.join(self.args.folder, name)

    def loading(self, name, path, about, database=None, fresh=True):
        """A load into a new database, or once more into the one that is there."""
        database = database or self.scratch("fresh.db")

        def before():
            if not fresh and os.path.exists(database):
                return
            for suffix in ("", "-wal", "-shm", "-journal"):
                if os.path.exists(database + suffix):
                    os.remove(database + suffix)
            subprocess.run([self.ppmine, "-q", "-d", database, "init"], check=True)

        def after():
            connection = sqlite3.connect(database)
            got = dict(connection.execute("SELECT post_type, count(*) FROM post GROUP BY 1"))
            connection.close()
            wanted = {"question": about["kept_questions"], "answer": about["kept_answers"]}
            if got != {kind: n for kind, n in wanted.items() if n > 0}:
                raise Failed(f"{name}: kept {got}, not {wanted}")

        return Command(name, [self.ppmine, "-q", "-d", database, "load", *self.threads, path],
                       before=before, after=after)

    # 1

    def stem(self):
        path, n_words = self.files.words(min(100, self.args.size_mb))
        sample, sample_out = self.scratch("words-sample.txt"), self.scratch("words-sample.out")
        head_of(path, BASELINE_WORDS // WORDS_A_LINE, sample)
        n_sample = sum(len(line.split()) for line in open(sample, "rb"))
        one_core = ["taskset", "-c", str(min(os.sched_getaffinity(0)))]
        ours = Command("stem", [*one_core, self.ppmine, "stem"], stdin=path)
        peer = Command("NLTK", [*one_core, sys.executable,
                                os.path.join(HERE, "baseline_stem.py")], stdin=sample)
        nothing = Command("NLTK, no words", peer.argv)
        self.report.timed(ours, peer, nothing)
        interleave([ours, peer, nothing], self.runs)

        Command("", ours.argv, stdin=sample).run(sample_out)
        peer.run(sample_out + ".peer")
        if open(sample_out, "rb").read() != open(sample_out + ".peer", "rb").read():
            raise Failed("stem: other stems than NLTK's")
        rate = n_words / ours.median() / 1e6
        peer_rate = n_sample / peer.median() / 1e6
        net_rate = n_sample / (peer.median() - nothing.median()) / 1e6
        self.report.add(f"stem, million words/s ({n_words / 1e6:.1f} M words, one core)",
                        f"{rate:.2f}", None, rate, 5, most=False)
        self.report.add("  times as fast as NLTK", f"{rate:.2f} M/s", f"{peer_rate:.3f} M/s",
                        rate / peer_rate)
        self.report.add("  and as NLTK without its start", f"{rate:.2f} M/s",
                        f"{net_rate:.3f} M/s", rate / net_rate)

    # 2

    def load(self):
        size = self.args.size_mb
        path, about = self.files.dump(size)
        ours = self.loading(f"load {size:g} MB", path, about)
        lines = Command("wc -l", ["wc", "-l", path])
        xml = Command("xmllint", ["xmllint", "--stream", "--noout", "--huge", path])
        self.report.timed(ours, lines, xml)
        interleave([ours, lines, xml], self.runs)
        self.loads[size] = ours
        name = f"load {size:g} MB, 1 % tagged"
        self.report.add(f"{name}: times wc -l", seconds(ours), seconds(lines),
                        ratio(ours, lines), 3)
        self.report.add(f"{name}: times as fast as xmllint", seconds(ours), seconds(xml),
                        ratio(xml, ours), 30, most=False)
        rss = max(ours.values("rss_mb"))
        self.report.add(f"{name}: peak RSS, MB", f"{rss:.1f}", None, rss, 200)

        again = self.loading("load again", path, about, fresh=False)
        interleave([again, lines], self.runs)
        self.report.timed(again)
        self.report.add("  again, nothing new", seconds(again), seconds(lines),
                        ratio(again, lines))
        if os.access(MEMORY_DIR, os.W_OK):
            with tempfile.TemporaryDirectory(dir=MEMORY_DIR) as folder:
                in_memory = self.loading("load, database in memory", path, about,
                                         os.path.join(folder, "fresh.db"))
                interleave([in_memory, lines], self.runs)
            self.report.timed(in_memory)
            self.report.add("  database in a file system in memory", seconds(in_memory),
                            seconds(lines), ratio(in_memory, lines))

    def ndjson(self):
        """The same posts as JSON; jq parses it and prints the ids. One core each."""
        dump, about = self.files.dump(self.args.size_mb)
        path = dump[:-len(".xml")] + ".ndjson"
        if not self.files.made_from(path, about["key"]):
            if subprocess.run([sys.executable, os.path.join(HERE, "make_ndjson.py"), dump, path], check=False).returncode != 0:
                raise Failed("make_ndjson.py failed")
            self.files.note_made(path, about["key"])
        ours = self.loading("load NDJSON", path, about)
        peer = Command("jq", ["jq", ".post_id", path])
        self.report.timed(ours, peer)
        interleave([ours, peer], self.runs)
        size = os.path.getsize(path) / 1e6
        rate, peer_rate = size / ours.median("cpu"), size / peer.median("cpu")
        self.report.add(f"load NDJSON {size:.0f} MB, 1 % tagged: MB/s a core", f"{rate:.0f}", f"{peer_rate:.0f} (jq)", rate, 200,
                        most=False)
        self.report.add("  times as fast as jq reads it", f"{rate:.0f} MB/s", f"{peer_rate:.0f} MB/s", rate / peer_rate)

    # 3

    def match(self):
        size = self.args.size_mb
        path, _ = self.files.dump(size)
        piece, _ = self.files.dump(min(BASELINE_MB, size))
        argv = [self.ppmine, "match", "--stdin", *self.threads]
        ours = Command("match --stdin", argv, stdin=path)
        lines = Command("wc -l", ["wc", "-l"], stdin=path)
        peer = Command("baseline_match.py",
                       [sys.executable, os.path.join(HERE, "baseline_match.py"), KEYWORDS, piece])
        empty = self.scratch("empty.xml")
        with open(empty, "w", encoding="utf-8") as file:
            file.write("<posts></posts>\n")
        nothing = Command("baseline_match.py, no rows", [*peer.argv[:-1], empty])
        self.report.timed(ours, lines, peer, nothing)
        interleave([ours, lines], self.runs)
        interleave([peer, nothing], min(self.runs, 3))
        name = f"match {size:g} MB"
        self.report.add(f"{name}: times wc -l", seconds(ours), seconds(lines), ratio(ours, lines),
                        12)
        speed = os.path.getsize(path) / ours.median() / 1e6
        size = os.path.getsize(piece) / 1e6
        for figure, took, target in (
                (f"{name}: times as fast as Python", peer.median(), 800),
                ("  and as Python without its start", peer.median() - nothing.median(), None)):
            self.report.add(figure, f"{speed:.1f} MB/s", f"{size / took:.3f} MB/s",
                            speed * took / size, target, most=False)
        self.compare_ids(argv, piece, peer)

    def compare_ids(self, argv, piece, peer):
        ours_out, peer_out = self.scratch("ids.ours"), self.scratch("ids.peer")
        Command("", argv, stdin=piece).run(ours_out)
        peer.run(peer_out)
        with open(ours_out, encoding="utf-8") as file:
            ours = {json.loads(line)["id"] for line in file}
        with open(peer_out, encoding="utf-8") as file:
            theirs = {int(line) for line in file}
        self.report.add(f"  posts with a hit, {os.path.getsize(piece) / 1e6:.0f} MB",
                        str(len(ours)), str(len(theirs)))
        if ours != theirs:
            raise Failed(f"match: only ours {sorted(ours - theirs)[:10]}, "
                         f"only baseline_match.py {sorted(theirs - ours)[:10]}")

    # 4

    PACKED = [
        # name, suffix, how to pack, how to unpack ({} is the file), a target
        ("7z LZMA2", ".lzma2.7z", ["7z", "a", "-bd", "{out}", "{in}"],
         ["7z", "e", "-so", "-bd", "{}"], 1.15),
        ("7z BZip2", ".bzip2.7z", ["7z", "a", "-bd", "-m0=bzip2", "{out}", "{in}"],
         ["7z", "e", "-so", "-bd", "{}"], 1.15),
        ("7z PPMd", ".ppmd.7z", ["7z", "a", "-bd", "-m0=PPMd", "{out}", "{in}"],
         ["7z", "e", "-so", "-bd", "{}"], None),
        ("zst", ".zst", ["zstd", "-q", "-c", "{in}"], ["zstdcat", "{}"], 1.15),
        ("gz", ".gz", ["gzip", "-c", "{in}"], ["gzip", "-dc", "{}"], 1.15),
        ("xz", ".xz", ["xz", "-c", "{in}"], ["xz", "-dc", "{}"], 1.15),
        ("bz2", ".bz2", ["bzip2", "-c", "{in}"], ["bzip2", "-dc", "{}"], 1.15),
    ]

    def packed(self):
        size = min(PACKED_MB, self.args.size_mb)
        for name, suffix, pack, unpack, target in self.PACKED:
            try:
                self.one_packed(f"load {size:g} MB", name, (suffix, pack), unpack, target)
            except Failed as failure:
                self.failed(failure)

    def one_packed(self, title, name, how, unpack, target):
        path, about = self.files.packed(*how, min(PACKED_MB, self.args.size_mb))
        times = about["bytes"] / os.path.getsize(path)
        ours = self.loading(f"load {name}", path, about)
        peer = Command(" ".join(unpack).format(name), [arg.format(path) for arg in unpack])
        both = [ours, peer]
        if unpack[0] == "7z" and target:
            both.append(Command(f"{peer.name} -mmt=1", [*peer.argv, "-mmt=1"]))
        interleave(both, self.runs if target else 1)  # PPMd takes its time
        self.report.timed(*both)
        self.report.add(f"{title} as {name} ({times:.1f} times smaller): times {unpack[0]}",
                        seconds(ours), seconds(peer), ratio(ours, peer), target)
        for single in both[2:]:
            self.report.add(f"  times {unpack[0]} with one thread", seconds(ours),
                            seconds(single), ratio(ours, single))

    # 5

    def memory(self):
        big, small = self.args.size_mb, self.args.size_mb / 10
        for size in (big, small):
            if size not in self.loads:
                self.loads[size] = self.loading(f"load {size:g} MB", *self.files.dump(size))
                interleave([self.loads[size]], self.runs)
                self.report.timed(self.loads[size])
        floor = Command("true", ["true"]).run()["rss_mb"]
        rss = {size: max(load.values("rss_mb")) for size, load in self.loads.items()}
        self.report.add(f"peak RSS of load, {big:g} MB less {small:g} MB (measurable from "
                        f"{floor:.0f} MB)", f"{rss[big]:.1f} MB", f"{rss[small]:.1f} MB",
                        rss[big] - rss[small], 8)

    # all

    SECTIONS = ("stem", "load", "ndjson", "match", "packed", "memory")

    def failed(self, failure):
        say(f"FAILED: {failure}")
        self.report.errors.append(str(failure))

    def run(self, sections):
        for section in sections:
            try:
                getattr(self, section)()
            except (Failed, OSError, sqlite3.Error, subprocess.CalledProcessError) as failure:
                self.failed(failure)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--size-mb", type=float, default=1000, help="of the dump (1000)")
    parser.add_argument("--runs", type=int, default=5, help="that count (5)")
    parser.add_argument("--only", default=",".join(Bench.SECTIONS), metavar="SECTION,...",
                        help="some of " + ", ".join(Bench.SECTIONS))
    parser.add_argument("--json", metavar="FILE", help="everything measured, for programs")
    parser.add_argument("--ppmine", default=os.path.join(ROOT, "build/ppmine"))
    parser.add_argument("--folder", default=os.path.join(ROOT, "build/bench"))
    args = parser.parse_args()
    sections = args.only.split(",")
    if args.runs < 1 or args.size_mb < 1 or not set(sections) <= set(Bench.SECTIONS):
        parser.error("--runs and --size-mb are 1 or more, sections " + ", ".join(Bench.SECTIONS))

    os.makedirs(args.folder, exist_ok=True)
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])
    about = describe(args)
    report = Report()
    print_machine(about)
    Bench(args, report).run(sections)
    report.print()
    for error in report.errors:
        print(f"FAILED: {error}")
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump({**about, **report.as_json()}, file, indent=1, ensure_ascii=False)
            file.write("\n")
    return 1 if report.errors else 0


if __name__ == "__main__":
    sys.exit(main())
