#!/bin/bash
# Two runs never overlap: the second says so and ends with 0, also when the first was killed before.
# SIGTERM commits and ends; the key is not in the list of processes.
set -eu
. "$ROOT/tests/lib/fetch.sh"
need python3 jq curl sqlite3
skip_below_wrapper

KEY=s3cr3t-k3y-of-tests
serve --generate 1500 --quota 100000
unset PPMINE_API_CLOCK # real time, so that there is some
control 'faults=slow,seconds=1'
"$PPMINE" -q -d some.db init

start() {
    PPMINE_API_KEY=$KEY "$PPMINE" -d some.db fetch --api-url "$API" --tag python --to 2029-12-31 2>first &
    first=$!
    for ((n = 0; n < 100; n++)); do
        [ "$(ask _violations | jq .requests)" -gt "$1" ] && return
        sleep 0.05
    done
    fail "the first run sends nothing: $(cat first)"
}

start 1
tr '\0' ' ' <"/proc/$first/cmdline" | grep -qF "$KEY" && fail "the key is in the list of processes"
rc=0
ln -s some.db link.db # a link to the database is the same database
fetch link.db --tag python || rc=$?
[ "$rc" -eq 0 ] || fail "the second run: exit code $rc: $(cat said)"
grep -q 'another run is at work (process [0-9]*); nothing was done' said || fail "it says: $(cat said)"
"$PPMINE" -d some.db fetch --status >/dev/null || fail "--status does not work beside a run"

kill -TERM "$first"
rc=0
wait "$first" || rc=$?
[ "$rc" -eq 143 ] || fail "SIGTERM: exit code $rc: $(cat first)"
grep -q 'what was fetched is kept' first || fail "SIGTERM: it says: $(cat first)"
[ "$(sqlite3 some.db "SELECT outcome FROM run WHERE command = 'fetch' ORDER BY run_id DESC")" = stopped ] ||
    fail "SIGTERM: the run has no end"
kept=$(sqlite3 some.db 'SELECT count(*) FROM post')

start "$(($(ask _violations | jq .requests) + 1))"
kill -KILL "$first"
wait "$first" 2>/dev/null || :
control 'faults=none'
PPMINE_API_CLOCK= fetch some.db --tag python --to 2029-12-31 --max-wait 0 ||
    fail "after SIGKILL: exit code $?: $(cat said)"
grep -q 'another run' said && fail "after SIGKILL the lock is held: $(cat said)"
grep -q 'the next run can continue' said || fail "after SIGKILL nothing is waited for: $(cat said)"
[ "$(sqlite3 some.db 'SELECT count(*) FROM post')" -ge "$kept" ] || fail "posts were lost"
