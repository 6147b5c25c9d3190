#!/bin/bash
# The cases of check's rules have the same findings when modules have other names, arguments another order, and
# lines another layout.
set -eu

python3 "$ROOT/tests/lib/check_respelled.py" "$PPCHECK" "$ROOT/tests/check" >said || { cat said; exit 1; }
