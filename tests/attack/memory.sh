#!/bin/bash
# When memory runs out, at any place, a command says so and ends with an exit code; no signal kills it,
# and no file is left half. A sheet is made by a library that does not look: it has a process of its own.
set -eu
. "$ROOT/tests/lib/dump.sh"
need cc sqlite3
skip_unless_as_it_is

cc -shared -fPIC -O1 -o fail.so "$ROOT/tests/preload/fail_alloc.c"
"$PPMINE" -q -d a.db init --published

sheet() { "$PPMINE" -q -d a.db label export --all-coders --force -o sheet.xlsx; }
(export LD_PRELOAD=$PWD/fail.so COUNT_ALLOCS=$PWD/allocs && sheet)
calls=$(cat allocs)
[ "$calls" -gt 1000 ] || fail "only $calls calls of malloc are seen: a weak test"
cp sheet.xlsx whole.xlsx
# The child counts on from the parent's number, so that most of these fail in libxlsxwriter.
crashed=0
for on in '' yes; do
    for ((n = 1; n <= 30; n++)); do
        rc=0
        (export LD_PRELOAD=$PWD/fail.so FAIL_ALLOC=$((calls * n / 20)) ${on:+FAIL_ALLOC_ON=1} && sheet) \
            2>said || rc=$?
        [ "$rc" -lt 128 ] || fail "call $((calls * n / 20)) of $calls: exit code $rc: $(cat said)"
        [ "$rc" -eq 0 ] || [ -s said ] || fail "call $((calls * n / 20)): exit code $rc without a word"
        ! grep -q 'could not be made' said || crashed=$((crashed + 1))
        [ "$(ls -A | grep -c unfinished || :)" = 0 ] || sheet
        [ "$(ls -A | grep -c unfinished || :)" = 0 ] || fail "call $n: left: $(ls -A)"
    done
done
[ "$crashed" -gt 0 ] || fail "the library did not crash once: a weak test"

# Rows are kept until all are known to be good, so there are not too many of them.
{ echo post_id,is_problem; yes '140,yes' | head -n 1048577; } >long.csv
rc=0
(ulimit -v 2000000; "$PPMINE" -d a.db label import long.csv --coder ann) >said 2>&1 || rc=$?
[ "$rc" -eq 3 ] && grep -q 'long.csv:1048578: more than 1048576 rows; split the file' said ||
    fail "a sheet of many rows: exit code $rc: $(cat said)"
