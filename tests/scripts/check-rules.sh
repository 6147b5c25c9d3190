#!/bin/bash
# Each rule of check has a page with its name and the agreed headings, and a folder of cases, which run as
# check/PPxxx. There is no folder without a rule.
set -eu

# The name of a rule, such as pipeline-order, as SARIF has it.
echo 'import tensorflow' >empty.py
ppmine -q check --no-config --format sarif empty.py |
    jq -r '.runs[0].tool.driver.rules[] | "\(.id) \(.name)"' >names
ppmine check --rules | while read -r rule _; do
    [ -d "$ROOT/tests/check/$rule" ] || { echo "$rule has no cases in tests/check/$rule"; exit 1; }
    name=$(sed -n "s/^$rule //p" names)
    title=$(head -1 "$ROOT/check/rules/$rule.md")
    [ "$title" = "# $rule $name" ] ||
        { echo "check/rules/$rule.md: the title is '$title'; the rule is called '$rule $name'"; exit 1; }
    page=$(ppmine check --explain "$rule")
    for heading in "# $rule" '## Bad' '## Good' '## Why' '## When not' '## Evidence'; do
        grep -q "^$heading" <<<"$page" || { echo "check/rules/$rule.md: no '$heading'"; exit 1; }
    done
done
for folder in "$ROOT"/tests/check/PP*; do
    ppmine check --rules | grep -q "^${folder##*/} " || { echo "$folder: no such rule"; exit 1; }
done
# A rule has a reason: its page names a problem of the study, the public report of a user, or verdicts by which it was worth a
# change in two projects. What it says of verdicts is what the file has.
python3 - "$ROOT" <<'PYTHON'
import collections, csv, os, re, sys
root = sys.argv[1]
WORDS = "no one two three four five six seven eight nine ten eleven twelve".split()
SAID = re.compile(r"In (\w+) projects? that the rule was not written for, (?:all (\w+)|(\w+) of (?:\w+ )?(\w+)) findings"
                  r" were worth a change \(`check/evidence/judged-(\w)\.csv`\)")
with open(os.path.join(root, "studies/dlperf/problems.csv"), encoding="utf-8", newline="") as file:
    posts = {row["post_id"] for row in csv.DictReader(file)}
read = collections.defaultdict(list)
for name in os.listdir(os.path.join(root, "check/evidence")):
    if re.fullmatch(r"judged-\w\.csv", name):
        with open(os.path.join(root, "check/evidence", name), encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                read[row["rule"], name[7]].append((row["package"], row["verdict"] == "true"))

def number(text):
    return 1 if text == "a" else WORDS.index(text) if text in WORDS else int(text)

wrong, verdicts_said = [], 0
for page in sorted(os.listdir(os.path.join(root, "check/rules"))):
    rule = page[:-3]
    if not re.fullmatch(r"PP\d+\.md", page):
        continue
    with open(os.path.join(root, "check/rules", page), encoding="utf-8") as file:
        evidence = " ".join(file.read().partition("## Evidence")[2].split())
    worth = set()
    for letter in re.findall(r"judged-(\w)\.csv", evidence):
        worth |= {package for package, true in read[rule, letter] if true}
    if not (any(post in posts for post in re.findall(r"\b\d{7,8}\b", evidence))
            or re.search(r"A public report: [\w.-]+/[\w.-]+, issue \d+", evidence) or len(worth) >= 2):
        wrong.append(f"{page}: names no problem of the study, no public report, and no verdicts in two projects")
    for projects, every, true, of, letter in SAID.findall(evidence):
        verdicts_said += 1
        rows = read[rule, letter]
        said = (number(projects), number(every or true), number(every or of))
        is_so = (len({package for package, _ in rows}), sum(true for _, true in rows), len(rows))
        if said != is_so:
            wrong.append(f"{page}: says {said} of projects, worth a change, findings; judged-{letter}.csv has {is_so}")
assert verdicts_said >= 10, verdicts_said
sys.exit("\n".join(wrong) or None)
PYTHON
# What pages tell users to write names rules that there are.
grep -ohE 'PP[0-9]{3}' "$ROOT"/docs/*.md "$ROOT/docs/man/ppmine-check.1" "$ROOT"/check/ci/* | sort -u | while read -r rule; do
    grep -q "^$rule " names || { echo "the pages name $rule, and there is no such rule"; exit 1; }
done
# The sample configuration is one that check takes: its keys and rules are known, or check refuses it.
sed -n '/^```toml$/,/^```$/{/^```/d;p}' "$ROOT/docs/checking-code.md" >pyproject.toml
grep -q '^\[tool\.ppmine\]' pyproject.toml
ppmine -q check --fail-on never empty.py
