#!/bin/bash
# Every verdict, from scripts that really work, hang, fail, fork, print gigabytes, eat memory or
# delete their folder; and nothing of them is left.
set -eu
. "$ROOT/tests/lib/bench.sh"

# verdict ID WANTED [PATTERN]: the verdict, and an extended regular expression for the reason
verdict() {
    local got why
    got=$(jq -r .verdict "results/$1.json") why=$(jq -r .why "results/$1.json")
    [ "$got" = "$2" ] || complain "$1: $got ($why), expected: $2"
    [ -z "${3-}" ] || grep -qE -e "$3" <<<"$why" || complain "$1: the reason is: $why"
}

# holds ID FILTER: what jq says of the result is true
holds() {
    [ "$(jq "$2" "results/$1.json")" = true ] || complain "$1: not so: $2"
}

rc=0
run --runs 3 --quiet slow near far unequal hang hang-unequal hang-always late crash silent liar killed exhaustion \
    child-memory peak step-growth memory-growth forks gigabytes deletes gpu elsewhere tensorflow \
    init >out || rc=$?
[ "$rc" -eq 1 ] || complain "exit code $rc with broken cases, expected 1"
nothing_left 'after all cases'

for id in slow near init deletes; do
    verdict "$id" reproduced 'buggy over fixed is'
    holds "$id" '.ratio >= 1.5 and .ratio_low > 1.2 and .ratio_low <= .ratio and .ratio <= .ratio_high'
    holds "$id" '[.buggy, .fixed] | all((.runs | length) == 4 and .runs[0].warm_up)'
    # The published median is that of the published runs.
    holds "$id" '[.buggy, .fixed] | all(.median == ([.runs[] | select(.warm_up | not) | .metric]
        | sort | .[1]))'
done
verdict far 'not equivalent'
verdict unequal 'not equivalent'
holds unequal '.buggy.runs | length == 1'  # not run on
verdict hang reproduced '3 of 3 runs, fixed.py in 0 of 3'
holds hang '.buggy.runs | map(select(.small | not)) | length == 3 and all(.end == "timed out" and .wall_seconds >= 2 and .wall_seconds < 20)'
verdict late broken 'still running at its limit of 1 s'
verdict crash broken 'buggy.py failed with exit code 1: RuntimeError: of no use'
verdict silent broken 'buggy.py printed no work_seconds'
verdict liar broken 'buggy.py printed no work_seconds'
verdict killed broken 'signal 11'
verdict exhaustion reproduced 'lacked memory in 3 of 3 runs, fixed.py in 0 of 3'
verdict hang-unequal 'not equivalent' # at the small size, where both end
verdict hang-always broken 'small size'
holds exhaustion '.buggy.runs | map(select(.small | not)) | all(.end == "out of memory" and .peak_kb > 150000)'
verdict child-memory reproduced
verdict peak reproduced
holds peak '.buggy.median > 50000 and .fixed.median < 20000'
verdict step-growth reproduced
verdict memory-growth reproduced
verdict forks reproduced
verdict gigabytes reproduced
holds gigabytes '.buggy.runs | all(.out_bytes > 1073741824 and .err_bytes == 1073741824)'
verdict gpu 'not runnable here' GPU
verdict elsewhere 'not runnable here' 'two machines are needed'
verdict tensorflow 'not runnable here' 'bench setup'
holds slow '.versions.python != null and .machine.processors > 0 and .date != null and .seed == 1'

# The two are the same script: on a loaded machine they may seem to differ once, not twice.
run --runs 5 --quiet same >out
if [ "$(jq -r .verdict results/same.json)" = reproduced ]; then
    run --runs 9 --quiet same >out
    verdict same 'not reproduced here'
fi

run --runs 1 --jobs 3 --quiet slow near init >out
[ "$(wc -l <out)" -eq 4 ] || complain "--jobs 3: $(cat out)"
nothing_left 'after --jobs 3'

rc=0
run --root-cause 'no such cause' >out 2>err || rc=$?
[ "$rc" -eq 1 ] && [ ! -s out ] || complain "--root-cause without a case: exit code $rc"
