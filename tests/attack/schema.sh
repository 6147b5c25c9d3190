#!/bin/bash
# A database whose tables, views, indices and triggers are a stranger's: what is acknowledged is stored, the rest is
# refused by name.
set -eu
. "$ROOT/tests/lib/dump.sh"
need python3
skip_when_slow
PYTHONPATH=$ROOT/tests/lib python3 -B "$ROOT/tests/lib/hostile_schema.py"
