#!/bin/bash
# Cases that are no good: a FIFO where a script or case.ini should be is said, and not waited for; a
# link that leads out of the folder is not followed; a folder that no case can be called like is said; a run that closes its folders leaves nothing.
set -eu
. "$ROOT/tests/lib/bench.sh"

mkdir -p mine/lib mine/cases
cp "$ROOT"/tests/data/bench-cases/lib/*.py mine/lib

# new_case ID: with the scripts of slow
new_case() {
    cp -r "$CASES/slow" "mine/cases/$1"
    sed -i "s/^problem_id = .*/problem_id = $1/" "mine/cases/$1/case.ini"
}
bench() {
    timeout 60 ppmine bench run --anyway --cases mine/cases --python "$python" --results results --runs 2 "$@"
}
python=/usr/bin/python3
[ -x "$python" ] || python=$(command -v python3)

# fails PATTERN WHAT ARGUMENT…
fails() {
    local pattern=$1 what=$2 rc=0
    shift 2
    bench "$@" >out 2>err || rc=$?
    [ "$rc" -eq 3 ] || complain "$what: exit code $rc, expected 3: $(cat err)"
    grep -qE -e "$pattern" err || complain "$what: no such words: $pattern: $(cat err)"
}

new_case fifo
for name in buggy.py fixed.py; do
    rm "mine/cases/fifo/$name"
    mkfifo "mine/cases/fifo/$name"
    fails "fifo: .*mine/cases/fifo/$name: not a regular file" "a FIFO as $name" fifo
    cp "$CASES/slow/$name" mine/cases/fifo/new
    mv mine/cases/fifo/new "mine/cases/fifo/$name"
done
mv mine/cases/fifo/case.ini ini
mkfifo mine/cases/fifo/case.ini
fails 'mine/cases/fifo/case.ini: not a regular file' 'a FIFO as case.ini' fifo
rm -r mine/cases/fifo
nothing_left 'after FIFOs'

new_case linked
new_case whole
mv mine/cases/whole elsewhere
echo 'a = 1' >secret
for name in buggy.py case.ini; do
    mv "mine/cases/linked/$name" kept
    ln -s "$PWD/secret" "mine/cases/linked/$name"
    fails "linked/$name: a link that leads out of .*mine/cases; put a copy" "a link as $name" linked
    mv kept "mine/cases/linked/$name"
done
mv mine/cases/linked/fixed.py mine/cases/linked/kept.py
ln -s kept.py mine/cases/linked/fixed.py
bench linked >out 2>err || complain "a link inside of the case: $(cat err)"
ln -s "$PWD/elsewhere" mine/cases/whole
fails 'whole/case.ini: a link that leads out' 'a link as a case' linked
rm -r mine/cases/linked mine/cases/whole

new_case good
mkfifo results/good.json
rc=0
timeout 60 ppmine bench list --cases mine/cases --results results >out 2>err || rc=$?
[ "$rc" -eq 3 ] && grep -q 'good.json: not a regular file' err || complain "a FIFO as a result: $rc: $(cat err)"
rm results/good.json

for name in 'Great Case' UPPER 'a.b'; do
    new_case "$name"
done
mkdir mine/cases/__pycache__ # no case
bench good >out 2>err || complain "a good case: $(cat err)"
for name in 'Great Case' UPPER 'a.b'; do
    grep -qF "mine/cases/$name/case.ini is skipped: the name of a case has 1 to 63 characters of a-z" err ||
        complain "'$name' is skipped in silence: $(cat err)"
done
[ "$(grep -c 'is skipped' err)" -eq 3 ] || complain "more than three are skipped: $(cat err)"
grep -q '^good ' out || complain "the good case has no result: $(cat out)"
rm -r mine/cases/Great* mine/cases/UPPER mine/cases/a.b

# Who is root reads closed folders all the same.
new_case closes
cat >mine/cases/closes/buggy.py <<'END'
import fake, os
os.makedirs("a/b/c")
open("a/b/c/file", "w").close()
os.mkdir("d")
open("d/file", "w").close()
for folder, mode in (("a/b/c", 0), ("a/b", 0), ("a", 0o400), ("d", 0o500), (".", 0)):
    os.chmod(folder, mode)
fake.work().__enter__()
fake.digest(1)
END
sed 's/^fake.digest/os.chmod("..", 0)\nfake.digest/' mine/cases/closes/buggy.py >mine/cases/closes/fixed.py
sed -i 's/^metric = .*/metric = time/' mine/cases/closes/case.ini
if [ "$(id -u)" -ne 0 ]; then
    bench --runs 1 closes >out 2>err || :
else
    # Above this folder are others that nobody else may enter.
    open=$(mktemp -d /tmp/ppmine-test.XXXXXX)
    trap 'rm -rf "$open"' EXIT
    cp -r mine "$TEST_BUILD/ppmine" "$open"
    mkdir "$open/results" "$open/tmp"
    chmod -R a+rwX "$open"
    setpriv --reuid 65534 --clear-groups test -x "$open/ppmine" || exit 0
    (cd "$open" && PPMINE_BENCH_LOCK=$open/lock TMPDIR=$open/tmp timeout 60 setpriv --reuid 65534 --clear-groups ./ppmine bench run --anyway \
        --cases mine/cases --python "$python" --results results --runs 1 closes) >out 2>err || :
    TMPDIR=$open/tmp
fi
grep -q '^ppmine: closes: ' err || complain "it did not run: $(cat err)"
nothing_left 'after folders that are closed'
