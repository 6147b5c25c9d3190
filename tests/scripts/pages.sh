#!/bin/bash
# The commands on pages of docs/ work, in the order in which they are written, and print what is there.
set -eu
. "$ROOT/tests/lib/dump.sh"
need python3 jq sqlite3

for page in posts; do
    mkdir "$page"
    (cd "$page" && python3 "$ROOT/tests/lib/page.py" "$ROOT/docs/$page.md")
done
