#!/bin/bash
# A power cut at any moment takes nothing that was acknowledged: what a disk may have then is made from the
# calls of each command that writes (tests/lib/disk.py), and judged. CUTS=200: over all commands
# (make test-power-cut); otherwise a few. SEED chooses other cuts.
set -eu
. "$ROOT/tests/lib/dump.sh"
need python3 strace
skip_when_slow
strace -o /dev/null true 2>/dev/null || { echo "strace may not look into programs here" && exit 77; }

export PYTHONPATH=$ROOT/tests/lib TMPDIR=$PWD/temporary
mkdir temporary
python3 -B "$ROOT/tests/lib/power_cut.py" "${CUTS:-0}" "${SEED:-1}" ${ONLY:+"$ONLY"}
