#!/bin/bash
# Who else uses the processors: bench run refuses, waits, or measures and records it; rounds during which
# others came are run again. Rounds go on until the interval is narrow. What /proc/stat says is made here.
set -eu
. "$ROOT/tests/lib/bench.sh"

[ -z "${TEST_WRAPPER-}" ] && [ "${TEST_FLAVOUR-release}" = release ] || { echo 'preloads a library' && exit 77; }
cc -shared -fPIC -O1 -o stat.so "$ROOT/tests/preload/proc_stat.c" -ldl

# used N: processors have been used for N ticks of 10 ms, of all kinds
used() {
    printf 'cpu  %d 1 1 99999 999 1 1 1 0 0\ncpu0 0 0 0 0\n' "$1" >stat.new
    mv stat.new stat
}

mkdir -p mine/cases mine/lib
cp "$ROOT"/tests/data/bench-cases/lib/*.py mine/lib
# new_case ID METRIC: buggy.py on standard input
new_case() {
    mkdir -p "mine/cases/$1"
    sed "s/^problem_id = .*/problem_id = $1/; s/^metric = .*/metric = $2/" "$CASES/slow/case.ini" \
        >"mine/cases/$1/case.ini"
    cat >"mine/cases/$1/buggy.py"
    printf 'print("ppcase work_seconds 1\\nppcase digest sha256:0")\n' >"mine/cases/$1/fixed.py"
}
bench() {
    LD_PRELOAD=$PWD/stat.so PROC_STAT=$PWD/stat timeout 300 "$TEST_BUILD/ppmine" bench run --cases mine/cases \
        --python "$(command -v python3)" --results results "$@" >out 2>err
}
# holds ID FILTER: what jq says of the result is true
holds() {
    [ "$(jq "$2" "results/$1.json")" = true ] ||
        complain "$1: not so: $2: $(jq -c '.others, .verdict, .why' "results/$1.json"): $(cat err)"
}
is() { # RC WHAT COMMAND…
    local wanted=$1 what=$2 rc=0
    shift 2
    "$@" || rc=$?
    [ "$rc" -eq "$wanted" ] || complain "$what: exit code $rc, expected $wanted: $(cat err)"
}

new_case plain work_time <<'END'
print("ppcase work_seconds 2\nppcase digest sha256:0")
END

# Nobody else: nothing is waited for.
used 100
is 0 idle bench --runs 3 plain
holds plain '.verdict == "reproduced" and .others.measured == "refuse" and .others.runs_disturbed == 0
    and ([.buggy, .fixed] | all(.runs | length == 4))'

# Somebody uses half of a processor.
python3 - <<'END' &
import os, time
began, ppid = time.monotonic(), os.getppid()
while os.getppid() == ppid:
    with open("stat.new", "w") as file:
        file.write(f"cpu  100 {int((time.monotonic() - began) * 50)} 1 99999 999 1 1 1 0 0\n")
    os.rename("stat.new", "stat")
    time.sleep(0.01)
END
other=$!
sleep 1
rm -r results
is 6 'others are there' bench --runs 3 plain
grep -qE 'others use 0\.[3-7] of [0-9]+ processors, .*--when-idle waits for them, --anyway measures' err ||
    complain "refused with other words: $(cat err)"
[ -z "$(ls results)" ] && [ ! -s out ] || complain "refused, and measured: $(ls results; cat out)"
is 0 '--anyway' bench --runs 2 --anyway plain
holds plain '.others.measured == "anyway"'
is 2 'both' bench --when-idle --anyway plain
# What cannot run anyway needs no idle machine.
cp -r "$CASES/gpu" mine/cases
is 0 'not runnable' bench gpu

rm -r results
bench --runs 3 --when-idle plain &
waiting=$!
tries=0
until grep -qE 'plain: others use 0\.[3-7] of [0-9]+ processors; waiting until they do not' err; do
    tries=$((tries + 1))
    [ "$tries" -lt 300 ] || complain "no word of waiting: $(cat err)"
    sleep 0.1
done
sleep 2
[ ! -e results/plain.json ] || complain 'it did not wait'
kill "$other"
wait "$other" 2>/dev/null || :
rc=0
wait "$waiting" || rc=$?
[ "$rc" -eq 0 ] || complain "--when-idle: exit code $rc: $(cat err)"
[ "$(grep -c waiting err)" -eq 1 ] || complain "said more than once: $(cat err)"
holds plain '.others.measured == "when idle" and .verdict == "reproduced"'

# Others come during the third and the fourth run of all, which are the first round after the warm-up, and
# then not: the round is put aside, and run again.
new_case visited work_time <<'END'
import os, time
path = os.environ["COUNTER"]
n = int(open(path).read()) if os.path.exists(path) else 0
open(path, "w").write(str(n + 1))
if n in map(int, os.environ["VISITS"].split(",")):
    open(path + ".new", "w").write(f"cpu {1000 * (n + 1)} 0 0 0 0 0 0\n")
    os.rename(path + ".new", os.environ["STAT"])
