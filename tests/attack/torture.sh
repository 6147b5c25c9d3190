#!/bin/bash
# One call fails, of the kernel or for memory, in each run of a command: it ends in order, with words, and
# the next run finds nothing that is half. CALLS=6: of each kind in each command (make test-torture);
# otherwise a few.
set -eu
. "$ROOT/tests/lib/dump.sh"
need python3 strace cc
skip_when_slow
strace -o /dev/null true 2>/dev/null || { echo "strace may not look into programs here" && exit 77; }

cc -shared -fPIC -O1 -o fail.so "$ROOT/tests/preload/fail_alloc.c"
export PYTHONPATH=$ROOT/tests/lib TMPDIR=$PWD/temporary
mkdir temporary
python3 -B "$ROOT/tests/lib/torture.py" "${CALLS:-0}" "${SEED:-1}" "$PWD/fail.so"
[ -z "$(ls -A temporary)" ] || fail "left in TMPDIR: $(ls temporary | head)"
