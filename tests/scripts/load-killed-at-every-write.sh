#!/bin/bash
# A load that is killed (SIGKILL) before any of its writes leaves a sound database with whole
# batches; the same command again finishes the job, and once more changes nothing. So for a new
# database and for one that is brought up to date.
set -eu
. "$ROOT/tests/lib/dump.sh"
need sqlite3 cc
skip_when_slow

STEPS=200 # of each load; a longer one is killed at so many of its writes, evenly spread
BATCH=20
cc -shared -fPIC -O1 -o kill.so "$ROOT/tests/preload/kill_at_write.c" -ldl
rows 1 60 | whole >first.xml
{ rows 1 30 2; rows 31 40; rows 41 70 2; } | whole >second.xml

run_load() { # DATABASE DUMP
    "$PPMINE" -q -d "$1" load --batch $BATCH "$2"
}

# check_killed START DUMP N: what is there is what was there and the first posts, in whole batches:
# new ones first; those that are held wait for the date of the dump
check_killed() {
    [ "$(sqlite3 some.db 'PRAGMA integrity_check')" = ok ] || fail "write $3: a damaged database"
    local kept
    kept=$(sqlite3 some.db "ATTACH '$1' AS start; ATTACH 'whole.db' AS whole;
        SELECT count(*) FROM (
            SELECT post_id, score, body_sha256, last_edited_at FROM main.post
            EXCEPT SELECT post_id, score, body_sha256, last_edited_at FROM start.post)")
    expected=$(sqlite3 whole.db "ATTACH '$1' AS start;
        SELECT sum(n) OVER (ORDER BY batch) FROM (
            SELECT (row_number - 1) / $BATCH AS batch, sum(differs) AS n FROM (
                SELECT row_number() OVER (ORDER BY s.post_id IS NOT NULL, w.post_id) AS row_number,
                       w.score IS NOT s.score OR w.body_sha256 IS NOT s.body_sha256 AS differs
                FROM main.post AS w LEFT JOIN start.post AS s USING (post_id))
            GROUP BY batch)")
    grep -qx "$kept" <<<"0
$expected" || fail "write $3: $kept new or changed posts are kept, which are no whole batches"
}

# check START DUMP: kills the load of DUMP into a copy of START
check() {
    local writes n step
    cp "$1" whole.db
    COUNT_WRITES=$PWD/writes LD_PRELOAD=$PWD/kill.so run_load whole.db "$2"
    writes=$(cat writes)
    [ "$writes" -gt 10 ] || fail "only $writes writes are seen"
    content whole.db >whole
    step=$(((writes + STEPS - 1) / STEPS))
    for ((n = 1; n <= writes; n += step)); do
        rm -f some.db*
        cp "$1" some.db
        (KILL_AT_WRITE=$n LD_PRELOAD=$PWD/kill.so run_load some.db "$2") 2>killed &&
            fail "write $n of $writes: nobody was killed"
        check_killed "$1" "$2" "$n"
        run_load some.db "$2"
        content some.db >some
        same "write $n of $writes, then again: other posts than undisturbed" whole some
        untouched some.db >before
        run_load some.db "$2"
        untouched some.db >after
        same "write $n of $writes, then twice: the second load changes something" before after
    done
}

"$PPMINE" -q -d empty.db init
check empty.db first.xml
cp empty.db held.db
run_load held.db first.xml
check held.db second.xml
