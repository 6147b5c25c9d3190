#!/bin/bash
# A terminal that is closed (SIGHUP) and Ctrl-\ (SIGQUIT) end every command as SIGTERM does, without a
# core dump; what nohup started goes on.
set -eu
. "$ROOT/tests/lib/dump.sh"
need sqlite3 python3
skip_when_slow

"$PPMINE" -q -d a.db init --published
mkfifo in
ulimit -c unlimited
export PPMINE_DB=a.db

wait_until_reads() { # PID: it is the program by now, and sleeps
    local n slept=0
    for ((n = 0; n < 600; n++)); do
        case $(cut -d' ' -f2,3 "/proc/$1/stat" 2>/dev/null) in
        '(ppmine) S') slept=$((slept + 1)) ;;
        *) slept=0 ;;
        esac
        [ "$slept" -lt 6 ] || return 0
        sleep 0.05
    done
    fail "${command-}: process $1 does not wait: $(cat said; cat "/proc/$1/stat")"
}

while read -r command; do
    for signal in HUP QUIT TERM; do
        # Background jobs of a shell without job control ignore SIGINT and SIGQUIT.
        # shellcheck disable=SC2086 # several words
        python3 -c 'import os, signal, sys
for s in (signal.SIGHUP, signal.SIGQUIT, signal.SIGINT): signal.signal(s, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])' "$PPMINE" -q $command <in >out 2>said &
        pid=$!
        exec 9>in
        wait_until_reads "$pid"
        kill -"$signal" "$pid"
        (exec 9>&-; sleep 60 && kill -9 "$pid") 2>/dev/null & # without the FIFO's end, which would keep the reader
        rc=0
        wait "$pid" 2>/dev/null || rc=$?
        kill $! 2>/dev/null || :
        exec 9>&-
        [ "$rc" -eq $((128 + $(kill -l "$signal"))) ] || fail "$command, SIG$signal: exit code $rc: $(cat said)"
        ! ls core* >/dev/null 2>&1 || fail "$command, SIG$signal: a core dump"
        [ "$(ls -A | grep -c unfinished || :)" = 0 ] || fail "$command, SIG$signal: left: $(ls -A)"
    done
done <<'END'
stem
match --stdin
load -
check --lsp
label import --coder a -
serve --coder ann --port 0 --no-browser
END
[ "$(sqlite3 a.db 'PRAGMA integrity_check')" = ok ] || fail "the database is damaged"

# Both signals in each wait of each command, timed.
PYTHONPATH=$ROOT/tests/lib python3 -B "$ROOT/tests/lib/signals.py"

(trap '' HUP && exec "$PPMINE" -q stem <in >out 2>said) &
pid=$!
exec 9>in
wait_until_reads "$pid"
kill -HUP "$pid"
echo training >&9
exec 9>&-
wait "$pid" || fail "nohup: exit code $?"
grep -q train out || fail "what nohup started did not go on: $(cat out said)"
