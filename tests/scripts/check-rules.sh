#!/bin/bash
# Each rule of check finds its bad cases, is silent about its good ones, and its fixes hold.
set -eu

python3 "$ROOT/tests/lib/check_cases.py" "$PPMINE" "$ROOT/tests/check"

# Every rule has cases, and a page with the headings that the house has agreed on.
ppmine check --rules | while read -r rule _; do
    [ -d "$ROOT/tests/check/$rule" ] || { echo "$rule has no cases in tests/check/$rule"; exit 1; }
    page=$(ppmine check --explain "$rule")
    for heading in "# $rule" '## Bad' '## Good' '## Why' '## When not' '## Evidence'; do
        grep -q "^$heading" <<<"$page" || { echo "check/rules/$rule.md: no '$heading'"; exit 1; }
    done
done
# And every folder of cases belongs to a rule.
for folder in "$ROOT"/tests/check/PP*; do
    ppmine check --rules | grep -q "^${folder##*/} " || { echo "$folder: no such rule"; exit 1; }
done
