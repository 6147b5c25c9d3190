#!/bin/bash
# Each promise in .github/SECURITY.md names tests that there are, and each test that a guard names
# (tests/mutants/guards.tsv) shows one of the promises.
set -eu
. "$ROOT/tests/lib/dump.sh"

awk '/^\| from whom/ { inside = 1; getline; next } inside && !/^\|/ { exit } inside' "$ROOT/.github/SECURITY.md" >promises
[ "$(wc -l <promises)" -ge 20 ] || fail "SECURITY.md: only $(wc -l <promises) promises are found"
while IFS='|' read -r _ whom what _ named rest; do
    [ -z "$rest" ] || fail "SECURITY.md: more than four columns: $whom|$what"
    tests=$(grep -oE '`[^`]+`' <<<"$named" | tr -d '`') || fail "SECURITY.md: no test shows what is kept from$whom:$what"
    echo "$tests" >>shown
done <promises
sort -u shown >of-promises
while read -r test; do
    [ -f "$ROOT/tests/$test.sh" ] || [ -f "$ROOT/tests/$test.c" ] || fail "SECURITY.md names $test, and there is no such test"
done <of-promises
tail -n +2 "$ROOT/tests/mutants/guards.tsv" | cut -f4 | tr ' ' '\n' | sort -u >of-guards
missing=$(comm -23 of-guards of-promises)
[ -z "$missing" ] || fail "guards without a promise in SECURITY.md: $missing"
