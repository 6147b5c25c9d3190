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

# Python takes seconds for each environment. Here it makes the first one, and those in a folder that is not empty; any
# other is a copy of the first, of links.
real=$(python3 -c 'import sys; print(sys.executable)')
version=$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
mkdir quick
cat >quick/python3 <<END
#!/bin/sh
# python3 -m venv --clear DIR, or anything else
if [ "\$1 \$2 \$3" = '-m venv --clear' ] && [ -z "\$(ls -A "\$4" 2>&-)" ]; then
    [ -d "$PWD/first" ] && mkdir -p "\$4" && exec cp -al "$PWD/first/." "\$4"
    "$real" "\$@" && exec cp -a "\$4" "$PWD/first"
fi
exec "$real" "\$@"
END
chmod +x quick/python3
ln -s python3 "quick/python$version"
PATH=$PWD/quick:$PATH

setup() {
    ppmine bench setup --quiet --requirements requirements.txt "$@" 2>err
}

mkdir -p bench/environments
cp requirements.txt bench/environments/tf2.15.txt
rc=0
ppmine bench run --anyway --cases "$ROOT/tests/data/bench-cases/cases" slow 2>err || rc=$?
[ "$rc" -eq 3 ] && grep -q 'bench setup' err || complain "run without an environment: $rc, $(cat err)"

rc=0
ppmine bench setup --quiet --requirements wrong.txt >out 2>err || rc=$?
[ "$rc" -eq 4 ] && [ ! -s out ] || complain "a wrong hash: exit code $rc, $(cat out err)"
rc=0
ppmine bench run --anyway --cases "$ROOT/tests/data/bench-cases/cases" slow 2>err || rc=$?
[ "$rc" -eq 3 ] || complain "run with half an environment: exit code $rc"

# Half-made, by somebody who was killed: it is made to its end.
there=$(ppmine bench setup --list --format json | jq -r '.[] | select(.environment == "tf2.15") | .dir')
mkdir -p "$there"
: >"$there/pyvenv.cfg"
python=$(ppmine bench setup --quiet 2>err) || complain "half-made: $(cat err)"
[ "$python" = "$there/bin/python" ] || complain "it printed: $python"
[ "$("$python" -c 'import ppfake; print(ppfake.answer)')" = 42 ] || complain 'no package in it'
ppmine bench run --anyway --quiet --cases "$ROOT/tests/data/bench-cases/cases" --runs 1 slow >out ||
    complain "run with the environment: $(cat out)"

