#!/bin/bash
# Databases that cannot be used: exit code 5, the file is named and what to do, and nothing changes.
set -eu
. "$ROOT/tests/lib/dump.sh"
need sqlite3 python3

rows 1 60 | whole >Posts.xml
export PPMINE_BUSY_TIMEOUT_MS=200

load none.db 5 Posts.xml
says "none.db: "
says "ppmine init"
[ ! -e none.db ] || fail "a database was made"

sqlite3 foreign.db 'CREATE TABLE post (precious)'
cp foreign.db before.db
load foreign.db 5 Posts.xml
says "foreign.db: an SQLite database of another program"
same "a foreign database was changed" before.db foreign.db

echo "no database at all, only some text" >text.db
load text.db 5 Posts.xml
says "text.db: "

"$PPMINE" -q -d locked.db init
python3 - <<'EOF' &
import sqlite3, time

db = sqlite3.connect("locked.db", isolation_level=None)
db.execute("BEGIN EXCLUSIVE")
open("is-locked", "w").close()
time.sleep(60)
EOF
locker=$!
trap 'kill $locker 2>/dev/null || :' EXIT
for _ in $(seq 100); do [ -e is-locked ] || sleep 0.1; done
load locked.db 5 Posts.xml
says "locked.db: locked by another process"
kill $locker
wait $locker 2>/dev/null || :
load locked.db 0 Posts.xml
[ "$(count locked.db)" -eq 60 ] || fail "after the lock was gone: $(count locked.db) posts"

# A locked database is waited for.
rm -f is-locked
python3 - <<'EOF' &
import sqlite3, time

db = sqlite3.connect("locked.db", isolation_level=None)
db.execute("BEGIN IMMEDIATE")
open("is-locked", "w").close()
time.sleep(1)
EOF
locker=$!
for _ in $(seq 100); do [ -e is-locked ] || sleep 0.1; done
PPMINE_BUSY_TIMEOUT_MS=60000 load locked.db 0 Posts.xml
wait $locker

"$PPMINE" -q -d read-only.db init
chmod 444 read-only.db
if [ "$(id -u)" -ne 0 ]; then # root may write all the same
    load read-only.db 5 Posts.xml
    says "read-only.db: cannot be written"
fi
