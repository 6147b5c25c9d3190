#!/bin/bash
# check never dies, never writes without --fix, and a fix changes its own lines alone.
set -eu

python3 "$ROOT/tests/lib/check_hostile.py" "$PPMINE"
