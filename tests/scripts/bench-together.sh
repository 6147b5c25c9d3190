#!/bin/bash
# Two that measure on a machine take turns, also into different folders of results, and those of two
# machines that measure into one folder; the table of each is its own.
set -eu
. "$ROOT/tests/lib/bench.sh"

mkdir -p mine/lib mine/cases/slowly
sed -e 's/^problem_id = .*/problem_id = slowly/' "$CASES/slow/case.ini" >mine/cases/slowly/case.ini
cat >mine/cases/slowly/buggy.py <<END
import os, time
open("$PWD/began", "a").write("x\n")
while not os.path.exists("$PWD/go"):
    time.sleep(0.05)
print("ppcase work_seconds", 4)
print("ppcase digest sha256:0")
END
cat >mine/cases/slowly/fixed.py <<'END'
print("ppcase work_seconds", 2)
print("ppcase digest sha256:0")
END
sed -i 's/^metric = .*/metric = work_time/' mine/cases/slowly/case.ini

begin() {
    exec "$TEST_BUILD/ppmine" bench "$@" --anyway --cases mine/cases --python "$(command -v python3)" --format csv
}
until_there() {
    local tries=0
    until grep -q "$2" "$1" 2>/dev/null; do
        tries=$((tries + 1))
        [ "$tries" -lt 300 ] || complain "after 30 s $1 has no '$2': $(cat "$1")"
        sleep 0.1
    done
}

(begin run --results deep/results --runs 2) >first 2>first.err &
first=$!
until_there began x
(PPMINE_BENCH_LOCK=$PWD/another-machine begin run --results ./deep/results --runs 1 --seed 7 --resume) \
    >second 2>second.err &
second=$!
until_there second.err "deep/results: another run is at work (process $first); waiting for its end"
(begin assess --results deep/results --run --runs 1) >third 2>third.err &
third=$!
until_there third.err "this machine: another run is at work (process $first); waiting for its end"
(begin run --results elsewhere --runs 1) >fourth 2>fourth.err &
fourth=$!
until_there fourth.err "this machine: another run is at work (process $first); waiting for its end"
[ "$(wc -l <began)" -eq 1 ] || complain "two measure at the same time: $(wc -l <began) runs"
# What was measured earlier can be looked at meanwhile, and other machines are free.
ppmine bench report --cases mine/cases --results deep/results >out 2>err || complain "report waits: $(cat err)"
ppmine bench assess --anyway --cases mine/cases --results deep/results >out 2>err || complain "assess: $(cat err)"

touch go
PPMINE_BENCH_LOCK=$PWD/third-machine ppmine bench run --anyway --quiet --cases mine/cases \
    --python "$(command -v python3)" --results other --runs 1 >out 2>err ||
    complain "another machine: $(cat err)"
for name in first second third fourth; do
    rc=0
    wait "${!name}" || rc=$?
    [ "$rc" -eq 0 ] || complain "$name: exit code $rc: $(cat $name.err)"
done
grep -q '^slowly,reproduced,' first || complain "the table of the first: $(cat first first.err)"
# One run is no verdict.
grep -q '^slowly,not reproduced here,' second || complain "the table of the second: $(cat second second.err)"
# Three runs with the warm-up, two, and those of the assessment and the other folder.
jq -e '.seed == 7 and ([.buggy.runs[] | select(.warm_up | not)] | length) == 1' \
    deep/results/slowly.json >/dev/null || complain "the last one is not there: $(jq -c .seed deep/results/slowly.json)"
[ -e deep/results/assessment/slowly.json ] || complain "no assessment: $(cat third.err)"
[ "$(find deep -type f | LC_ALL=C sort | tr '\n' ' ')" = 'deep/results/.run-lock deep/results/assessment/slowly.json deep/results/slowly.json ' ] ||
    complain "left: $(find deep -type f)"
nothing_left 'after all'
