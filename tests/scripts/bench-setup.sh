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
ppmine bench run --cases "$ROOT/tests/data/bench-cases/cases" slow 2>err || rc=$?
[ "$rc" -eq 3 ] && grep -q 'bench setup' err || complain "run without an environment: $rc, $(cat err)"

rc=0
setup wrong.txt >out || rc=$?
[ "$rc" -eq 4 ] && [ ! -s out ] || complain "a wrong hash: exit code $rc, $(cat out err)"
rc=0
ppmine bench run --cases "$ROOT/tests/data/bench-cases/cases" slow 2>err || rc=$?
[ "$rc" -eq 3 ] || complain "run with half an environment: exit code $rc"

python=$(setup) || complain "half-made: $(cat err)"
[ "$python" = "$XDG_CACHE_HOME/ppmine/bench/bin/python" ] || complain "it printed: $python"
[ "$("$python" -c 'import ppfake; print(ppfake.answer)')" = 42 ] || complain 'no package in it'
ppmine bench run --quiet --cases "$ROOT/tests/data/bench-cases/cases" --runs 1 slow >out ||
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
