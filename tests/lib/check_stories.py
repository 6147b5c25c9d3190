"""Runs stories of check: small programs, all rules, and every finding is foreseen.

    check_stories.py PPMINE FILE...

Cases are written as those of check_cases.py, but "# expect: PP101, PP302 more" lists what all rules
that are on say of the line: PP101 is shown by default, PP302 only with --all. Nothing may be said of any other line. The files are read only: a run
without --fix changes none of them.
"""
import collections
import json
import re
import subprocess
import sys
import tempfile

import check_cases

EXPECT = re.compile(r"#\s*expect:\s*(.+)$")


def shown(finding):
    by_default = finding["impact"] != "low" and finding["certainty"] == "certain"
    return "shown" if by_default else "more"


def expected(case):
    found = collections.Counter()
    for name, lines in case.files.items():
        for number, line in enumerate(lines, 1):
            match = EXPECT.search(line)
            for item in match.group(1).split(",") if match else []:
                rule, how = (item.split() + ["shown"])[:2]
                found[(name, number, rule, how)] += 1
    return found


def tell(case, ppmine):
    with tempfile.TemporaryDirectory() as folder:
        check_cases.write_files(case, folder)
        before = check_cases.read_files(case, folder)
        done = subprocess.run([ppmine, "-q", "check", "--no-config", "--all", "--format", "json",
                               "--fail-on", "medium"],
                              cwd=folder, stdout=subprocess.PIPE, check=False)
        findings = json.loads(done.stdout)["findings"]
        found = collections.Counter(
            (f["file"], f["line"], f["rule"], shown(f)) for f in findings)
        foreseen = expected(case)
        wrong = [f"{case.place(name, line)}: expected {rule}, {how}, got nothing of it"
                 for name, line, rule, how in sorted((foreseen - found).elements())]
        wrong += [f"{case.place(name, line)}: expected nothing, got {rule}, {how}"
                  for name, line, rule, how in sorted((found - foreseen).elements())]
        if done.returncode != any(f["impact"] != "low" for f in findings):
            wrong.append(f"{case.place()}: the exit code is {done.returncode}")
        if check_cases.read_files(case, folder) != before:
            wrong.append(f"{case.place()}: a file was changed without --fix")
        return wrong


def main():
    cases = [case for path in sys.argv[2:] for case in check_cases.read_cases(path)]
    print(f"{len(cases)} stories")
    failed = not cases
    for case in cases:
        wrong = tell(case, sys.argv[1])
        failed = failed or bool(wrong)
        for words in wrong:
            print(f"{words} (in {case.title})")
    return 1 if failed else 0


sys.exit(main())
