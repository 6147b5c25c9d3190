#!/bin/bash
# Every fuzz target on the inputs that are kept of it: seeds, and what once went wrong.
set -eu
. "$ROOT/tests/lib/dump.sh"

for source in "$ROOT"/tests/fuzz/fuzz_*.c; do
    name=$(basename "$source" .c)
    program=$TEST_BUILD/tests/fuzz/replay_${name#fuzz_}
    [ -x "$program" ] || fail "$program is not built"
    inputs=("$ROOT/tests/fuzz/corpus/$name"/*)
    [ -f "${inputs[0]}" ] || fail "$name: no inputs are kept"
    $TEST_WRAPPER "$program" "${inputs[@]}" >at 2>said ||
        fail "$name: exit code $? at $(tail -1 at): $(tail -20 said)"
    [ "$(wc -l <at)" -eq "${#inputs[@]}" ] || fail "$name: stopped at $(tail -1 at)"
done
