#!/bin/bash
# An attribute of 100 MB: the row is named and left out, the others are loaded, and the program
# stays small.
set -eu
. "$ROOT/tests/lib/dump.sh"
need sqlite3 python3
skip_unless_as_it_is

{
    rows 1 11
    printf '  <row Id="12" PostTypeId="2" ParentId="11" Body="'
    head -c 100000000 /dev/zero | tr '\0' x
    printf '" CreationDate="2019-01-02T03:04:05.678" />\r\n'
    rows 13 20
} | whole >Posts.xml
"$PPMINE" -q -d some.db init
python3 - <<'EOF'
import os, resource, subprocess, sys

with open("said", "w") as said:
    code = subprocess.call([os.environ["PPMINE"], "-d", "some.db", "load", "Posts.xml"],
                           stderr=said)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
if code != 0:
    sys.exit(f"exit code {code}: {open('said').read()}")
if peak > 200 * 1024:
    sys.exit(f"{peak} KiB of memory at the peak")
EOF
says "post 12 left out: longer than 8 MiB"
[ "$(count some.db)" -eq 19 ] || fail "$(count some.db) posts are kept, expected 19"

# The dump ends in the attribute.
head -c 50000000 Posts.xml >cut.xml
load some.db 3 cut.xml
says "the file is truncated"
