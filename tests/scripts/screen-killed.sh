#!/bin/bash
# An answer that is killed (SIGKILL) before any of its writes is written whole or not at all: the
# judgement and how the post came to be read.
set -eu
. "$ROOT/tests/lib/dump.sh"
need sqlite3 cc
skip_when_slow

cc -shared -fPIC -O1 -o kill.so "$ROOT/tests/preload/kill_at_write.c" -ldl
ppmine -q init
ppmine -q load "$ROOT/studies/dlperf/sample/Posts.xml"
ppmine -q screen --coder ann --answer yes 204 >shown
for answer in no yes unsure; do
    cp ppmine.db some.db
    rm -f writes
    COUNT_WRITES=$PWD/writes LD_PRELOAD=$PWD/kill.so \
        "$PPMINE" -q -d some.db screen --coder ann --no-cache --answer "$answer" 121 >shown
    writes=$(cat writes)
    [ "$writes" -gt 4 ] || fail "only $writes writes are seen"
    for ((n = 1; n <= writes; n++)); do
        rm -f some.db*
        cp ppmine.db some.db
        (KILL_AT_WRITE=$n LD_PRELOAD=$PWD/kill.so \
            "$PPMINE" -q -d some.db screen --coder ann --no-cache --answer "$answer" 121) >shown 2>killed &&
            fail "write $n of $writes: nobody was killed"
        sqlite3 some.db "SELECT post_id, iif(is_problem, 'yes', 'no') FROM judgement
            WHERE post_id IN (SELECT post_id FROM post) ORDER BY 1" >judged
        sqlite3 some.db "SELECT post_id, answer FROM screening WHERE answer <> 'unsure' ORDER BY 1" >screened
        same "$answer, write $n of $writes: a judgement without its screening, or the reverse" judged screened
    done
    "$PPMINE" -q -d some.db screen --coder ann --no-cache --answer "$answer" 121 >shown
    [ "$(sqlite3 some.db "SELECT answer FROM screening WHERE post_id = 121")" = "$answer" ] ||
        fail "$answer: not written after all kills"
done
