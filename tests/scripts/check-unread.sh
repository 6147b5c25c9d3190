#!/bin/bash
# A folder of which something cannot be read, or looked at, is said and counted, and what an earlier scan
# found in it is still there: nobody mended it.
set -eu
. "$ROOT/tests/lib/dump.sh"
. "$ROOT/tests/lib/campaign.sh"
need sqlite3 strace
strace -o /dev/null true 2>/dev/null || { echo "strace may not look into programs here" && exit 77; }
ppmine -q -d before.db init

mkdir -p code/sub
program one >code/a.py
program one two >code/sub/b.py
scan() { "$PPMINE" -d "$1" check --no-config --fail-on never --project p --commit "$2" --date "2021-0$2-01" code; }
scan before.db 1 >/dev/null 2>&1
[ "$(sqlite3 before.db 'SELECT count(*) FROM finding_seen')" = 3 ] || fail "the first scan: not three findings"

# loses PATH CALL SEEN: the call fails for this path; of the findings so many are seen, others are unread
loses() {
    cp before.db after.db
    strace -f -qq -o /dev/null -P "$1" -e trace="$2" -e inject="$2:error=EACCES" \
        "$PPMINE" -d after.db check --no-config --fail-on never --project p --commit 2 --date 2021-02-01 code \
        >/dev/null 2>said || fail "$2 of $1: exit code $?: $(cat said)"
    got=$(sqlite3 -separator ' ' after.db "SELECT count(*) FILTER (WHERE how = 'found'),
        count(*) FILTER (WHERE how = 'unread') FROM finding_seen WHERE scan_id = 2")
    [ "$got" = "$3 $((3 - $3))" ] || fail "$2 of $1: found and unread: $got; $(cat said)"
    [ "$3" = 3 ] || grep -q 'could not be read; findings from earlier scans' said || fail "$2 of $1: not a word: $(cat said)"
    grep -q 'no longer found: 0' said || fail "$2 of $1: $(cat said)"
}

loses code/sub/ openat 1
loses code/sub newfstatat 1
loses code/sub/ newfstatat 1
loses code/sub/b.py openat 1
loses code/ openat 0
loses code/ newfstatat 0
loses code/ getdents64 0

# What is not there is no fault: a link to nowhere, and a folder that is gone for good.
ln -s nowhere code/link
rm -r code/sub
scan before.db 3 >/dev/null 2>said
! grep -q 'could not' said || fail "a link to nowhere: $(cat said)"
grep -q 'no longer found: 2' said || fail "a folder was removed: $(cat said)"
