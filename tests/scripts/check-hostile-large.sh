#!/bin/bash
# The same of files of many megabytes, with errors in all their lines, or deep: done in time, and the rest is checked.
set -eu

python3 "$ROOT/tests/lib/check_hostile.py" "$PPMINE" large
