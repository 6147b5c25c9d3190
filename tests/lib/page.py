"""Runs the commands of a page in the current folder and compares what they print with the page.

    page.py PAGE.md

A command is an indented line "    $ command"; lines below it that are indented by two more blanks
belong to it (a here-document), and what follows up to an empty line is what it prints. Nothing is
compared where the page shows nothing.
"""

import subprocess
import sys


def read_steps(lines):
    """(command, printed) of a page; printed is None where the page shows nothing."""
    steps, open_step = [], False
    for line in lines:
        if line.startswith("    $ "):
            steps.append([line[6:], None])
            open_step = True
        elif open_step and line.startswith("      ") and steps[-1][1] is None and \
                "<<'END'" in steps[-1][0] and not steps[-1][0].endswith("\nEND"):
            steps[-1][0] += "\n" + line[6:]
        elif open_step and line.startswith("    "):
            steps[-1][1] = (steps[-1][1] or "") + line[4:] + "\n"
        else:
            open_step = False
    return steps


def main(path):
    with open(path, encoding="utf-8") as page:
        steps = read_steps(page.read().split("\n"))
    if not steps:
        sys.exit(f"{path} shows no command")
    script = "set -eu\n" + "".join(f"{command}\necho @@end\n" for command, _ in steps)
    run = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    printed = run.stdout.split("@@end\n")
    if run.returncode != 0:
        command = steps[len(printed) - 1][0]
        sys.exit(f"{path}: $ {command}\nfailed with {run.returncode}: {printed[-1]}{run.stderr}")
    failed = False
    for (command, shown), said in zip(steps, printed):
        if shown is not None and said != shown:
            print(f"{path}: $ {command}\nthe page shows:\n{shown}it printed:\n{said}")
            failed = True
    sys.exit(failed)


main(*sys.argv[1:])
