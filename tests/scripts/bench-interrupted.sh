#!/bin/bash
# Ctrl-C, twice too, SIGTERM, a terminal that is closed or sends SIGQUIT, and even SIGKILL leave no process of a run behind, and no result; nor
# while the Python is asked for its versions.
set -eu
. "$ROOT/tests/lib/bench.sh"

# started N SCRIPT: waits until N processes run, the script among them.
started() {
    local tries=0 files=
    while files=$(grep -lz -e "^HOME=$TMPDIR/ppmine-bench." /proc/[0-9]*/environ 2>/dev/null)
        # shellcheck disable=SC2086 # a list of paths
        [ "$(printf '%s' "$files" | grep -c .)" -lt "$1" ] ||
            ! grep -qzxF "$2" ${files//environ/cmdline} 2>/dev/null; do
        tries=$((tries + 1))
        [ "$tries" -lt 300 ] || complain "of $1 processes with $2, only these after 30 s: $files"
        sleep 0.1
    done
}

# begin PYTHON: runs the case in the background. A shell's background jobs ignore SIGINT, which
# Python can undo.
begin() {
    python3 -c 'import os, signal, sys
for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
    signal.signal(number, signal.SIG_DFL)
os.setpgrp()
os.execvp(sys.argv[1], sys.argv[1:])' "$TEST_BUILD/ppmine" bench run --anyway --cases "$CASES" \
        --python "$1" --results results --quiet forks-hang >out 2>err &
    pid=$!
}

# send SIGNAL…: a second one that came at once would be one with the first. +SIGNAL goes to the whole
# group, as from a terminal.
send() {
    local signal
    for signal; do
        case $signal in
        +*) kill -s "${signal#+}" -- "-$pid" 2>/dev/null || : ;;
        *) kill -s "$signal" "$pid" 2>/dev/null || : ;;
        esac
        sleep 0.02
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

python=$(python3 -c 'import sys; print(sys.executable)')
# Ctrl-C reaches the workers as well as the program that stops them: two signals at once are no second
# Ctrl-C.
for how in INT 'INT INT' TERM KILL HUP QUIT +HUP +QUIT +INT '+STOP +INT +TERM +CONT'; do
    begin "$python"
    started 4 buggy.py # itself, and its three children
    # shellcheck disable=SC2086 # words
    send $how
    rc=0
    wait "$pid" 2>/dev/null || rc=$?
    case $how in
    *TERM*) wanted=143 ;;
    *INT*) wanted=130 ;;
    *HUP) wanted=129 ;;
    *QUIT) wanted=131 ;;
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

cat >slow-python <<EOF
#!/bin/sh
[ "\$1" != versions.py ] || sleep 60 || exit
exec "$python" "\$@"
EOF
chmod +x slow-python
for how in INT 'INT INT' 'INT INT INT' TERM HUP +QUIT; do
    begin "$PWD/slow-python"
    started 1 versions.py
    # shellcheck disable=SC2086 # words
    send $how
    wait "$pid" 2>/dev/null || :
    nothing_left "asked for versions, after SIG$how"
    [ ! -s err ] || complain "asked for versions, SIG$how: $(cat err)"
done

# nohup: what is to outlive its terminal does.
(trap '' HUP && exec "$TEST_BUILD/ppmine" bench run --anyway --cases "$CASES" --python "$python" --results kept \
    --quiet --runs 2 slow >out 2>err) &
pid=$!
started 1 buggy.py
kill -s HUP "$pid"
rc=0
wait "$pid" 2>/dev/null || rc=$?
[ "$rc" -eq 0 ] && [ -s kept/slow.json ] || complain "nohup: exit code $rc: $(cat err)"
