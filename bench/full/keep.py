#!/usr/bin/env python3
"""Keeps the results of a full run as data: bench/full/keep.py RESULTS OUT

Writes OUT/<date>-<machine>/<id>.json for each result, which `ppmine bench report --results` reads
as it reads RESULTS. A second run of the same day gets OUT/<date>-<machine>-2. They differ from it in this: lists over time are thinned evenly (samples of
memory, times and memory of steps), and the values behind a digest stand at its first run only.
Every figure that a verdict follows from is there as it was measured.

Assessments (RESULTS/assessment/<id>.json, which `ppmine bench assess --run` writes) are kept beside
them, whole, so that `ppmine bench assess --results OUT/<date>-<machine>` prints published and measured
side by side. One of another case, machine or versions than the result is left out, and named. Those
that OUT/<date>-<machine> has from an earlier time stay, unless RESULTS has newer ones.
"""
import argparse
import glob
import json
import os
import re
import shutil
import sys

MOST = {"sample_seconds": 12, "sample_kb": 12, "step_seconds": 64, "step_rss_kb": 64}
SHORT = {"work_seconds", "wall_seconds", "user_seconds", "system_seconds", "ready_seconds"}


def thinned(values, most):
    """At most that many of the list, evenly, its ends among them."""
    if len(values) <= most:
        return values
    return [values[round(i * (len(values) - 1) / (most - 1))] for i in range(most)]


def short(value, digits):
    return value if value is None or value == int(value) else float(f"{value:.{digits}g}")


def keep_run(run, seen):
    """The run, smaller; seen: digests whose values stand already."""
    kept = dict(run)
    for name, most in MOST.items():
        kept[name] = [short(v, 4) for v in thinned(run[name], most)]
    for name in SHORT:
        kept[name] = short(run[name], 7)
    if run["digest"] in seen:
        kept["values"] = []
    seen.add(run["digest"])
    return kept


def machine_name(machine):
    """Two processors of "Intel(R) Xeon(R) CPU @ 2.20GHz" are "2x-intel-xeon-cpu-2.20ghz"."""
    words = re.sub(r"\((r|tm|c)\)", " ", machine["processor"].lower())
    words = re.sub(r"[^a-z0-9.]+", "-", words).strip("-.") or machine["architecture"]
    return f"{machine['processors']}x-{words}"


def same_for_all(results, what):
    """That of every result; ends the program when they are not of one machine."""
    found = {}
    for result in results:
        found.setdefault(what(result), []).append(result["problem_id"])
    if len(found) > 1:
        rare = min(found.items(), key=lambda item: len(item[1]))
        sys.exit(f"keep.py: the results are not of one run: {rare[0]} has only "
                 f"{', '.join(rare[1][:5])}; make bench-full REDO=1 runs all again")
    return next(iter(found))


def of_same(result):
    """What must be the same of a result and an assessment that stands beside it."""
    return machine_name(result["machine"]), result["versions"], result["case_sha256"]


def load(folder):
    loaded = {}
    for path in sorted(glob.glob(os.path.join(glob.escape(folder), "*.json"))):
        with open(path, encoding="utf-8") as file:
            loaded[os.path.basename(path)[:-len(".json")]] = json.load(file)
    return loaded


def assessments(results, folders):
    """Those of the results, by id; of two the one in the later folder."""
    kept, others = {}, []
    wanted = {result["problem_id"]: of_same(result) for result in results}
    for folder in folders:
        for name, found in load(os.path.join(folder, "assessment")).items():
            if wanted.get(name) == of_same(found):
                kept[name] = found
            else:
                others.append(os.path.join(folder, "assessment", name + ".json"))
    if others:
        print(f"keep.py: left out, since the result is of another case, machine or versions, or is "
              f"not there: {', '.join(others)}; 'ppmine bench assess --again' measures anew",
              file=sys.stderr)
    return kept


def as_text(result):
    """A line for each run and each other fact."""
    lines = []
    for key, value in result.items():
        if isinstance(value, dict) and "runs" in value:
            runs = ",\n  ".join(json.dumps(run, separators=(",", ":")) for run in value["runs"])
            lines.append(f' "{key}": {{"median": {json.dumps(value["median"])}, "runs": [\n  {runs}]}}')
        else:
            lines.append(f' "{key}": {json.dumps(value)}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def same_run(kept, results):
    """Whether the kept results are of the same run: one that both have was measured at the same time."""
    return any(kept[result["problem_id"]]["date"] == result["date"]
               for result in results if result["problem_id"] in kept)


def folder_of(out, name, results):
    """The first of OUT/<name>, OUT/<name>-2, … that has no other run."""
    number, folder = 1, os.path.join(out, name)
    while os.path.isdir(folder) and not same_run(load(folder), results):
        number += 1
        folder = os.path.join(out, f"{name}-{number}")
    return folder


def write(folder, result):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, result["problem_id"] + ".json"), "w", encoding="utf-8") as file:
        file.write(as_text(result))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("results")
    parser.add_argument("out")
    args = parser.parse_args()
    results = list(load(args.results).values())
    if not results:
        sys.exit(f"keep.py: {args.results} has no results")
    machine = same_for_all(results, lambda r: machine_name(r["machine"]))
    same_for_all(results, lambda r: json.dumps(r["versions"], sort_keys=True))
    folder = folder_of(args.out, f"{max(r['date'] for r in results)[:10]}-{machine}", results)
    unfinished = folder + ".new"
    assessed = assessments(results, [folder, args.results])
    shutil.rmtree(unfinished, ignore_errors=True)
    os.makedirs(unfinished)
    for result in results:
        for side in ("buggy", "fixed"):
            seen = set()
            result[side]["runs"] = [keep_run(run, seen) for run in result[side]["runs"]]
        write(unfinished, result)
    for found in assessed.values():
        write(os.path.join(unfinished, "assessment"), found)
    shutil.rmtree(folder, ignore_errors=True)
    os.rename(unfinished, folder)
    size = sum(os.path.getsize(os.path.join(at, name))
               for at, _, names in os.walk(folder) for name in names)
    print(f"{folder}: {len(results)} results, {len(assessed)} assessments, {size / 1024:.0f} KB")


if __name__ == "__main__":
    main()
