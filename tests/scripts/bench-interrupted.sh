#!/bin/bash
# Ctrl-C, twice too, SIGTERM and even SIGKILL leave no process of a run behind, and no result.
set -eu
. "$ROOT/tests/lib/bench.sh"

# Waits until the case's processes run: itself, and its three children.
started() {
    local tries=0 n
    while n=$(grep -lz -e "^HOME=$TMPDIR/ppmine-bench." /proc/[0-9]*/environ 2>/dev/null | wc -l) &&
        [ "$n" -lt 4 ]; do
        tries=$((tries + 1))
        [ "$tries" -lt 300 ] || complain "only $n processes after 30 s"
        sleep 0.1
    done
}

# Once the program was killed, its workers clean up on their own.
gone() {
    local tries=0
    while grep -qlz -e "^HOME=$TMPDIR/ppmine-bench." /proc/[0-9]*/environ 2>/dev/null; do
        tries=$((tries + 1))
        [ "$tries" -lt 300 ] || break
        sleep 0.1
    done
}

for how in INT 'INT INT' TERM KILL; do
    # A shell's background jobs ignore SIGINT, which Python can undo.
    python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])' "$TEST_BUILD/ppmine" bench run --cases "$CASES" \
        --python "$(command -v python3)" --results results --quiet forks-hang >out 2>err &
    pid=$!
    started
    for signal in $how; do
        kill -s "$signal" "$pid" 2>/dev/null || :
    done
    rc=0
    wait "$pid" 2>/dev/null || rc=$?
    case $how in
    INT*) wanted=130 ;;
    TERM) wanted=143 ;;
    KILL) wanted=137 && gone ;;
    esac
    [ "$rc" -eq "$wanted" ] || complain "SIG$how: exit code $rc, expected $wanted: $(cat err)"
    # Nobody removes the folder when all are killed at once; processes end all the same.
    if [ "$how" = KILL ]; then
        no_process_left "after SIG$how"
    else
        nothing_left "after SIG$how"
    fi
    [ ! -e results/forks-hang.json ] || complain "SIG$how: a run that was stopped has a result"
done
