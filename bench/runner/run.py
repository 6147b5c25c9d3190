#!/usr/bin/env python3
"""What the runner of the benchmark adds to time and memory of what it runs.

    bench/runner/run.py [--rounds N] [--runs N] [--touch FILE] [--json FILE]

The same commands, with the same variables and files, are run by `ppmine bench run`, by hyperfine
(times, no shell between) and by /usr/bin/time (peak resident memory), in turns: rounds, in each as many
runs by each of them, after one that does not count, and who comes first changes with the round. Of a
command it says the medians of all runs, and the median over the rounds of the difference of the medians
of a round, with its least and most: what other programs do to this machine meanwhile, they do to both.

Targets, for every command: less than 5 ms and 2 MB between what the runner says and what the others say,
to either side. The last two lines say whether they are reached; that is reported, never enforced.
"""
import argparse
import json
import os
import shlex
import shutil
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TARGETS = {"ms": 5, "mb": 2}

CASE = """[case]
problem_id = {name}
summary = the same twice
fix = none

[measure]
metric = time

[limits]
seconds = 60
memory_mb = 2048

[digest]
tolerance = exact
"""

PYTHON_SAYS = 'print("ppcase digest sha256:0")\n'
COMMANDS = [
    # name, is it Python, its script
    ("nothing-c", False, "0\n"),
    ("nothing-python", True, PYTHON_SAYS),
    ("touch-200-mb-c", False, "200\n"),
    ("touch-200-mb-python", True, "memory = bytearray(b'x') * (200 << 20)\n" + PYTHON_SAYS),
]


