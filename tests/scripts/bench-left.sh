#!/bin/bash
# What runs left in TMPDIR, and running, when they were killed with all that would have cleaned up, is
# removed by the next run; what a run that goes on has there, and what is another's, is not.
set -eu
. "$ROOT/tests/lib/bench.sh"

# start RESULTS: bench run of a case that hangs, in the background; its folder is in $folder when it runs.
# Runs with the same lock of the machine, or folder of results, would wait for each other.
start() {
    local tries=0 before
    before=$(ls "$TMPDIR")
    (PPMINE_BENCH_LOCK=$PWD/lock.$1 exec ppmine bench run --anyway --cases "$CASES" --python "$(command -v python3)" --results "$1" \
        --quiet forks-hang >/dev/null 2>&1) &
    pid=$!
    until folder=$(comm -13 <(echo "$before") <(ls "$TMPDIR") | grep '^ppmine-bench.' | head -1) &&
        [ -e "$TMPDIR/$folder/run/buggy.py" ]; do
        tries=$((tries + 1))
        [ "$tries" -lt 300 ] || complain 'the case does not run after 30 s'
        sleep 0.1
    done
}

start others
going_on=$folder going_on_pid=$pid
start results
all="$pid $(pgrep -P "$pid")" # and its worker
for one in $all; do
    kill -STOP "$one" # so that none of them sees another one's end
done
kill -KILL $all
wait "$pid" 2>/dev/null || :
[ -d "$TMPDIR/$folder" ] || complain 'the folder is gone although all were killed'
left=$folder

mkdir "$TMPDIR/ppmine-bench.dir" "$TMPDIR/elsewhere"
echo precious >"$TMPDIR/elsewhere/file"
ln -s "$TMPDIR/elsewhere" "$TMPDIR/ppmine-bench.link"
: >"$TMPDIR/ppmine-bench.file"
run --runs 1 slow >/dev/null 2>err
grep -q "$left was left behind, and is removed" err || complain "no word of it: $(cat err)"
[ ! -e "$TMPDIR/$left" ] || complain 'what was left behind is still there'
[ -e "$TMPDIR/$going_on/run/buggy.py" ] || complain 'the folder of another run was removed'
[ "$(cat "$TMPDIR/elsewhere/file")" = precious ] || complain 'a link was followed'
[ -L "$TMPDIR/ppmine-bench.link" ] && [ -f "$TMPDIR/ppmine-bench.file" ] ||
    complain 'what is no folder was removed'
[ ! -e "$TMPDIR/ppmine-bench.dir" ] || complain 'an empty folder of that name is still there'
kill -TERM "$going_on_pid"
wait "$going_on_pid" 2>/dev/null || :
rm -r "$TMPDIR/ppmine-bench.link" "$TMPDIR/ppmine-bench.file" "$TMPDIR/elsewhere"
nothing_left 'after all of it'
