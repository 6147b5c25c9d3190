#!/bin/bash
# bench setup makes a Python environment, once; one that is half-made, or for other requirements, anew.
# Needs no network: the package is a wheel that is made here.
set -eu

complain() {
    echo "$*"
    exit 1
}

python3 -c 'import ensurepip, venv' 2>/dev/null || { echo 'no python3-venv' && exit 77; }

python3 - <<'PY'
import hashlib, zipfile
name = "ppfake-1.0-py3-none-any.whl"
with zipfile.ZipFile(name, "w") as wheel:
    wheel.writestr("ppfake.py", "answer = 42\n")
    info = "ppfake-1.0.dist-info/"
    wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\nName: ppfake\nVersion: 1.0\n")
    wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
    wheel.writestr(info + "RECORD", "")
sha = hashlib.sha256(open(name, "rb").read()).hexdigest()
with open("requirements.txt", "w") as out:
    out.write(f"ppfake==1.0 --hash=sha256:{sha}\n")
with open("wrong.txt", "w") as out:
    out.write(f"ppfake==1.0 --hash=sha256:{'0' * 64}\n")
PY
PIP_NO_INDEX=1 PIP_FIND_LINKS=$PWD XDG_CACHE_HOME=$PWD/cache
export PIP_NO_INDEX PIP_FIND_LINKS XDG_CACHE_HOME

setup() {
    ppmine bench setup --quiet --requirements "${1-requirements.txt}" 2>err
}

rc=0
ppmine bench run --anyway --cases "$ROOT/tests/data/bench-cases/cases" slow 2>err || rc=$?
[ "$rc" -eq 3 ] && grep -q 'bench setup' err || complain "run without an environment: $rc, $(cat err)"

rc=0
setup wrong.txt >out || rc=$?
[ "$rc" -eq 4 ] && [ ! -s out ] || complain "a wrong hash: exit code $rc, $(cat out err)"
rc=0
ppmine bench run --anyway --cases "$ROOT/tests/data/bench-cases/cases" slow 2>err || rc=$?
[ "$rc" -eq 3 ] || complain "run with half an environment: exit code $rc"

python=$(setup) || complain "half-made: $(cat err)"
[ "$python" = "$XDG_CACHE_HOME/ppmine/bench/bin/python" ] || complain "it printed: $python"
[ "$("$python" -c 'import ppfake; print(ppfake.answer)')" = 42 ] || complain 'no package in it'
ppmine bench run --anyway --quiet --cases "$ROOT/tests/data/bench-cases/cases" --runs 1 slow >out ||
    complain "run with the environment: $(cat out)"

# Ready: nothing is touched.
touch "$XDG_CACHE_HOME/ppmine/bench/canary"
setup >out || complain "ready: $(cat err)"
[ -e "$XDG_CACHE_HOME/ppmine/bench/canary" ] || complain 'what was ready was made anew'
echo '# another' >>requirements.txt
setup >out || complain "other requirements: $(cat err)"
[ ! -e "$XDG_CACHE_HOME/ppmine/bench/canary" ] || complain 'kept for other requirements'

# Nobody else's folder is cleared.
mkdir other
echo precious >other/file
rc=0
ppmine bench setup --dir other --requirements requirements.txt 2>err || rc=$?
[ "$rc" -eq 3 ] && [ "$(cat other/file)" = precious ] || complain "a folder in use: exit code $rc"

# Two at a time, with a Python that counts how often it makes an environment, and that takes its time.
mkdir made
cat >slow-python <<'END'
#!/bin/bash
# python -m venv --clear DIR; below DIR it is the Python of that environment, asked for pip
set -eu
here=$(dirname "$(readlink -f "$0")")
case $* in
*venv*)
    echo venv >>"$here/steps"
    rm -rf "${@: -1}"/*
    mkdir -p "${@: -1}/bin"
    touch "${@: -1}/begun"
    for ((n = 0; n < 300; n++)); do
        [ ! -e "$here/go" ] || break
        sleep 0.1
    done
    [ -e "${@: -1}/begun" ] || { echo 'cleared by another one' >&2 && exit 1; }
    touch "${@: -1}/pyvenv.cfg"
    ln -s "$here/slow-python" "${@: -1}/bin/python"
    ;;
*) echo pip >>"$here/steps" ;;
esac
END
chmod +x slow-python
until_there() {
    local tries=0
    until grep -q "$2" "$1" 2>/dev/null; do
        tries=$((tries + 1))
        [ "$tries" -lt 300 ] || complain "after 30 s $1 has no '$2': $(cat "$1")"
        sleep 0.1
    done
}
make_slowly() {
    exec "$TEST_BUILD/ppmine" bench setup --python "$PWD/slow-python" --requirements requirements.txt "$@"
}

ln -s made link
(make_slowly --dir made/env) >first.out 2>first.err &
first=$!
until_there steps venv
(make_slowly --dir link/env/) >second.out 2>second.err &
second=$!
until_there second.err "link/env/: another run is at work (process $first); waiting for its end"
# One that is told to stop does not wait, and one for another folder need not.
python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execvp(sys.argv[1], sys.argv[1:])' "$TEST_BUILD/ppmine" bench setup --python "$PWD/slow-python" \
    --requirements requirements.txt --dir made/env >out 2>third.err &
third=$!
until_there third.err 'waiting for its end'
kill -INT "$third"
rc=0
wait "$third" || rc=$?
[ "$rc" -eq 130 ] && [ ! -s out ] || complain "SIGINT while it waits: exit code $rc, $(cat out third.err)"
[ "$(cat steps)" = venv ] || complain "a second one began: $(cat steps)"

touch go
wait "$first" || complain "the first: exit code $?, $(cat first.err)"
wait "$second" || complain "the second: exit code $?, $(cat second.err)"
[ "$(tr '\n' ' ' <steps)" = 'venv pip ' ] || complain "made more than once: $(cat steps)"
[ "$(cat second.out)" = link/env//bin/python ] && grep -q 'was ready' second.err ||
    complain "the second says: $(cat second.out second.err)"

# The lock of one that was killed is nobody's: the next one makes it, also from the half of it.
rm -r go steps made/env
(make_slowly --dir made/env) >first.out 2>first.err &
first=$!
until_there steps venv
kill -KILL "$first"
wait "$first" 2>/dev/null || :
touch go made/env/pyvenv.cfg
(make_slowly --dir made/env) >out 2>err || complain "after SIGKILL: exit code $?, $(cat err)"
[ "$(tr '\n' ' ' <steps)" = 'venv venv pip ' ] || complain "after SIGKILL: $(cat steps err)"
