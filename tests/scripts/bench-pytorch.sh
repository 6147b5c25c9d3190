#!/bin/bash
# Cases that need PyTorch are run where the Python has that release, with as many threads as the result
# says, and may be a family below other cases. A package of ours says which release there is.
set -eu
. "$ROOT/tests/lib/bench.sh"

mkdir -p mine/cases/family mine/lib
cp "$CASES"/../lib/*.py mine/lib
for release in 1 2; do
    cp -r "$CASES/slow" "mine/cases/family/needs$release"
    sed -i "s/^problem_id = .*/problem_id = needs$release/; s/^tensorflow = .*//; s/^gpu = .*/pytorch = $release\n&/" \
        "mine/cases/family/needs$release/case.ini"
    for side in buggy fixed; do
        printf 'import os\n\nassert os.environ["OMP_NUM_THREADS"] == "3"\n' |
            cat - "$CASES/slow/$side.py" >"mine/cases/family/needs$release/$side.py"
    done
done

# has VERSION: what the Python says of PyTorch; then both cases are run
has() {
    rm -rf mine/lib/torch-* results
    mkdir "mine/lib/torch-$1.dist-info"
    printf 'Metadata-Version: 2.1\nName: torch\nVersion: %s\n' "$1" >"mine/lib/torch-$1.dist-info/METADATA"
    rc=0
    ppmine -q bench run --anyway --cases mine/cases/family --results results --runs 2 --threads 3 \
        --python "$(command -v python3)" >out 2>err || rc=$?
    [ "$rc" -eq 0 ] || complain "torch $1: exit code $rc: $(cat out err)"
}

# is ID VERDICT [WORDS]
is() {
    [ "$(jq -r .verdict "results/$1.json")" = "$2" ] || complain "$1: $(jq -r '.verdict, .why' "results/$1.json")"
    grep -qF -- "${3-}" <<<"$(jq -r .why "results/$1.json")" || complain "$1: the reason is: $(jq -r .why "results/$1.json")"
}

has 0.4.1
is needs1 'not runnable here' 'this Python has no PyTorch'
has 1.13.0a0+git
is needs1 reproduced
is needs2 'not runnable here' 'it needs PyTorch 2, and this Python has PyTorch 1'
[ "$(jq -r .versions.torch results/needs1.json)" = 1.13.0a0+git ] || complain "versions: $(jq .versions results/needs1.json)"
has 2.1.0
is needs1 reproduced
is needs2 reproduced
ppmine bench list --cases mine/cases/family --format csv | grep -q '^needs2,.*,PyTorch 2,' ||
    complain "bench list: $(ppmine bench list --cases mine/cases/family --format csv)"
