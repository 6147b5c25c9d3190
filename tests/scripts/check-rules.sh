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
# What pages tell users to write names rules that there are.
grep -ohE 'PP[0-9]{3}' "$ROOT"/docs/*.md "$ROOT/docs/man/ppmine-check.1" "$ROOT"/check/ci/* | sort -u | while read -r rule; do
    grep -q "^$rule " names || { echo "the pages name $rule, and there is no such rule"; exit 1; }
done
# The sample configuration is one that check takes: its keys and rules are known, or check refuses it.
sed -n '/^```toml$/,/^```$/{/^```/d;p}' "$ROOT/docs/checking-code.md" >pyproject.toml
grep -q '^\[tool\.ppmine\]' pyproject.toml
ppmine -q check --fail-on never empty.py
