#!/bin/bash
# Ctrl-C while posts trickle in: exit code 130 at once, what was read is kept, and the same command
# again gives what an undisturbed load gives.
set -eu
. "$ROOT/tests/lib/dump.sh"
need sqlite3

rows 1 6000 | whole >Posts.xml
"$PPMINE" -q -d whole.db init
load whole.db 0 Posts.xml
content whole.db >whole

# interrupt SIGNAL EXPECTED_RC: the pipe stays open and gives nothing more when the signal comes
interrupt() {
    local rc=0 waited=0 seen=0
    rm -f some.db* pipe
    "$PPMINE" -q -d some.db init
    mkfifo pipe
    "$PPMINE" -d some.db load --batch 100 - <pipe 2>said &
    local pid=$!
    exec 9>pipe
    head -c 1200000 Posts.xml >&9
    while [ "$seen" -eq 0 ]; do
        sleep 0.1
        seen=$(sqlite3 some.db 'SELECT count(*) FROM post' 2>/dev/null || echo 0)
        waited=$((waited + 1))
        [ "$waited" -lt 300 ] || fail "nothing is loaded after 30 seconds: $(cat said)"
    done
    kill -s "$1" "$pid"
    wait "$pid" || rc=$?
    exec 9>&-
    [ "$rc" -eq "$2" ] || fail "SIG$1: exit code $rc, expected $2: $(cat said)"
    says "stopped; what was loaded is kept: run the same command again to continue"
    [ "$(sqlite3 some.db 'PRAGMA integrity_check')" = ok ] || fail "the database is damaged"
    [ "$(sqlite3 some.db 'SELECT outcome FROM run')" = stopped ] || fail "the run does not say so"
    [ "$(count some.db)" -ge "$seen" ] || fail "$seen posts were there, $(count some.db) are kept"
    [ "$(count some.db)" -lt 6000 ] || fail "the whole dump is there"
    load some.db 0 --batch 100 - <Posts.xml
    content some.db >some
    same "SIG$1, then again: other posts than undisturbed" whole some
}

# Background jobs of a shell ignore SIGINT, unless job control is on.
set -m
interrupt INT 130
interrupt TERM 143
