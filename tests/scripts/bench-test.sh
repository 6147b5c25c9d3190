#!/bin/bash
# bench test: what scripts compute, against fixed.py of a case; a case that hangs at its small size.
set -eu
. "$ROOT/tests/lib/bench.sh"

# outcome RC WANTED ID [FILE…]: the exit code, and the outcomes in order
outcome() {
    local rc=0 wanted=$1 outcomes=$2 got
    shift 2
    ppmine bench test --cases "$CASES" --python "$(command -v python3)" --format json "$@" >out 2>err || rc=$?
    [ "$rc" -eq "$wanted" ] || complain "$*: exit code $rc, expected $wanted: $(cat err)"
    got=$(jq -r 'map(.outcome) | join(" ")' out)
    [ "$got" = "$outcomes" ] || complain "$*: $got, expected: $outcomes"
    nothing_left "after $*"
}

outcome 0 same slow
outcome 1 differs unequal
sed 's/digest(/digest(7, /' "$CASES/slow/fixed.py" >other.py
echo 'raise RuntimeError("of no use")' >fails.py
echo 'print("nothing")' >silent.py
outcome 1 'same differs fails fails' slow "$CASES/slow/buggy.py" other.py fails.py silent.py
jq -e '.[2].why == "RuntimeError: of no use" and .[3].why == "printed no digest"' out >/dev/null ||
    complain "the reasons: $(cat out)"

outcome 1 differs hang-unequal
outcome 1 fails hang-always
outcome 1 fails hang # it has no small size
jq -e '.[0].why == "still running after 2 s"' out >/dev/null || complain "the reason: $(cat out)"

# fails RC PATTERN ARGUMENT…
fails() {
    local rc=0 wanted=$1 pattern=$2
    shift 2
    ppmine bench test --cases "$CASES" --python "$(command -v python3)" "$@" >out 2>err || rc=$?
    [ "$rc" -eq "$wanted" ] && grep -qE -e "$pattern" err ||
        complain "$*: exit code $rc, expected $wanted with '$pattern': $(cat err)"
}
fails 2 "there is no case 'none'; 'ppmine bench list' names them" none
fails 6 'missing.py: No such file' slow missing.py

mkdir -p mine/cases
cp -r "$ROOT/tests/data/bench-cases/lib" mine
cp -r "$CASES/slow" mine/cases
CASES=$PWD/mine/cases
cp fails.py mine/cases/slow/fixed.py
fails 3 'slow: fixed.py fails: RuntimeError' slow
sed -i 's/^reason =.*/reason = two machines are needed/' mine/cases/slow/case.ini
fails 3 'slow: two machines are needed' slow
