#!/bin/bash
# bench assess: what is measured of scripts that say under XLA and Profiler what they are told to say;
# what is kept, made again, and not judged.
set -eu
. "$ROOT/tests/lib/bench.sh"

mkdir -p mine/cases mine/lib
runs=$PWD/runs.log

# The driver modules: the real ones need TensorFlow. fake.way says how the script is run.
cat >mine/lib/fake.py <<END
import os, sys
way = "plain"
if os.environ.get("TF_XLA_FLAGS"):
    assert "auto_jit=2" in os.environ["TF_XLA_FLAGS"] and os.environ["TF_CPP_VMODULE"]
    way = "clusters"
way = os.environ.get("FAKE_WAY", way)
with open("$runs", "a") as log:
    log.write(way + "\n")
def compiled(at, seconds):
    print(f"2001-09-09 01:46:{at:02}.000000: I x.cc:1] Compilation of XLA executable time: {seconds} s (x)",
          file=sys.stderr)
# The marked part begins at 2001-09-09 01:46:40.
def say(seconds, digest="d", **more):
    print("ppcase work_began 1000000000\nppcase work_seconds", seconds)
    print("ppcase digest", digest)
    for key, value in more.items():
        print("ppcase", key, value)
END
for driver in ppxla:functions ppprofile:profile; do
    cat >mine/lib/${driver%:*}.py <<END
import os, runpy, sys
os.environ["FAKE_WAY"] = "${driver#*:}"
runpy.run_path(sys.argv[1], run_name="__main__")
END
done

# new_case ID COSTLY METRIC [SECONDS]: buggy.py on standard input; fixed.py takes 1 s; the time limit
new_case() {
    mkdir -p "mine/cases/$1"
    sed -e "s/^problem_id = .*/problem_id = $1/; s/^seconds = .*/seconds = ${4-60}/" \
        -e "s/^metric = .*/metric = $3\ncostly = $2/" "$CASES/slow/case.ini" >"mine/cases/$1/case.ini"
    cat >"mine/cases/$1/buggy.py"
    printf 'import fake\nfake.say(1)\n' >"mine/cases/$1/fixed.py"
}

# Two compilations: one of 3 s in the marked part, one of 4 s before it.
new_case solved '' work_time <<'END'
import fake
if fake.way == "clusters":
    fake.compiled(39, 4)
    fake.compiled(42, 3)
fake.say({"clusters": 4, "plain": 8}[fake.way])
END
new_case before '' work_time <<'END'
import fake
if fake.way == "clusters":
    fake.compiled(39, 7)
fake.say(8)
END
new_case nothing 'MatMul' work_time <<'END'
import fake
if fake.way == "profile":
    for seconds, name in [(9, "Relu"), (8, "eager execution"), (7, "_FusedMatMul"), ("x", "MatMul")]:
        print("ppcase entry", seconds, 12, name)
fake.say(8)
END
# Costly before and after: the Profiler does not tell them apart.
new_case both 'MatMul' work_time <<'END'
import fake
if fake.way == "profile":
    print("ppcase entry 9 12 MatMul")
fake.say(8)
END
cp mine/cases/both/buggy.py mine/cases/both/fixed.py
new_case leaks 'MatMul' memory_growth <<'END'
import fake
if fake.way == "profile":
    print("ppcase entry 9 12 MatMul")
fake.say(50, step_rss_kb="1000 2000 3000 4000 5000")
END
printf 'import fake\nfake.say(5, step_rss_kb="1000 1000 1000 1000 1000")\n' >mine/cases/leaks/fixed.py
new_case functions 'Iterator::Map' work_time <<'END'
import fake  # tf.function
if fake.way == "profile":
    for n in range(9):
        print("ppcase entry", 20 - n, 1, f"Op{n}")
    print("ppcase entry 1 1 Iterator::ParallelMapV2")
if fake.way == "functions":
    fake.compiled(41, 0.1)
fake.say(1.1 if fake.way == "functions" else 8)
END
# The clusters help a little, the functions more.
new_case better '' work_time <<'END'
import fake  # tf.function
if fake.way != "plain":
    fake.compiled(41, 0)
fake.say({"plain": 8, "clusters": 3, "functions": 2}[fake.way])
END
new_case crash 'Sum' work_time <<'END'
import fake, os  # tf.function
if fake.way != "plain":
    os.abort()
fake.say(8)
END
new_case differs '' work_time <<'END'
import fake
if fake.way != "plain":
    fake.compiled(41, 0)
fake.say(8 if fake.way == "plain" else 1, "d" if fake.way == "plain" else "other")
END
new_case slowed '' step_growth <<'END'
import fake
if fake.way != "plain":
    fake.compiled(39, 0)
    fake.say(50, step_seconds="10 10 10 10 10")
