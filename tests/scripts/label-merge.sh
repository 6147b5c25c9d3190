#!/bin/bash
# Merging coders' databases: in every order, and as often as one likes, the same comes out, and what
# an oracle without ppmine makes of the rows. And a file whose log cannot be read is refused.
set -eu

. "$ROOT/tests/lib/labels.sh"

# seed and rounds; a failure names the seed
if [ -n "${TEST_WRAPPER-}" ]; then rounds=1; else rounds=4; fi
mkdir orders
(cd orders && python3 "$ROOT/tests/reference/label_merge.py" 2026 "$rounds")

# As many decisions as a large study has, in seconds.
small_study large.db
cp large.db other.db
python3 - other.db <<'PYTHON'
import hashlib, json, sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("INSERT INTO coder VALUES ('ann', 0)")
for i in range(1, 20001):
    at = "2026-01-01T00:00:00.000Z"
    content = json.dumps(["ann", str(i), "symptom", ["slow"], at], separators=(",", ":"))
    connection.execute("INSERT INTO decision VALUES (?, ?, 'ann', ?, ?, 'symptom', '[\"slow\"]', 1,"
                       " NULL, NULL, NULL, NULL)",
                       (hashlib.sha256(content.encode()).hexdigest(), at, str(i), i))
connection.commit()
connection.close()
PYTHON
ppmine -d large.db label merge other.db --format csv
[ "$(sqlite3 large.db 'SELECT count(*) FROM label')" = 20000 ]

# A log that SQLite cannot read where it is: as anybody but root.
[ "$(id -u)" = 0 ] || run_as=
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    run_as='setpriv --reuid=65534 --clear-groups --'
fi
if [ -n "${run_as+set}" ] && [ -z "${TEST_WRAPPER-}" ] && [ "${TEST_FLAVOUR-release}" = release ]; then
    folder=$(mktemp -d)
    trap 'chmod -R u+w "$folder"; rm -rf "$folder"' EXIT
    mkdir "$folder/there" "$folder/ours"
    cp other.db "$folder/there/"
    mv large.db "$folder/ours/"
    cp "$TEST_BUILD/ppmine" "$folder/"
    cd "$folder"
    python3 - there/other.db <<'PYTHON'
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("INSERT INTO coder VALUES ('in the log', 0)")
connection.commit()
os._exit(0)
PYTHON
    rm there/other.db-shm
    chmod 755 . ppmine && chmod 777 ours && chmod 666 ours/* && chmod 444 there/* && chmod 555 there
    # shellcheck disable=SC2086 # words
    merge() { rc=0 && $run_as ./ppmine -d ours/large.db label merge there/other.db >out 2>said || rc=$?; }
    merge
    cat said
    [ "$rc" = 5 ]
    grep -q 'copy both into a folder that can be written' said
    chmod 755 there && rm there/other.db-wal && chmod 555 there
    merge # on a medium that cannot be written, without a log: as one that nobody changes
    cat said
    [ "$rc" = 0 ]
    [ "$(ls there)" = other.db ]
fi