time.sleep(0.4)
print("ppcase work_seconds 2\nppcase digest sha256:0")
END
visited() { # VISITS ARGUMENT…
    rm -f count
    used 0
    local visits=$1
    shift
    bench --env VISITS="$visits" --env COUNTER="$PWD/count" --env STAT="$PWD/stat" "$@" visited
}
is 0 'a visit' visited 1 --runs 3 --when-idle
holds visited '.verdict == "reproduced" and .others.runs_put_aside == 2 and .others.runs_disturbed == 0
    and (.buggy.runs | map(.warm_up) == [true, true, false, false, false])
    and (.buggy.runs | map(.disturbed // false) == [false, true, false, false, false])
    and .buggy.runs[1].others_processors > 1 and .fixed.runs[1].disturbed'
# Always: as many rounds as asked for are put aside, then they count, and that is recorded.
is 0 'many visits' visited 1,2,3,4,5,6,7,8,9 --runs 2 --when-idle
holds visited '.others.runs_put_aside == 4 and .others.runs_disturbed == 2 and (.buggy.runs | length) == 5
    and .others.most_processors > 1 and .others.mean_processors > 0.5'
is 0 'visits, anyway' visited 1 --runs 2 --anyway
holds visited '.others.runs_put_aside == 0 and .others.runs_disturbed == 1 and (.buggy.runs | length) == 3'

# A system that does not say it.
: >stat
is 0 'no figures' bench --runs 2 visited --env VISITS=99 --env COUNTER="$PWD/count" --env STAT=/nowhere
holds visited '.others.mean_processors == null and .buggy.runs[1].others_processors == null'

# Rounds go on until the interval is narrow: alternating 1.5 and 2.5 never is, the others are at once.
new_case wide work_time <<'END'
import os
path = os.environ["COUNTER"]
n = int(open(path).read()) if os.path.exists(path) else 0
open(path, "w").write(str(n + 1))
print("ppcase work_seconds", 1.5 + n % 2 if n < int(os.environ["WIDE"]) else 2)
print("ppcase digest sha256:0")
END
wide() { # N_WIDE WANTED ARGUMENT…: how many rounds are counted
    rm -f count
    local n=$1 wanted=$2
    shift 2
    bench --anyway --env COUNTER="$PWD/count" --env WIDE="$n" "$@" wide || complain "$(cat err)"
    [ "$(jq '[.buggy.runs[] | select(.warm_up | not)] | length' results/wide.json)" -eq "$wanted" ] ||
        complain "wide $n $*: not $wanted rounds: $(jq -c '[.buggy.runs[].metric], .why' results/wide.json)"
}
wide 0 5
wide 999 15
wide 999 7 --most 7
wide 999 3 --runs 3
wide 999 4 --runs 3 --most 4
wide 0 3 --runs 3 --most 9
wide 999 5 --narrow 100
wide 4 7
is 2 '--most below --runs' bench --runs 5 --most 4 plain
nothing_left 'after all of it'

# Threads and variables: what scripts get, what is recorded, and what makes a result another one.
new_case told time <<'END'
import os
assert os.environ["TF_NUM_INTRAOP_THREADS"] == os.environ["TF_NUM_INTEROP_THREADS"] == os.environ["WANTED"]
assert os.environ.get("PASSED") == os.environ.get("WANTED_PASSED"), os.environ.get("PASSED")
assert "NOT_PASSED" not in os.environ and os.environ["LC_ALL"] == os.environ.get("WANTED_LC", "C.UTF-8")
print("ppcase digest sha256:0")
END
export PASSED=yes NOT_PASSED=yes
told() { bench --runs 2 --anyway told "$@"; }
is 0 'as it is' told --env WANTED=2
holds told '.verdict != "broken" and .environment == {"threads": 2, "WANTED": "2"}'
is 0 'more threads' told --env WANTED=7 --threads 7 --env PASSED --env WANTED_PASSED=yes --env NOT_THERE \
    --env LC_ALL=C --env WANTED_LC=C
holds told '.verdict != "broken" and .environment.threads == 7 and .environment.PASSED == "yes"
    and (.environment | has("NOT_THERE") | not)'
is 0 'the same' told --env WANTED=7 --threads 7 --env PASSED --env WANTED_PASSED=yes --env LC_ALL=C \
    --env WANTED_LC=C --resume
grep -q 'told: has a result already' err || complain "the same again: $(cat err)"
is 0 'fewer threads' told --env WANTED=6 --threads 6 --resume
grep -q 'told: has a result already' err && complain 'with other threads it is the same result'
is 2 'no name' told --env 'A B=3'
is 2 'the home' told --env HOME=/
is 2 'threads otherwise' told --env TF_NUM_INTRAOP_THREADS=3
grep -q 'see --threads' err || complain "TF_NUM_INTRAOP_THREADS: $(cat err)"
