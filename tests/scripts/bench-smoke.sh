#!/bin/bash
# make bench-smoke without a package index: skipped with words, no failure; what the index has, but
# with another hash, is a failure. keep.py thins results so that bench report reads the same,
# and keeps assessments so that bench assess does.
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
XDG_CACHE_HOME=$PWD/none PYTHON=/bin/false smoke || complain "without a Python: exit code $?"
grep -q '^skip all 3 cases: the Python that the benchmark is for is not here' out || complain "without a Python: $(cat out err)"

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

# Assessments go along: the tables are the same, figure by figure, and they stand where they are kept.
assess() {
    ppmine bench assess --anyway --cases "$CASES" --python "$(command -v python3)" --quiet "$@" slow step-growth hang
}
assess --run --runs 1 --results results >out 2>err || complain "bench assess --run: $(cat err)"
[ -e results/assessment/slow.json ] && [ -e results/assessment/step-growth.json ] ||
    complain "not assessed: $(ls results/assessment)"
jq '.case_sha256 = "0"' results/assessment/step-growth.json >other && mv other results/assessment/hang.json
"$ROOT/bench/full/keep.py" results kept >out 2>err || complain "keep.py with assessments: $(cat out err)"
grep -q '4 results, 2 assessments' out || complain "keep.py says: $(cat out)"
[ "$(cat err)" = "$(grep 'left out, .*: results/assessment/hang.json; ' err)" ] || complain "keep.py warns: $(cat err)"
[ ! -e "$folder/assessment/hang.json" ] || complain 'the assessment of another case was kept'
rm results/assessment/hang.json
for from in results "$folder"; do
    assess --results "$from" --format json >"assess.${from##*/}" || complain "bench assess --results $from"
done
cmp assess.results "assess.${folder##*/}" || complain 'bench assess says something else of what was kept'
jq -e '.[] | select(.id == "assess-cases") | .rows[] | select(.problem_id == "slow")
    | .xla != "not measured" and .profiler != "not measured"' "assess.${folder##*/}" >/dev/null ||
    complain "not in the table: $(cat "assess.${folder##*/}")"
for name in results/assessment/*.json; do
    jq -S . "$name" >raw && jq -S . "$folder/assessment/${name##*/}" >one || complain "$name was not kept"
    cmp raw one || complain "$name was changed"
done
# Results that are kept again, without them: they stay.
mv results/assessment elsewhere
"$ROOT/bench/full/keep.py" results kept >out 2>err || complain "keep.py once more: $(cat out err)"
assess --results "$folder" --format json >again || complain 'bench assess of what was kept again'
cmp again assess.results || complain 'bench assess says something else of what was kept again'

edit=$(jq '.machine.processors = 999' results/slow.json)
echo "$edit" >results/slow.json
rc=0
"$ROOT/bench/full/keep.py" results kept >out 2>err || rc=$?
[ "$rc" -eq 1 ] && grep -q 'not of one run: 999x-.* has only slow;' err ||
    complain "results of two machines: exit code $rc, $(cat err)"
