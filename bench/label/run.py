#!/usr/bin/python3
"""Times ppmine's questions about labels against the same ones asked with pandas.

    run.py [--posts N] [--candidates N] [--problems N] [--runs N] [--json FILE]

Makes a database once, by ppmine itself: a study folder of made-up labels (make_study.py) goes in
with `init --published`, its posts with `load`, and `match` finds the candidates. Then times cold
processes in turns, after one of each that does not count, with the file in the page cache; says
medians, and the least and the most in brackets. The answers are compared before they are timed.
Targets are for a million posts, 100,000 candidates and 60,000 problems; they are reported, never
enforced: exit 1 means that something could not be run or that answers differ.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
STUDY = os.path.join(ROOT, "studies/dlperf")

sys.path.insert(0, os.path.join(ROOT, "bench/core"))
import run as core  # noqa: E402  what is timed, and how, is the same for both

TARGETS = {"stats": 1.0, "agree --all": 1.0, "label next": 0.05}


def say(text):
    print(f"bench-label: {text}", file=sys.stderr, flush=True)


# --- the database ---


def key_of(args):
    """What the database is made of: when that changes it is made again."""
    sizes = f"{args.posts} {args.candidates} {args.problems}"
    digest = hashlib.sha256(sizes.encode())
    for path in [os.path.join(HERE, "make_study.py"), os.path.join(ROOT, "schema.sql"),
                 os.path.join(STUDY, "codebook.csv"), os.path.join(STUDY, "keywords.txt")]:
        with open(path, "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()


def step(report, name, argv):
    say(name)
    command = core.Command(name, argv)
    command.samples.append(command.run())
    report.append(command)


def make_database(args):
    """Path of the database, and how long its making took."""
    folder, steps = args.folder, []
    database, note = os.path.join(folder, "label.db"), os.path.join(folder, "label.db.key")
    key = key_of(args)
    if os.path.exists(database) and os.path.exists(note):
        with open(note, encoding="ascii") as file:
            if file.read() == key:
                return database, steps
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    say("make_study.py")
    done = subprocess.run([sys.executable, os.path.join(HERE, "make_study.py"),
                           "--posts", str(args.posts), "--candidates", str(args.candidates),
                           "--problems", str(args.problems), STUDY, folder], check=False)
    if done.returncode != 0:
        raise core.Failed(f"make_study.py: exit {done.returncode}")
    ppmine = [args.ppmine, "-q", "-d", database]
    step(steps, "init --published", [*ppmine, "init", "--study", os.path.join(folder, "study"),
                                     "--published"])
    step(steps, "load", [*ppmine, "load", os.path.join(folder, "Posts.xml")])
    step(steps, "match", [*ppmine, "match"])
    os.remove(os.path.join(folder, "Posts.xml"))
    with open(note, "w", encoding="ascii") as file:
        file.write(key)
    return database, steps


# --- the same answers ---


def answer(argv):
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise core.Failed(f"{' '.join(argv)}: exit {done.returncode}: {done.stderr[-2000:]}")
    return json.loads(done.stdout)


def near(what, ours, theirs, limit):
    if not abs(ours - theirs) <= limit:
        raise core.Failed(f"{what}: {ours}, with pandas {theirs}")


def compare_agree(ours, theirs):
    """Percentiles of 2000 resamples are a few hundredths of the interval apart by chance."""
    rows = {(r["facet"], r["coder_a"], r["coder_b"]): r for r in ours["agreement"]}
    coders = {(r["facet"], r["measure"]): r for r in ours["coders"] if r["value"] is not None}
    if len(rows) != len(theirs["agreement"]) or len(coders) != len(theirs["coders"]):
        raise core.Failed("agree: another number of rows than with pandas")
    for row in theirs["agreement"]:
        got = rows[row["facet"], row["coder_a"], row["coder_b"]]
        wide = 0.2 * (row["high"] - row["low"])
        for name in ["n", "kappa", "low", "high"]:
            near(f"agree {row['facet']} {name}", got[name], row[name], 1e-9)
        near(f"agree {row['facet']} bootstrap", got["bootstrap_low"], row["bootstrap"][0], wide)
        near(f"agree {row['facet']} bootstrap", got["bootstrap_high"], row["bootstrap"][1], wide)
    for row in theirs["coders"]:
        got = coders[row["facet"], row["measure"]]
        wide = 0.2 * (row["bootstrap"][1] - row["bootstrap"][0])
        near(f"agree {row['measure']}", got["value"], row["value"], 1e-9)
        near(f"agree {row['measure']} bootstrap", got["low"], row["bootstrap"][0], wide)
        near(f"agree {row['measure']} bootstrap", got["high"], row["bootstrap"][1], wide)


def compare_stats(ours, theirs):
    tables = [("year", "year", ""), ("rq1-category", "category", ""), ("rq1-code", "code", ""),
              ("rq2-category", "category", ""), ("rq2-code", "code", ""),
              ("rq3-stage", "stage", "introducing"), ("rq3-stage", "stage", "exposing")]
    for table, column, prefix in tables:
        want = theirs[prefix or table]
        names = [prefix or "n", *(f"{prefix}{'_' if prefix else ''}{end}" for end in ("low", "high"))]
        got = {row[column]: [row[name] for name in names] for row in ours[table] if row[names[0]]}
        if got.keys() != want.keys():
            raise core.Failed(f"stats {table}: {sorted(got)}, with pandas {sorted(want)}")
        for key, values in want.items():
            for a, b in zip(got[key], values):
                near(f"stats {table} {key}", a, b, 1e-9)
    for row, want in zip(ours["tests"][::2], theirs["tests"]):
        near("stats tests", row["chi_square"], want[0], 1e-6 * want[0])
        near("stats tests", row["df"], want[1], 0)
        near("stats tests", row["chi_square_p"], want[2], 1e-9)


# --- timing ---


def interleave(commands, runs):
    say("timing " + ", ".join(command.name for command in commands))
    for command in commands:
        command.run()
    for _ in range(runs):
        for command in commands:
            command.samples.append(command.run())


def questions(args, database):
    """(name, ppmine, pandas, compare)"""
    ppmine = [args.ppmine, "-q", "-d", database]
    pandas = [sys.executable, os.path.join(HERE, "baseline_pandas.py")]
    yield "stats", [*ppmine, "stats"], [*pandas, "stats", database], compare_stats
    yield "agree --all", [*ppmine, "agree", "--all"], [*pandas, "agree", database], compare_agree
    help_text = subprocess.run([args.ppmine, "label", "next", "--help"], capture_output=True,
                               check=False)
    if help_text.returncode == 0:
        yield ("label next", [*ppmine, "label", "next", "--coder", "c1"],
               [*pandas, "next", database], None)
    else:
        say("label next: this ppmine has no such command; left out")


def parse():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--posts", type=int, default=1_000_000)
    parser.add_argument("--candidates", type=int, default=100_000)
    parser.add_argument("--problems", type=int, default=60_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--ppmine", default=os.path.join(ROOT, "build/ppmine"))
    parser.add_argument("--folder", default=os.path.join(ROOT, "build/bench/label"))
    parser.add_argument("--json", help="a file for everything measured")
    return parser.parse_args()


def print_machine(args):
    modules = ("import numpy, pandas, scipy, statsmodels; print(numpy.__version__,"
               " pandas.__version__, scipy.__version__, statsmodels.__version__)")
    print(f"{core.cpu_model()}, {os.cpu_count()} cores; {args.posts} posts, "
          f"{args.candidates} candidates, {args.problems} problems, 3 coders and the merged one; "
          f"{args.runs} runs")
    print("  numpy, pandas, scipy, statsmodels:",
          core.first_line(sys.executable, "-c", modules))
    print(flush=True)


def measure(args):
    print_machine(args)
    database, steps = make_database(args)
    rows, commands = [], []
    for name, ours, theirs, compare in questions(args, database):
        if compare is not None:
            tables = answer([*ours, "--format", "json"])
            compare({table["id"]: table["rows"] for table in tables}, answer(theirs))
        pair = [core.Command(name, ours), core.Command(f"{name}, pandas", theirs)]
        interleave(pair, args.runs)
        commands += pair
        target = TARGETS[name]
        rows.append([name, core.seconds(pair[0]), core.seconds(pair[1]),
                     f"{core.ratio(pair[1], pair[0]):.1f}", f"< {target:g} s",
                     "yes" if pair[0].median() < target else "NO"])
    core.print_table(["question", "ppmine", "pandas", "times as fast", "target", "reached"], rows)
    print()
    core.print_table(["process", "runs", "wall", "CPU", "peak RSS"],
                     [[c.name, len(c.samples), core.seconds(c), core.seconds(c, "cpu"),
                       core.megabytes(c)] for c in steps + commands])
    if args.json:
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump([{"name": c.name, "argv": c.argv, "samples": c.samples}
                       for c in steps + commands], file, indent=1)


def main():
    try:
        measure(parse())
    except core.Failed as error:
        say(str(error))
        sys.exit(1)


if __name__ == "__main__":
    main()
