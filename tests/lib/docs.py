#!/usr/bin/env python3
"""Runs what a page of the documentation tells its reader to type.

    docs.py [--regen] PAGE.md

```console  a session: lines "$ …" are run by sh, in one shell for the whole page, in an empty folder
            (continued in lines "> …") with links to the project's studies/, bench/, check/ and scripts/, and a build/ with the
            program. What follows up to the next "$" is what they print, output and errors together; a line with "…" alone stands for any lines. A command
            that shows nothing may print anything, and must end with exit code 0; one that shows
            something may end otherwise, which its last line says: "(exit code 1)".
```sql      a query on the database $PPMINE_DB of that shell, which gives rows. A block ```text after it
            has them, as sqlite3 -column -header prints them.
```sh       commands that need the network, a large file, or hours. Of those that begin with ppmine the
            command line is read, by --help.
--regen rewrites what is shown.
"""
import difflib
import os
import re
import shlex
import shutil
import subprocess
import sys

END = "@@end"
ANY = "…"


def fail(text):
    print(text)
    sys.exit(1)


def read_blocks(lines):
    """[(language, first line, lines)] of the fenced blocks; the first line's number is from 0."""
    blocks, at = [], 0
    while at < len(lines):
        if lines[at].startswith("```"):
            end = lines.index("```", at + 1)
            blocks.append((lines[at][3:], at + 1, lines[at + 1:end]))
            at = end
        elif lines[at].startswith("    $ "):
            fail(f"line {at + 1}: a command outside of a block ```console is not tested")
        at += 1
    return blocks


class Step:
    """A command, the line it is in, and what the page shows of its output (from, to)."""

    def __init__(self, kind, command, line, shown):
        self.kind, self.command, self.line, self.shown = kind, command, line, shown
        self.printed = None


def read_session(first, lines):
    steps = []
    for i, line in enumerate(lines):
        if line.startswith("$ "):
            steps.append(Step("sh", line[2:], first + i, [first + i + 1, first + i + 1]))
        elif steps and line.startswith("> ") and steps[-1].shown[0] == steps[-1].shown[1]:
            steps[-1].command += "\n" + line[2:]
            steps[-1].shown = [first + i + 1, first + i + 1]
        elif steps:
            steps[-1].shown[1] = first + i + 1
        else:
            fail(f"line {first + i + 1}: a session begins with '$ '")
    return steps


def read_steps(lines):
    steps, blocks = [], read_blocks(lines)
    for number, (language, first, block) in enumerate(blocks):
        if language == "console":
            steps += read_session(first, block)
        elif language == "sql":
            shown = [0, 0]
            if number + 1 < len(blocks) and blocks[number + 1][0] == "text":
                _, start, rows = blocks[number + 1]
                shown = [start, start + len(rows)]
            steps.append(Step("sql", "\n".join(block), first, shown))
        elif language == "sh":
            steps += [Step("help", line, first + i, None) for i, line in enumerate(block)]
        elif language not in ("", "text", "ini", "csv", "python", "c", "yaml", "toml", "json",
                              "duckdb",  # tests/spark/test_duckdb.py runs these
                              "nginx", "caddy"):  # tests/scripts/serve-team.sh runs these
            fail(f"line {first}: unknown kind of block '{language}'")
    return steps


def script_of(steps):
    out = ["set -u"]
    for step in steps:
        if step.kind == "help":
            continue
        command = step.command
        if step.kind == "sql":
            command = "sqlite3 -column -header \"$PPMINE_DB\" " + shlex.quote(step.command)
        out.append("{ " + command + "\n} 2>&1; printf '\\n%s %s\\n' " + END + " $?")
    return "\n".join(out) + "\n"


