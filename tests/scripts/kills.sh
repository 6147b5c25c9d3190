#!/bin/bash
# fetch, rebuild, init --change and bench run are killed (SIGKILL) at random moments, several times in a row: the
# database is whole, what was acknowledged is there, and the next run ends as one that nobody disturbs. KILLS and
# SEED: how many in all, and which.
set -eu
. "$ROOT/tests/lib/dump.sh"
need python3 sqlite3
skip_when_slow

PYTHONPATH=$ROOT/tests/lib exec python3 -B "$ROOT/tests/lib/kills.py" "${KILLS:-40}" "${SEED:-1}"
