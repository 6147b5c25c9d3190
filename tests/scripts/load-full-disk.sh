#!/bin/bash
# A full disk: exit code 6 with words, what was committed stays, and with room the same command
# again finishes the job.
set -eu
. "$ROOT/tests/lib/dump.sh"
need sqlite3

rows 1 20000 | whole >Posts.xml
"$PPMINE" -q -d whole.db init
load whole.db 0 Posts.xml
content whole.db >whole

finish() { # DATABASE HOW
    [ "$(sqlite3 "$1" 'PRAGMA integrity_check')" = ok ] || fail "$2: the database is damaged"
    kept=$(count "$1")
    [ "$kept" -lt 20000 ] || fail "$2: all posts are there"
    [ $((kept % 1000)) -eq 0 ] || fail "$2: $kept posts, which are no whole batches"
    cp "$1" roomy.db
    [ ! -e "$1-wal" ] || cp "$1-wal" roomy.db-wal
    load roomy.db 0 Posts.xml
    content roomy.db >roomy
    same "$2, then with room: other posts than undisturbed" whole roomy
    rm -f roomy.db*
}

# A limit on the size of files. The signal that comes with it is ignored, so that writing fails.
"$PPMINE" -q -d limited.db init
(
    trap '' XFSZ
    ulimit -f 3000 # KiB
    load limited.db 6 --batch 1000 Posts.xml
)
says "limited.db: no space left on the disk, or over a quota or limit"
finish limited.db "a limit on the file's size"

# The same for the temporary file of answers that come before their question.
awk 'BEGIN { for (id = 1; id <= 20000; id++)
    printf "<row Id=\"%d\" PostTypeId=\"2\" ParentId=\"50000\" Body=\"%0150d\" />\n", id, id
}' | whole >answers.xml
"$PPMINE" -q -d limited2.db init
(
    trap '' XFSZ
    ulimit -f 3000
    load limited2.db 6 answers.xml
)
says "temporary file for what waits for the end of the file: File too large"

# A file system that is too small, where this user can make one.
mkdir small
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=3m none small 2>/dev/null; then
    trap 'umount -l small' EXIT
    "$PPMINE" -q -d small/full.db init
    load small/full.db 6 --batch 1000 Posts.xml
    says "small/full.db: no space left on the disk"
    finish small/full.db "a full disk"
fi