# Ready: nothing is touched. Other requirements are another environment beside it.
touch "$there/canary"
ppmine bench setup tf2.15 >out 2>err || complain "ready: $(cat err)"
grep -qF "$there was ready" err || complain "ready: $(cat err)"
echo '# another' >>bench/environments/tf2.15.txt
ppmine bench setup >out 2>err || complain "other requirements: $(cat err)"
[ "$(cat out)" != "$python" ] && [ -x "$(cat out)" ] || complain "other requirements: $(cat out)"
[ -e "$there/canary" ] || complain 'an environment was cleared for other requirements'
[ "$(ppmine bench setup --list --format csv | cut -d, -f1-5)" = 'environment,python,tensorflow,keras,ready
tf2.15,,,,1' ] || complain "--list: $(ppmine bench setup --list --format csv)"

# A folder that is named is made anew for other requirements, but not while a run uses it.
setup --dir named >out || complain "--dir: $(cat err)"
touch named/canary
echo '# another' >>requirements.txt
mkdir -p mine/lib mine/cases
cp -r "$ROOT/tests/data/bench-cases/cases/slow" mine/cases
cat >mine/cases/slow/buggy.py <<END
import os, time
open("$PWD/began", "w").close()
while not os.path.exists("$PWD/end"):
    time.sleep(0.1)
print("ppcase digest sha256:0\nppcase work_seconds 1")
END
cp mine/cases/slow/buggy.py mine/cases/slow/fixed.py
ppmine bench run --anyway --quiet --cases mine/cases --python named/bin/python --runs 1 slow >out &
user=$!
tries=0
until [ -e began ]; do
    tries=$((tries + 1))
    [ "$tries" -lt 300 ] || complain 'the run does not begin'
    sleep 0.1
done
rc=0
setup --dir named >out || rc=$?
[ "$rc" -eq 6 ] && grep -q 'named is made for other requirements, and a run uses it' err && [ -e named/canary ] ||
    complain "in use: exit code $rc, $(cat err)"
touch end
wait "$user" || complain "a run of an environment that is asked for: exit code $?"
setup --dir named >out || complain "--dir, no longer in use: $(cat err)"
[ ! -e named/canary ] || complain 'kept for other requirements'

# The Python that is wanted, and no other one.
sed "1i# python $version" requirements.txt >bench/environments/wanted.txt
ppmine bench setup wanted >out 2>err || complain "with Python $version: $(cat err)"
sed "1i# python 2.99" requirements.txt >bench/environments/wanted.txt
fails() { # RC PATTERN ARGUMENT…
    local wanted=$1 pattern=$2 rc=0
    shift 2
    ppmine bench setup "$@" >out 2>err || rc=$?
    [ "$rc" -eq "$wanted" ] && grep -qE -e "$pattern" err || complain "$*: exit code $rc, $(cat err)"
}
fails 3 'the environment wanted is for Python 2.99 with venv, which is not here; --python FILE' wanted
fails 3 "is Python $version; the environment wanted is for Python 2.99" wanted --python python3
fails 2 "there is no environment 'nowhere' in bench/environments; 'bench setup --list' names them" nowhere
fails 2 "there is no environment '../x'" ../x
fails 2 'NAME or --requirements' wanted --requirements requirements.txt
fails 2 'for one environment' wanted tf2.15 --dir x

# A pair of environments: the same program, and two releases of a package.
mkdir -p pairs/lib pairs/cases/pair pairs/environments
python3 - <<'PY'
import hashlib, zipfile
for version, seconds in (("1.0", 4), ("2.0", 2)):
    name = f"pprelease-{version}-py3-none-any.whl"
    with zipfile.ZipFile(name, "w") as wheel:
        wheel.writestr("pprelease.py", f"seconds = {seconds}\n")
        info = f"pprelease-{version}.dist-info/"
        wheel.writestr(info + "METADATA", f"Metadata-Version: 2.1\nName: pprelease\nVersion: {version}\n")
        wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(info + "RECORD", "")
    sha = hashlib.sha256(open(name, "rb").read()).hexdigest()
    with open(f"pairs/environments/release{version[0]}.txt", "w") as out:
        out.write(f"pprelease=={version} --hash=sha256:{sha}\n")
PY
sed -e 's/^problem_id = .*/problem_id = pair/' "$ROOT/tests/data/bench-cases/cases/slow/case.ini" \
    >pairs/cases/pair/case.ini
printf '[environments]\nbuggy = release1\nfixed = release2\n' >>pairs/cases/pair/case.ini
cat >pairs/cases/pair/buggy.py <<'PY'
import pprelease
print("ppcase work_seconds", pprelease.seconds)
print("ppcase digest sha256:0")
PY
cp pairs/cases/pair/buggy.py pairs/cases/pair/fixed.py
pair() {
    ppmine bench run --anyway --cases pairs/cases --python "$(command -v python3)" --runs 2 pair >out 2>err ||
        complain "a pair of environments: $(cat err)"
}
pair
[ "$(jq -r .verdict bench-results/pair.json)" = 'not runnable here' ] &&
    jq -r .why bench-results/pair.json | grep -q "'ppmine bench setup release1' makes one" ||
    complain "environments that are not there: $(jq -r '.verdict, .why' bench-results/pair.json)"
ppmine bench setup --quiet --requirements pairs/environments/release1.txt >out
ppmine bench setup --quiet --requirements pairs/environments/release2.txt >out
pair
jq -e '.verdict == "reproduced" and .ratio == 2 and .buggy.environment == "release1" and
    .fixed.environment == "release2" and (.buggy.versions | has("python"))' bench-results/pair.json >/dev/null ||
    complain "a pair of environments: $(cat bench-results/pair.json)"

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