else:
    fake.say(8, step_seconds="1 2 3 4 5")
END
printf 'import fake\nfake.say(5, step_seconds="1 1 1 1 1")\n' >mine/cases/slowed/fixed.py
new_case hang '' hang 8 <<'END'
import fake, time
if fake.way != "plain":
    fake.compiled(39, 0)
time.sleep(60)
END
new_case busy '' work_time 8 <<'END'
import fake, time
if fake.way != "plain":
    fake.compiled(41, 0)
    time.sleep(60)
fake.say(8)
END
new_case broken '' work_time <<'END'
import fake
if fake.way == "plain":
    raise RuntimeError("of no use")
fake.compiled(41, 0)
fake.say(8)
END

assess() {
    ppmine bench assess --anyway --cases mine/cases --results results --python "$(command -v python3)" "$@"
}

# grade ID APPROACH WANTED [PATTERN]
grade() {
    local got why
    got=$(jq -r ".$2.status" "results/assessment/$1.json") why=$(jq -r ".$2.why" "results/assessment/$1.json")
    [ "$got" = "$3" ] || complain "$1: $2: $got ($why), expected: $3"
    [ -z "${4-}" ] || grep -qE -e "$4" <<<"$why" || complain "$1: $2: the reason is: $why"
}

rc=0
assess --run --runs 2 --format csv >out 2>err || rc=$?
[ "$rc" -eq 6 ] || complain "exit code $rc with two cases that cannot be judged, expected 6: $(cat err)"
nothing_left 'after all cases'
[ ! -s out ] || complain "a table although some cases have no assessment"

# 8 s with 4 s of compiling before that do not count: (4 - 3) s against 1 s.
grade solved xla solved '^8.00 times better with XLA, 2.00 with its compiling counted; fixed: 8.00'
jq -e '.xla | .way == "clusters" and .compilations == 2 and .compile_seconds == 7 and .net == 1 and
    .buggy_runs == [8, 8] and .fixed_runs == [1, 1] and .xla_runs == [4, 4]' \
    results/assessment/solved.json >/dev/null || complain "solved: $(jq -c .xla results/assessment/solved.json)"
grade solved profiler 'not applicable' 'neither an operation nor a stage'
grade before xla 'not solved' '^1.00 times better'
grade nothing xla 'not applicable' 'XLA compiled nothing'
grade nothing profiler solved '^_FusedMatMul is entry 2, with 7.000 s'
grade both profiler 'not solved' 'MatMul is entry 1, with 9.000 s, and entry 1 of fixed.py, with 9.000 s'
grade leaks profiler 'not applicable' 'the symptom is memory'
grade functions xla solved '^8.00 times better with XLA, 7.27'
grade functions profiler 'partially solved' 'Iterator::ParallelMapV2 is entry 10'
jq -e '.xla.way == "functions" and .profiler.place == 10 and (.profiler.entries | length) == 10' \
    results/assessment/functions.json >/dev/null || complain "functions: not so"
grade better xla 'partially solved' '^4.00 times better'
[ "$(jq -r .xla.way results/assessment/better.json)" = functions ] || complain 'better: the worse way'
grade crash xla 'not applicable' '^failed under XLA: signal 6'
grade crash profiler 'not applicable' '^no profile: signal 6'
grade differs xla 'not solved' 'something else'
grade slowed xla 'not solved' 'takes 6.2 times as long'
grade hang xla 'not solved' 'as well'
for id in busy broken; do
    [ ! -e results/assessment/$id.json ] || complain "$id: has an assessment"
done
grep -q 'busy: the machine is too busy: buggy.py had 0 s of a processor in 16 s' err ||
    complain "busy: $(grep busy: err)"
grep -q 'broken: buggy.py failed without XLA (exit code 1: RuntimeError: of no use)' err ||
    complain "broken: $(grep broken: err)"

# Again: nothing runs but what has no assessment. The versions are asked for all the same.
rm -r mine/cases/busy mine/cases/broken
: >"$runs"
assess --run --quiet >out
[ ! -s "$runs" ] || complain "made again: $(cat "$runs")"
sed -i 's/fake.say(8)/fake.say(16)/' mine/cases/before/buggy.py
echo '{"format": 1' >results/assessment/nothing.json
assess --run --quiet --runs 1 >out
[ "$(sort "$runs" | uniq -c | tr -s ' \n' ' ')" = ' 2 clusters 2 plain 2 profile ' ] ||
    complain "two cases made again ran: $(sort "$runs" | uniq -c)"
grade before xla 'not solved'
: >"$runs"
assess differs --again --quiet --runs 1 >out
[ "$(tr '\n' ' ' <"$runs")" = 'clusters plain plain ' ] || complain "--again: $(cat "$runs")"

