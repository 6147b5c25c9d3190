#!/usr/bin/env python3
"""What does the published checker find, and what does ppmine check, of calls that maintainers changed?

    published.py TOOL PPMINE CACHE PLACES.csv... > COMPARED.csv
    published.py TOOL PPMINE --examples > COMPARED.csv

TOOL is the folder `tool` of the repository DLPerf/DLPerf.github.io (MIT), fetched and never committed; this Python
has its module jedi. PLACES.csv has package, version_before, file and line_before; packages come from PyPI, into
CACHE. A place is found when a finding is in its file at most NEAR lines away. Each file of the published checker
gets a time limit; one that it cannot read, or not in time, is said so and is no miss. With --examples the places are the
findings of the published checker on its own examples.
"""
import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile

NEAR = 2
SECONDS = 120

# Run in the folder of the tool, for one file of a project.
SCAN = """
import sys, jedi, pathlib
project, path = sys.argv[1:]
import data_detect, graph_detect
of = jedi.Project(path=project)
ops = {line.strip() for line in open("tf_ops_detection")}
file = pathlib.Path(path)
found = graph_detect.scan_file(file, of, ops, {}, set(), set(), set(), set())
print("GRAPH", found)
if found is not None:
    order, parallel = data_detect.scan_file(file, of)
    print("ORDER", order)
    print("PARALLEL", parallel)
"""


def published(tool, project, path):
    """Lines of one file that the published checker names, with its checker; or why there are none."""
    try:
        done = subprocess.run([sys.executable, "-c", SCAN, project, path], cwd=tool, capture_output=True, text=True,
                              timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return None, f"not done in {SECONDS} seconds"
    if "PARALLEL" not in done.stdout:
        last = (done.stderr.strip() or done.stdout.strip()).splitlines()
        return None, "cannot be read: " + (last[-1] if last else "no output")[:80]
    lines = set()
    name = re.escape(os.path.basename(path))
    for line in done.stdout.splitlines():
        # An operation is named where it is; of an order, both calls.
        if line.startswith("GRAPH"):
            lines |= {(int(n), 1) for n in re.findall(name + r", line (\d+), column", line)}
        elif line.startswith("ORDER"):
            lines |= {(int(n), 2) for n in re.findall(name + r"/(\d+)", line)}
        elif line.startswith("PARALLEL"):
            lines |= {(int(n), 3) for n in re.findall(name + r"/(\d+)", line)}
    return lines, ""


def ours(ppmine, project):
    done = subprocess.run([ppmine, "-q", "check", "--no-config", "--all", "--format", "json", "."], cwd=project,
                          stdout=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{project}: exit code {done.returncode}")
    return [(f["file"], f["line"], max(f["line"], f["end_line"]), f["rule"],
             f["impact"] != "low" and f["certainty"] == "certain") for f in json.loads(done.stdout)["findings"]]


def unpacked(cache, package, version):
    """The folder of a release, from PyPI: a wheel, else the source."""
    folder = pathlib.Path(cache) / f"{package}-{version}"
    if folder.is_dir():
        return folder
    got = pathlib.Path(cache) / "download"
    # A wheel first: of a source, pip may run the setup.py.
    for how in (["--only-binary", ":all:", "--python-version", "3.8", "--platform", "manylinux2014_x86_64",
                 "--platform", "manylinux2010_x86_64"], ["--no-binary", ":all:"]):
        shutil.rmtree(got, ignore_errors=True)
        done = subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", got, *how, f"{package}=={version}"], capture_output=True, check=False)
        files = list(got.glob("*")) if got.is_dir() else []
        if files:
            break
    else:
        return None
    making = folder.with_suffix(".new")
    shutil.rmtree(making, ignore_errors=True)
    if files[0].suffix in (".whl", ".zip"):
        zipfile.ZipFile(files[0]).extractall(making)
    else:
        tarfile.open(files[0]).extractall(making, filter="data")
    making.rename(folder)
    return folder


def place_of(folder, file):
    hits = [p for p in folder.rglob(os.path.basename(file)) if str(p).endswith("/" + file)]
    return min(hits, key=lambda p: len(str(p)), default=None)


def compare(writer, tool, ppmine, label, project, path, line, known):
    if project not in known:
        known[project] = ours(ppmine, project)
    if path not in known:
        known[path] = published(tool, str(project), str(path))
    lines, why = known[path]
    name = str(path.relative_to(project))
    near = sorted((f for f in known[project] if f[0] == name and f[1] - NEAR <= line <= f[2] + NEAR),
                  key=lambda f: (not f[4], abs(f[1] - line)))
    theirs = sorted({c for n, c in lines or () if abs(n - line) <= NEAR})
    writer.writerow([label, name, line, why or " ".join(f"checker {c}" for c in theirs),
                     next((f[3] for f in near if f[4]), ""), near[0][3] if near else ""])


def main():
    tool, ppmine, cache, *lists = sys.argv[1:]
    tool, ppmine = os.path.abspath(tool), os.path.abspath(ppmine)
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["package", "file", "line", "published", "default", "all"])
    known = {}
    if cache == "--examples":
        project = pathlib.Path(tool) / "test_code"
        for path in sorted(project.rglob("*.py")):
            known[path] = published(tool, str(project), str(path))
            for line in sorted({n for n, _ in known[path][0] or ()}):
                compare(writer, tool, ppmine, "examples", project, path, line, known)
        return
    os.makedirs(cache, exist_ok=True)
    for name in lists:
        for row in csv.DictReader(open(name, encoding="utf-8")):
            label = f"{row['package']} {row['version_before']}"
            folder = unpacked(cache, row["package"], row["version_before"])
            path = folder and place_of(folder, row["file"])
            if path is None:
                writer.writerow([label, row["file"], row["line_before"], "the release cannot be had", "", ""])
                continue
            project = pathlib.Path(str(path)[:-len(row["file"]) - 1])
            compare(writer, tool, ppmine, label, project, path, int(row["line_before"]), known)
            sys.stdout.flush()


if __name__ == "__main__":
    main()
