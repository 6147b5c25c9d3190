#!/bin/bash
# One statement of SQLite fails, in each run of a command and each answer of serve: it is said, nothing is done by half,
# and the next run is as if nothing had been. EACH=400: each of the different statements (make test-torture); otherwise
# a few. SEED chooses others.
set -eu
unset PPMINE_NOW # acts have times of their own
. "$ROOT/tests/lib/dump.sh"
need python3 cc
skip_when_slow

cc -shared -fPIC -O1 -o fail.so "$ROOT/tests/preload/fail_sql.c"
export PYTHONPATH=$ROOT/tests/lib TMPDIR=$PWD/temporary
mkdir temporary
python3 -B "$ROOT/tests/lib/statements.py" "${EACH:-0}" "${SEED:-1}" "$PWD/fail.so"
[ -z "$(ls -A temporary)" ] || fail "left in TMPDIR: $(ls temporary | head)"
