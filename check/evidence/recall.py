#!/usr/bin/env python3
"""How many of the places that experts list does ppmine check find?

    recall.py PPMINE PROJECTS LIST.csv...

PROJECTS has a folder owner+name for each project of the lists, at the commit that they name. A place is
found when a finding is in the same file (and cell) at most NEAR lines away. Each finding counts for the
nearest place only, so that one finding does not find a page of places. Prints found by default, and with
--all, by strength and by kind.
"""
import collections
import csv
import json
import os
import subprocess
import sys

NEAR = 5


def findings(ppmine, folder):
    """All findings of a project: (file, cell, first line, last line, shown by default, rule)."""
    done = subprocess.run([ppmine, "-q", "check", "--no-config", "--all", "--format", "json", "."],
                          cwd=folder, stdout=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{folder}: exit code {done.returncode}")
    return [(f["file"], f.get("cell", 0), f["line"], max(f["line"], f["end_line"]),
             f["impact"] != "low" and f["certainty"] == "certain", f["rule"])
            for f in json.loads(done.stdout)["findings"]]


def distance(place, found):
    """Lines between the two; None: in different files or cells."""
    if (place["file"], int(place["cell"] or 0)) != found[:2]:
        return None
    first = int(place["line"])
    last = int(place["end_line"] or first)
    return max(0, found[2] - last, first - found[3])


def match(places, found):
    """For each place: 0 not found, 1 with --all, 2 by default."""
    best = [0] * len(places)
    for finding in found:
        near = [(d, i) for i, place in enumerate(places)
                if (d := distance(place, finding)) is not None and d <= NEAR]
        if near:
            place = min(near)[1]
            best[place] = max(best[place], 2 if finding[4] else 1)
    return best


def main():
    ppmine, projects = os.path.abspath(sys.argv[1]), sys.argv[2]
    by_project = collections.defaultdict(list)
    for path in sys.argv[3:]:
        with open(path, encoding="utf-8") as file:
            for row in csv.DictReader(file):
                by_project[row["project"]].append(row)
    count = collections.defaultdict(lambda: [0, 0, 0])
    shown = 0
    for project, places in sorted(by_project.items()):
        found = findings(ppmine, os.path.join(projects, project.replace("/", "+")))
        shown += sum(finding[4] for finding in found)
        for place, how in zip(places, match(places, found)):
            for key in (("strength", place["strength"]),
                        ("kind", f"{place['kind']} ({place['strength']})")):
                count[key][how] += 1
    print("what,places,shown,all")
    for (_, name), (none, more, default) in sorted(count.items(), key=lambda c: (c[0][0] != "strength", c[0])):
        print(f"{name},{none + more + default},{default},{more + default}")
    print(f"findings shown,{shown},,")


main()
