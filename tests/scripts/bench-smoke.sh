#!/bin/bash
# make bench-smoke without a package index: skipped with words, no failure; what the index has, but
# with another hash, is a failure. keep.py thins results so that bench report reads the same.
set -eu
. "$ROOT/tests/lib/bench.sh"

smoke() {
    "$ROOT/bench/full/smoke" 1 2 3 >out 2>err
}

if python3.11 -c 'import ensurepip, venv' 2>/dev/null; then
    XDG_CACHE_HOME=$PWD/cache PIP_INDEX_URL=http://127.0.0.1:9/ PIP_RETRIES=0 PIP_NO_CACHE_DIR=1
    export XDG_CACHE_HOME PIP_INDEX_URL PIP_RETRIES PIP_NO_CACHE_DIR
    smoke || complain "without an index: exit code $?: $(cat out err)"
    [ "$(tail -1 out)" = '0 passed, 0 failed, 3 skipped' ] || complain "without an index: $(cat out err)"
    grep -q '^skip all 3 cases: the package index cannot be reached' out || complain "no reason: $(cat out)"
fi
PYTHON=/bin/false smoke || complain "without a Python: exit code $?"
grep -q '^skip all 3 cases: no Python 3.11' out || complain "without a Python: $(cat out err)"

run --runs 2 --quiet slow step-growth hang crash >/dev/null || :
"$ROOT/bench/full/keep.py" results kept >out || complain "keep.py: $(cat out)"
folder=$(echo kept/*)
[[ $folder = kept/20[0-9][0-9]-[0-9][0-9]-[0-9][0-9]-[1-9]* ]] || complain "kept as $folder"
for from in results "$folder"; do
    ppmine bench report --cases "$CASES" --results "$from" --format json >"report.${from##*/}"
done
cmp "report.results" "report.${folder##*/}" || complain 'bench report says something else of what was kept'
for id in slow step-growth hang crash; do
    jq -c '[.. | objects | select(has("metric")) | .metric, .digest?, .step_seconds?[0], .step_seconds?[-1]]' \
        results/$id.json | tr , '\n' | cut -c1-6 >raw
    jq -c '[.. | objects | select(has("metric")) | .metric, .digest?, .step_seconds?[0], .step_seconds?[-1]]' \
        "$folder/$id.json" | tr , '\n' | cut -c1-6 >kept-figures
    [ "$(wc -l <raw)" -eq "$(wc -l <kept-figures)" ] || complain "$id: figures are missing"
    jq -e '[.buggy, .fixed] | all(.runs | all((.sample_kb | length) <= 12
        and (.sample_kb | length) == (.sample_seconds | length)))' "$folder/$id.json" >thin ||
        complain "$id: not thinned"
done

edit=$(jq '.machine.processors = 999' results/slow.json)
echo "$edit" >results/slow.json
rc=0
"$ROOT/bench/full/keep.py" results kept >out 2>err || rc=$?
[ "$rc" -eq 1 ] && grep -q 'not of one run: 999x-.* has only slow;' err ||
    complain "results of two machines: exit code $rc, $(cat err)"
