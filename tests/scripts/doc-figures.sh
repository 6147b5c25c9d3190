#!/bin/bash
# Measured figures in the pages are those of the files that they were measured into: scripts/figures --check.
set -eu
. "$ROOT/tests/lib/dump.sh"
need python3

"$ROOT/scripts/figures" --check || fail "the pages are not as they were measured"

mkdir -p tree/scripts tree/check/evidence tree/bench/cases
cp "$ROOT/scripts/figures" tree/scripts
cp -R "$ROOT/docs" tree
cp "$ROOT/check/evidence/README.md" tree/check/evidence
cp -R "$ROOT/bench/results" tree/bench
cp -R "$ROOT/bench/screen" "$ROOT/bench/intervals" tree/bench
for case in "$ROOT"/bench/cases/[0-9]*; do
    mkdir "tree/bench/cases/${case##*/}"
    cp "$case/case.ini" "tree/bench/cases/${case##*/}"
done
tree/scripts/figures --check || fail "a copy is not as the tree"
# Another result is written into the page; a figure that somebody typed is taken back.
sed -i 's/"verdict": "reproduced"/"verdict": "unclear"/' tree/bench/results/2026-11-23-2x-amd-epyc/51228131.json
sed -i 's/14 of 58 are stand-ins/13 of 58 are stand-ins/' tree/docs/limits.md
! tree/scripts/figures --check >said || fail "figures that differ are not seen"
printf '%s: not the figures that were measured; scripts/figures writes them\n' docs/benchmark.md docs/limits.md |
    diff - said || fail "it says something else"
tree/scripts/figures >said
tr '\n' ' ' <tree/docs/benchmark.md | grep -q '42 of the 44 faithful pairs' || fail "the page has the old figure"
cmp tree/docs/limits.md "$ROOT/docs/limits.md"
# A sentence that was lost is an error.
sed -i 's/are stand-ins/are something else/' tree/docs/limits.md
! tree/scripts/figures --check >said 2>&1 || fail "a lost sentence is not missed"
grep -q 'docs/limits.md no longer has the sentence' said || { cat said && fail "it does not say which"; }
