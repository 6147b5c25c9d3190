#!/bin/bash
# bench import-original: folders of problems become cases, wherever they are; what is none is left; and
# they run beside ours.
set -eu
. "$ROOT/tests/lib/bench.sh"

pair() {
    mkdir -p "$1"
    printf 'sum(range(%s))\n' 4000000 >"$1/buggy.py"
    echo 'sum(range(4))' >"$1/fixed.py"
}
pair set/tf/64246466
pair set/keras/65160023_1/code
pair set/12345678
pair set/notes
mkdir set/66441843
echo 'pass' >set/66441843/buggy.py
ppmine bench import-original set --cases "$ROOT/bench/cases" --format csv >out
cat >wanted <<'END'
problem_id,ours,our_metric,path
12345678,,,set/12345678
65160023_1,faithful,work_time,set/keras/65160023_1/code
64246466,faithful,work_time,set/tf/64246466
END
diff wanted out || complain 'other cases are taken'
[ "$(ls original/cases | tr '\n' ' ')" = '12345678 64246466 65160023_1 ' ] || complain "$(ls original/cases)"
cmp set/tf/64246466/buggy.py original/cases/64246466/buggy.py
# A run that was cut off is made whole by the next one.
rm original/cases/12345678/fixed.py original/cases/64246466/case.ini
ppmine bench import-original set --cases "$ROOT/bench/cases" --format csv >out
diff wanted out || complain 'after a run that was cut off other cases are taken'
cmp set/12345678/fixed.py original/cases/12345678/fixed.py && [ -s original/cases/64246466/case.ini ]

# Nothing is compared, and what is timed is the whole process.
sed -i '/^tensorflow/d' original/cases/64246466/case.ini
mkdir -p original/lib
ppmine bench run --anyway --cases original/cases --python "$(command -v python3)" --results results --runs 2 \
    64246466 --format json --quiet >out
jq -e '.[0] | .metric == "time" and .verdict != "broken" and .buggy > .fixed' out >/dev/null || complain "run: $(cat out)"

rc=0
ppmine bench import-original set --cases "$ROOT/bench/cases" >out 2>err || rc=$?
[ "$rc" -eq 6 ] && grep -q 'original/cases/64246466/case.ini: there is such a file already' err || complain "again: $rc: $(cat err)"
ln -s /etc/passwd set/66441843/fixed.py
rc=0
ppmine bench import-original set --out other --cases "$ROOT/bench/cases" >out 2>err || rc=$?
[ "$rc" -eq 3 ] && grep -q 'fixed.py: a link that leads out' err || complain "a link: $rc: $(cat err)"
mkdir empty
rc=0
ppmine bench import-original empty --cases "$ROOT/bench/cases" >out 2>err || rc=$?
[ "$rc" -eq 1 ] && [ ! -s out ] || complain "nothing there: $rc"