class Command:
    def __init__(self, name, is_python, script, args):
        self.name = name
        self.program = sys.executable if is_python else os.path.abspath(args.touch)
        self.folder = os.path.join(args.folder, name)
        self.cases = os.path.join(self.folder, "cases")
        case = os.path.join(self.cases, name)
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(case)
        os.makedirs(os.path.join(self.folder, "lib"))
        for path, text in ((os.path.join(case, "case.ini"), CASE.format(name=name)),
                           (os.path.join(case, "buggy.py"), script),
                           (os.path.join(case, "fixed.py"), script),
                           (os.path.join(self.folder, "buggy.py"), script)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        self.argv = [self.program, "buggy.py"]
        # Those that the runner gives to a script.
        self.environment = {
            "LC_ALL": "C.UTF-8", "TZ": "UTC", "TERM": "dumb", "PYTHONHASHSEED": "0",
            "PYTHONDONTWRITEBYTECODE": "1", "PYTHONNOUSERSITE": "1",
            "PYTHONPATH": os.path.join(self.cases, "..", "lib"), "TF_NUM_INTRAOP_THREADS": "2",
            "TF_NUM_INTEROP_THREADS": "2", "TF_CPP_MIN_LOG_LEVEL": "3", "TF_CPP_VMODULE": "",
            "TF_XLA_FLAGS": "", "CUDA_VISIBLE_DEVICES": "",
            "PATH": os.environ["PATH"], "HOME": self.folder, "TMPDIR": self.folder}
        self.rounds = []

    def by_ppmine(self, runs):
        """Wall seconds and peak KB of each run."""
        results = os.path.join(self.folder, "results")
        subprocess.run([os.path.join(ROOT, "build/ppmine"), "bench", "run", "--quiet", "--cases",
                        self.cases, "--python", self.program, "--results", results, "--anyway", "--runs",
                        str(runs), self.name], check=True, stdout=subprocess.DEVNULL)
        with open(os.path.join(results, self.name + ".json"), encoding="utf-8") as file:
            result = json.load(file)
        done = [run for side in ("buggy", "fixed") for run in result[side]["runs"]
                if not run["warm_up"]]
        if any(run["end"] != "exited" or run["code"] != 0 for run in done):
            sys.exit(f"{self.name}: {result['why']}")
        return [run["wall_seconds"] for run in done], [run["peak_kb"] for run in done]

    def by_hyperfine(self, runs):
        out = os.path.join(self.folder, "hyperfine.json")
        subprocess.run(["hyperfine", "-N", "--style", "none", "--warmup", "1", "--runs", str(2 * runs),
                        "--export-json", out, shlex.join(self.argv)], check=True,
                       stdout=subprocess.DEVNULL, cwd=self.folder, env=self.environment)
        with open(out, encoding="utf-8") as file:
            return json.load(file)["results"][0]["times"]

    def by_time(self, runs):
        out, peaks = os.path.join(self.folder, "time.out"), []
        for _ in range(2 * runs + 1):
            subprocess.run(["/usr/bin/time", "-f", "%M", "-o", out, *self.argv], check=True,
                           stdout=subprocess.DEVNULL, cwd=self.folder, env=self.environment)
            with open(out, encoding="ascii") as file:
                peaks.append(int(file.read()))
        return peaks[1:]

    def one_round(self, runs, ours_first):
        figures = {}

        def ours():
            figures["ppmine_seconds"], figures["ppmine_kb"] = self.by_ppmine(runs)

        def theirs():
            figures["hyperfine_seconds"] = self.by_hyperfine(runs)
            figures["time_kb"] = self.by_time(runs)
        for measure in (ours, theirs) if ours_first else (theirs, ours):
            measure()
        self.rounds.append(figures)

    def figures(self):
        def middle(key, scale):
            return statistics.median(v for r in self.rounds for v in r[key]) * scale

        def apart(name, ours, theirs, scale):
            differences = [(statistics.median(r[ours]) - statistics.median(r[theirs])) * scale
                           for r in self.rounds]
            return {f"{name}_more": statistics.median(differences),
                    f"{name}_more_least": min(differences), f"{name}_more_most": max(differences)}
        return {"ms": middle("ppmine_seconds", 1e3), "hyperfine_ms": middle("hyperfine_seconds", 1e3),
                **apart("ms", "ppmine_seconds", "hyperfine_seconds", 1e3),
                "mb": middle("ppmine_kb", 1 / 1024), "time_mb": middle("time_kb", 1 / 1024),
                **apart("mb", "ppmine_kb", "time_kb", 1 / 1024)}


def judge(figures, unit, target):
    """Of the command that is furthest off."""
    worst = max(figures, key=lambda name: abs(figures[name][f"{unit}_more"]))
    f = figures[worst]
    return {"target": target, "reached": abs(f[f"{unit}_more"]) < target, "worst": worst,
            "more": f[f"{unit}_more"], "least": f[f"{unit}_more_least"], "most": f[f"{unit}_more_most"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--touch", default=os.path.join(ROOT, "build/release/bench/runner/touch"))
    parser.add_argument("--folder", default=os.path.join(ROOT, "build/bench/runner"))
    parser.add_argument("--json", metavar="FILE", help="everything measured, for programs")
    args = parser.parse_args()
    commands = [Command(*command, args) for command in COMMANDS]
    for i in range(args.rounds):
        for command in commands:
            command.one_round(args.runs, i % 2 == 0)
    figures = {c.name: c.figures() for c in commands}
    print(f"{'command':20} {'ours ms':>9} {'hyperfine':>9} {'more':>7} {'least':>7} {'most':>7}"
          f" {'ours MB':>9} {'time':>9} {'more':>7} {'least':>7} {'most':>7}")
    for name, f in figures.items():
        print(f"{name:20} {f['ms']:9.2f} {f['hyperfine_ms']:9.2f} {f['ms_more']:+7.2f}"
              f" {f['ms_more_least']:+7.2f} {f['ms_more_most']:+7.2f} {f['mb']:9.2f} {f['time_mb']:9.2f}"
              f" {f['mb_more']:+7.2f} {f['mb_more_least']:+7.2f} {f['mb_more_most']:+7.2f}")
    targets = {unit: judge(figures, unit, target) for unit, target in TARGETS.items()}
    for unit, t in targets.items():
        print(f"target: less than {t['target']} {unit.replace('mb', 'MB')} for a run: "
              f"{'reached' if t['reached'] else 'not reached'}; most: {t['worst']}, {t['more']:+.2f} "
              f"({t['least']:+.2f} to {t['most']:+.2f})")
    if args.json:
        commands_json = {c.name: {**figures[c.name], "rounds": c.rounds} for c in commands}
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump({"targets": targets, "commands": commands_json}, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
