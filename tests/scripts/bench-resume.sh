#!/bin/bash
# bench run --resume passes over cases whose result stands, and over no others.
set -eu
. "$ROOT/tests/lib/bench.sh"

cp -R "$CASES" "${CASES%/*}/lib" .
CASES=$PWD/cases
sed -i "s/^seconds = .*/seconds = 8/" cases/hang/case.ini # fixed.py must end on a loaded machine, too

inode() {
    stat -c %i "results/$1.json" # a result is a new file each time
}

# resumed ID WANTED WHAT OPTION…: WANTED is `run` or `passed over`
resumed() {
    local id=$1 wanted=$2 what=$3 before after got=run
    shift 3
    before=$(inode "$id")
    # Kept open, so that its number is not given away.
    exec 9<"results/$id.json"
    run --resume "$@" "$id" >out 2>err || :
    after=$(inode "$id")
    exec 9<&-
    [ "$before" != "$after" ] || got='passed over'
    [ "$got" = "$wanted" ] || complain "$what: $id was $got, expected: $wanted; $(cat err)"
}

edit() { # edit FILTER: of slow's result
    jq "$1" results/slow.json >edited
    mv edited results/slow.json
}

run --runs 1 --quiet slow hang >out
for id in slow hang; do
    resumed "$id" 'passed over' 'nothing changed' --runs 1
    grep -q "$id: has a result already" err || complain "no word of $id: $(cat err)"
    grep -q "^$id  *not reproduced here" out || complain "$id is not in the table: $(cat out)"
done
resumed slow run 'more runs' --runs 2
resumed slow 'passed over' 'fewer runs' --runs 1
resumed slow run 'another seed' --runs 1 --seed 2
edit '.machine.processor = "another"'
resumed slow run 'another machine' --runs 1
edit '.versions.python = "2.7.0"'
resumed slow run 'other versions' --runs 1
edit '.verdict = "broken"'
resumed slow run 'a broken result' --runs 1
edit '.format = 99'
resumed slow run 'a result of another program' --runs 1
edit 'del(.case_sha256)'
resumed slow run 'a result without the scripts it is of' --runs 1
head -c 300 results/slow.json >edited
mv edited results/slow.json
resumed slow run 'half a result' --runs 1
resumed slow 'passed over' 'all well again' --runs 1
for file in buggy.py fixed.py; do
    echo '# changed' >>"cases/slow/$file"
    resumed slow run "another $file" --runs 1
done
sed -i 's/^seconds = .*/seconds = 31/' cases/slow/case.ini
resumed slow run 'another limit' --runs 1
sed -i 's/^summary = .*/summary = in other words/' cases/slow/case.ini
resumed slow 'passed over' 'other words only' --runs 1

# The digest is what another program gets of the same bytes.
wanted=$({
    printf '%s %s s %s MB %s %s %s\n' work_time 31 "$(sed -n 's/^memory_mb = //p' cases/slow/case.ini)" \
        "$(sed -n 's/^tolerance = //p' cases/slow/case.ini)0" \
        "$(wc -c <cases/slow/buggy.py)" "$(wc -c <cases/slow/fixed.py)"
    cat cases/slow/buggy.py cases/slow/fixed.py
} | sha256sum | cut -d' ' -f1)
[ "$(jq -r .case_sha256 results/slow.json)" = "$wanted" ] || complain 'the digest is of something else'