def run(steps, root):
    for name in ("studies", "bench", "check", "scripts", "LICENSE"):
        os.symlink(os.path.join(root, name), name)
    # A reader stands in a clone, the root of a project. What check reads is in it, not behind a link.
    subprocess.run(["git", "init", "-q"], check=True)
    shutil.copytree(os.path.join(root, "tests", "data"), "tests/data")
    # A build/ to write into, as a reader has it, in which the program is what is tested.
    os.mkdir("build")
    for name, target in (("ppmine", os.environ.get("PPMINE", root + "/build/ppmine")),
                         ("ppmine.so", root + "/build/ppmine.so")):
        os.symlink(target, "build/" + name)
    os.mkdir("home")
    environment = dict(os.environ, HOME=os.path.abspath("home"))
    done = subprocess.run(["sh"], input=script_of(steps), stdout=subprocess.PIPE, encoding="utf-8",
                          errors="replace", timeout=600, env=environment, check=False)
    parts = re.split(r"\n" + END + r" (\d+)\n", done.stdout)
    ran = [s for s in steps if s.kind != "help"]
    if len(parts) != 2 * len(ran) + 1:
        fail(f"the page ended after {len(parts) // 2} of {len(ran)} commands: {done.stdout[-2000:]}")
    for i, step in enumerate(ran):
        code = int(parts[2 * i + 1])
        step.printed = [line.rstrip() for line in parts[2 * i].rstrip("\n").split("\n")]
        if step.printed == [""]:
            step.printed = []
        if code != 0:
            step.printed.append(f"(exit code {code})")
        step.failed = code != 0


def same(shown, printed):
    """Do the lines agree, where "…" alone in a line stands for any lines?"""
    if not shown:
        return not printed
    if shown[0] == ANY:
        return any(same(shown[1:], printed[i:]) for i in range(len(printed) + 1))
    return bool(printed) and shown[0].rstrip() == printed[0] and same(shown[1:], printed[1:])


def check_help(step, page):
    """Reads the command line of each ppmine in a line that is not run."""
    bad = 0
    for part in re.split(r"\||&&|;", re.sub(r"(^|\s)#.*", "", step.command)):
        words = shlex.split(re.sub(r"[<>]+\s*\S+", "", part))
        if not words or words[0] != "ppmine":
            continue
        options = words[1:words.index("--")] if "--" in words else words[1:]
        done = subprocess.run([os.environ.get("PPMINE", "ppmine"), *options, "--help"], check=False,
                              capture_output=True, encoding="utf-8")
        if done.returncode != 0:
            print(f"{page}:{step.line + 1}: {step.command}\n{done.stderr}")
            bad += 1
    return bad


def compare(steps, lines, page):
    bad = 0
    for step in steps:
        if step.kind == "help":
            bad += check_help(step, page)
            continue
        shown = lines[step.shown[0]:step.shown[1]]
        if step.failed and (step.kind == "sql" or not shown):
            wrong = ["it failed:", *step.printed]
        elif shown and (not same(shown, step.printed) or step.failed and shown[-1] != step.printed[-1]):
            wrong = difflib.unified_diff(shown, step.printed, "shown", "printed", lineterm="")
        elif step.kind == "sql" and not step.printed:
            wrong = ["it gives no rows"]
        else:
            continue
        bad += 1
        print(f"{page}:{step.line + 1}: {step.command}")
        print("\n".join(wrong))
    return bad


def regen(steps, lines, path):
    for step in reversed([s for s in steps if s.kind != "help"]):
        shown = lines[step.shown[0]:step.shown[1]]
        if shown and not same(shown, step.printed):
            lines[step.shown[0]:step.shown[1]] = step.printed
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


def main():
    path = os.path.abspath(sys.argv[-1])
    page = os.path.basename(path)
    lines = open(path, encoding="utf-8").read().split("\n")
    steps = read_steps(lines)
    run(steps, os.environ.get("ROOT", os.path.join(os.path.dirname(__file__), "..", "..")))
    if "--regen" in sys.argv:
        regen(steps, lines, path)
    else:
        sys.exit(compare(steps, lines, page) > 0)


main()
