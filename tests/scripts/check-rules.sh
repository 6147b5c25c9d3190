#!/bin/bash
# Each rule of check has a page with the agreed headings and a folder of cases, which run as
# check/PPxxx, and there is no folder without a rule.
set -eu

ppmine check --rules | while read -r rule _; do
    [ -d "$ROOT/tests/check/$rule" ] || { echo "$rule has no cases in tests/check/$rule"; exit 1; }
    page=$(ppmine check --explain "$rule")
    for heading in "# $rule" '## Bad' '## Good' '## Why' '## When not' '## Evidence'; do
        grep -q "^$heading" <<<"$page" || { echo "check/rules/$rule.md: no '$heading'"; exit 1; }
    done
done
for folder in "$ROOT"/tests/check/PP*; do
    ppmine check --rules | grep -q "^${folder##*/} " || { echo "$folder: no such rule"; exit 1; }
done
