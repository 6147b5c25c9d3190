#!/bin/bash
# Measured figures in the pages are those of the files that they were measured into: scripts/figures --check.
set -eu
. "$ROOT/tests/lib/dump.sh"
need python3

"$ROOT/scripts/figures" --check || fail "the pages are not as they were measured"

mkdir -p tree/scripts tree/check/evidence tree/bench/cases tree/screen tree/bench/spark tree/bench/serve tree/bench/tools tree/studies/dlperf
cp "$ROOT/scripts/figures" tree/scripts
cp -R "$ROOT/docs" tree
cp "$ROOT/check/evidence/README.md" tree/check/evidence
cp -R "$ROOT/bench/results" tree/bench
cp "$ROOT/README.md" tree
cp "$ROOT/screen/screen.h" tree/screen
cp "$ROOT/bench/cases/README.md" tree/bench/cases
cp "$ROOT/bench/faithful.csv" tree/bench
for file in bench/spark/measured.json bench/serve/measured.json bench/serve/clicks.json bench/tools/measured.csv studies/dlperf/problems.csv; do
    cp "$ROOT/$file" "tree/$file"
done
cp -R "$ROOT/bench/screen" "$ROOT/bench/intervals" tree/bench
for case in "$ROOT"/bench/cases/{,pytorch/}[0-9p]*/case.ini; do
    to=tree/${case#"$ROOT/"}
    mkdir -p "${to%/*}"
    cp "$case" "$to"
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
# What follows from a measured figure follows it: ratios, sizes, hours, prices and the model. A typed one is taken back.
sed -i 's/"run": "alone", "cpu": 15.1/"run": "alone", "cpu": 30.2/' tree/bench/spark/measured.json
sed -i 's/"p95": 6.3/"p95": 7.7/' tree/bench/serve/measured.json
sed -i 's/built in: 224 problems/built in: 225 problems/' tree/README.md
sed -i 's/B",44,2,/B",44,22,/' tree/bench/tools/measured.csv
! tree/scripts/figures --check >said || fail "figures that follow are not seen"
printf '%s: not the figures that were measured; scripts/figures writes them\n' docs/scale.md docs/serve.md docs/benchmark.md README.md |
    diff - said || fail "it says something else"
tree/scripts/figures >said
grep -q '^| `ppmine match --stdin`, twice | 30.2, 15.0 | 2.99 |' tree/docs/scale.md || fail "CPU s/GB is not computed"
grep -q '^| 1 GB | 3.0 | 8.0 | 2.7 |' tree/docs/scale.md || fail "the sizes are not computed"
grep -q 'Two processors read 4.4 TB' tree/docs/scale.md || fail "the hour"
grep -q '^| 10 TB | 1,000 | 20 + 30 + 2 = 52 s | 330 GB/s |' tree/docs/scale.md || fail "the model is not computed"
grep -q 'its page in 7.7 ms' tree/docs/serve.md || fail "docs/serve.md"
grep -q '22 of 44 (36–64%)' tree/docs/benchmark.md || fail "the checkers"
cmp tree/README.md "$ROOT/README.md"
# A figure that somebody types is an error; one in code, or in what a command prints, is not.
printf '\n`5.5 s`\n\n```text\n6.5 s\n```\n' >>tree/docs/limits.md
tree/scripts/figures --check >said 2>&1 || { cat said && fail "figures in code"; }
printf '\nIt took 12.5 s.\n' >>tree/docs/limits.md
! tree/scripts/figures --check >said 2>&1 || fail "a figure that was typed is not seen"
grep -q "docs/limits.md: '12.5 s' is typed by hand" said || { cat said && fail "it does not say which"; }
sed -i '$d' tree/docs/limits.md
# A sentence that was lost is an error.
sed -i 's/are stand-ins/are something else/' tree/docs/limits.md
! tree/scripts/figures --check >said 2>&1 || fail "a lost sentence is not missed"
grep -q 'docs/limits.md no longer has the sentence' said || { cat said && fail "it does not say which"; }
