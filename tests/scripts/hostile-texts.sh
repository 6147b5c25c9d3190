#!/bin/bash
# Whatever a post, a file name, a database, a study or a result of another machine says, no command
# prints a character that a terminal takes for a command.
set -eu
. "$ROOT/tests/lib/dump.sh"
need python3 sqlite3 zstd

python3 "$ROOT/tests/lib/hostile_texts.py" "$PPMINE" "$ROOT"