# The table has every case, and the counts are those of the files.
assess --format json 2>err >out.json
[ ! -s err ] || complain "all are measured: $(cat err)"
for approach in xla profiler; do
    # The table has words of its own for each status.
    words='["not applicable", "no gain", "a part of the gain", "the gain of the fix"]'
    [ "$approach" = xla ] || words='["not applicable", "not told apart",
        "in the first 10 of buggy.py alone", "in the first 3 of buggy.py alone"]'
    jq -r --argjson words "$words" '["not applicable", "not solved", "partially solved", "solved"] as $known |
        .'"$approach"'.status as $status | $words[$known | index($status)]' results/assessment/*.json |
        sort | uniq -c >files
    jq -r '.[] | select(.id == "assess-cases") | .rows[].'$approach out.json | sort | uniq -c >rows
    cmp -s files rows || complain "$approach: $(diff files rows)"
done

# A CSV file is one table with a row for each case.
assess --format csv >out.csv
python3 - out.csv "$(ls results/assessment | wc -l)" <<'END' || complain "--format csv: $(cat out.csv)"
import csv, sys
rows = list(csv.reader(open(sys.argv[1], newline="", encoding="utf-8")))
sys.exit(len(rows) != 1 + int(sys.argv[2]) or any(len(row) != len(rows[0]) for row in rows))
END

# The chance that the Profiler tells other pairs apart, or a pair the other way round: an oracle counts again.
jq -r '.[] | select(.id == "assess-measured") | .note' out.json >note
python3 - mine/cases results/assessment note <<'END' || complain "by chance: $(cat note)"
import configparser, glob, json, os, re, sys
cases, results, note = sys.argv[1:]

def plain(name):
    for prefix in ("_", "Mkl", "Native", "Fused"):
        name = name.removeprefix(prefix) if len(name) > len(prefix) else name
    return re.sub(r"(?<=.)V[0-9]+$", "", name)

def same(costly, name):
    if not costly.startswith("Iterator::"):
        return plain(costly) == plain(name)
    return name.startswith("Iterator::") and name[10:].removeprefix("Parallel").startswith(costly[10:])

def told_apart(costly, buggy, fixed):
    return listed(costly, buggy) and not listed(costly, fixed)

def listed(costly, entries):
    place = 1
    for entry in entries:
        if any(same(c, entry) for c in costly):
            return place <= 3
        place += entry != "eager execution"
    return False

costly, buggy, fixed = {}, {}, {}
for path in glob.glob(results + "/*.json"):
    id = os.path.basename(path)[:-5]
    ini = configparser.ConfigParser(interpolation=None)
    ini.read(f"{cases}/{id}/case.ini")
    costly[id] = [c.strip() for c in ini["measure"].get("costly", "").split(",") if c.strip()]
    if "memory" in ini["measure"].get("metric", ""):
        costly[id] = []
    profiler = json.load(open(path))["profiler"]
    buggy[id], fixed[id] = ([e["name"] for e in profiler[k]] if profiler[k] is not None else None
                            for k in ("entries", "fixed_entries"))
shuffled = [told_apart(costly[a], buggy[b], fixed[b]) for a in costly for b in costly
            if a != b and costly[a] and buggy[b] and fixed[b] is not None]
exchanged = [told_apart(costly[a], fixed[a], buggy[a]) for a in costly if costly[a] and fixed[a] and buggy[a] is not None]
said = re.search(r"pair in (\d+) of (\d+) .* exchanged in (\d+) of (\d+)", open(note).read())
sys.exit([int(n) for n in said.groups()] != [sum(shuffled), len(shuffled), sum(exchanged), len(exchanged)])
END

# Ctrl-C leaves no process and no half of an assessment; what was measured stays.
rm results/assessment/hang.json
python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])' "$TEST_BUILD/ppmine" bench assess hang --anyway --run --patience 30 \
    --cases mine/cases --results results --python "$(command -v python3)" --quiet >out 2>err &
pid=$!
tries=0
until grep -qlz -e "^HOME=$TMPDIR/ppmine-bench." /proc/[0-9]*/environ 2>/dev/null; do
    tries=$((tries + 1))
    [ "$tries" -lt 300 ] || complain 'nothing runs after 30 s'
    sleep 0.1
done
kill -s INT "$pid"
rc=0
wait "$pid" 2>/dev/null || rc=$?
[ "$rc" -eq 130 ] || complain "SIGINT: exit code $rc, expected 130: $(cat err)"
nothing_left 'after SIGINT'
[ ! -e results/assessment/hang.json ] || complain 'an assessment of a run that was stopped'
[ -e results/assessment/solved.json ] || complain 'an earlier assessment is gone'
