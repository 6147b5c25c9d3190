#!/bin/bash
# bench where something is missing: a full disk, a Python without TensorFlow or that is none, half an
# environment. Each is said clearly, and leaves nothing behind.
set -eu
. "$ROOT/tests/lib/bench.sh"

# fails RC PATTERN WHAT COMMAND…
fails() {
    local wanted=$1 pattern=$2 what=$3 rc=0
    shift 3
    "$@" >out 2>err || rc=$?
    [ "$rc" -eq "$wanted" ] || complain "$what: exit code $rc, expected $wanted: $(cat err)"
    grep -qE -e "$pattern" err || complain "$what: no such words: $pattern: $(cat err)"
}

# A Python without TensorFlow: the cases that need one cannot run here, the others do.
run --runs 2 --quiet tensorflow slow >out
[ "$(jq -r .verdict results/tensorflow.json)" = 'not runnable here' ] &&
    jq -r .why results/tensorflow.json | grep -q 'no TensorFlow; ppmine bench setup' ||
    complain "without TensorFlow: $(cat results/tensorflow.json)"
[ "$(jq -r .verdict results/slow.json)" = reproduced ] || complain "without TensorFlow: $(cat out)"

# What is no Python.
fails 3 'does not say its version; --python FILE wants a Python' '--python /bin/false' \
    ppmine bench run --anyway --cases "$CASES" --python /bin/false slow
fails 6 'missing: cannot be run: No such file' '--python ./missing' \
    ppmine bench run --anyway --cases "$CASES" --python ./missing slow
nothing_left 'after no Python'

# Half an environment: its Python is there, its stamp is not, or the other way round.
export XDG_CACHE_HOME=$PWD/cache
ln -s "$ROOT/bench" bench
there=$(ppmine bench setup --list --format json | jq -r '.[] | select(.environment == "tf2.15") | .dir')
[ "${there#"$PWD/cache/ppmine/environments/tf2.15-"}" != "$there" ] || complain "tf2.15 is at $there"
mkdir -p "$there/bin"
ln -s "$(command -v python3)" "$there/bin/python"
fails 3 "no finished Python environment; 'ppmine bench setup tf2.15' makes one" 'no stamp' \
    ppmine bench run --anyway --cases "$CASES" slow
rm "$there/bin/python"
: >"$there/ppmine-bench.stamp"
fails 3 "no finished Python environment; 'ppmine bench setup tf2.15' makes one" 'no Python' \
    ppmine bench run --anyway --cases "$CASES" slow
# The Python that the environment is for is looked for first.
if python3.11 -c 'import ensurepip, venv' 2>/dev/null; then
    something_else='is neither empty nor a Python environment'
else
    something_else='is for Python 3.11 with venv, which is not here'
fi
fails 3 "$something_else" 'a folder of something else' \
    ppmine bench setup --requirements "$ROOT/bench/environments/tf2.15.txt"
fails 3 "missing is no Python with venv; the environment tf2.15 is for Python 3.11" 'setup with a Python that is missing' \
    ppmine bench setup --dir new --python ./missing --requirements "$ROOT/bench/environments/tf2.15.txt"
fails 6 'nowhere.txt: No such file' 'requirements that are missing' \
    ppmine bench setup --dir new --requirements nowhere.txt
[ ! -e new ] || complain 'setup made a folder for nothing'

# A full disk, where this user can make one: for results, for the folders of runs.
mkdir small
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=64k none small 2>/dev/null; then
    trap 'umount -l small' EXIT
    head -c 60k /dev/zero >small/filler
    fails 6 'small/slow.json: .*No space left' 'no room for results' \
        ppmine bench run --anyway --cases "$CASES" --python "$(command -v python3)" --results small --runs 9 slow
    [ -z "$(ls small | grep -v filler)" ] || complain "no room for results: left: $(ls small)"
    head -c 60k /dev/zero >>small/filler || :
    TMPDIR=$PWD/small fails 6 'small/.*No space left' 'no room for runs' \
        ppmine bench run --anyway --cases "$CASES" --python "$(command -v python3)" --results results slow
    [ -z "$(ls small | grep -v filler)" ] || complain "no room for runs: left: $(ls small)"
fi
nothing_left 'after all of it'
