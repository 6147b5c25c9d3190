#!/bin/bash
# tests/run, in a small project of its own: what needs building, what is stale, how failures are shown.
set -eu
. "$ROOT/tests/lib/dump.sh"
unset TEST_FLAVOUR TEST_BUILD TEST_WRAPPER TEST_SECONDS TEST_JOBS

mkdir -p small/{tests/{unit,scripts,cases/echo/{right,wrong}},docs,build/{release,san}/tests/unit}
cd small
cp "$ROOT/tests/run" tests/run
cat >Makefile <<'MAKE'
PROGRAMS = $(foreach f,release san,build/$(f)/ppmine build/$(f)/ppcheck build/$(f)/tests/unit/test_one)
all: $(PROGRAMS) build/ppmine build/ppcheck build/ppmine.so
$(PROGRAMS) build/ppmine build/ppcheck build/ppmine.so: source
	printf '#!/bin/sh\n. "%s"\n' '$(CURDIR)/source' >$@ && chmod +x $@
MAKE
cat >source <<'SOURCE'
case $0 in
*/test_one)
    echo '[==========] tests: Running 2 test(s).'
    printf '[ RUN      ] good\nnoise of the good one\n[       OK ] good\n'
    printf '[ RUN      ] bad\n[  ERROR   ] --- 1 != 2\n[   LINE   ] --- tests/unit/test_one.c:7: error: Failure!\n'
    printf '[  FAILED  ] bad\n[==========] tests: 2 test(s) run.\n[  PASSED  ] 1 test(s).\n'
    printf '[  FAILED  ] tests: 1 test(s), listed below:\n[  FAILED  ] bad\n\n 1 FAILED TEST(S)\n'
    exit 1 ;;
*) echo "$*" ;;
esac
SOURCE
touch tests/unit/test_one.c
echo 'ppmine a b' >tests/cases/echo/right/cmd
echo a b >tests/cases/echo/right/out
cp tests/cases/echo/right/* tests/cases/echo/wrong/
echo a c >tests/cases/echo/wrong/out
printf 'echo "no such thing here"; exit 77\n' >tests/scripts/missing.sh
printf 'echo slept >>"$ROOT/slow"\n' >tests/scripts/slow.sh
printf 'sleep 0.2; [ ! -e "$ROOT/two" ] && mkdir "$ROOT/two" && sleep 0.2 && rmdir "$ROOT/two"\n' >tests/scripts/alone-1.sh
cp tests/scripts/alone-1.sh tests/scripts/alone-2.sh
echo '[ -e "$ROOT/slow" ]' >tests/scripts/both.sh # after the other long ones, though it takes longer
chmod +x tests/scripts/*.sh
cat >tests/slow.txt <<'SLOW'
# name seconds kind
scripts/both 200 long alone
scripts/slow 100 long
scripts/alone-1 1 alone
scripts/alone-2 2 alone
echo/wrong 5
SLOW

# expect RC ARGUMENT…: runs tests/run and keeps what it says.
expect() {
    local wanted=$1 rc=0
    shift
    tests/run "$@" >said 2>&1 || rc=$?
    [ "$rc" -eq "$wanted" ] || fail "tests/run $*: exit code $rc: $(cat said)"
}

says() { grep -qxF -- "$1" said || fail "nothing says '$1': $(cat said)"; }
ends() { printf '%s\n' "$@" | cmp -s - <(tail -n $# said) || fail "the end is not '$*': $(cat said)"; }

# What each kind of test needs.
expect 0 --needs -T echo/right
ends build/release/ppmine
expect 0 --needs -T unit/test_one
ends build/release/tests/unit/test_one
TEST_FLAVOUR=san expect 0 --needs -T scripts/missing
ends build/ppcheck build/ppmine build/ppmine.so build/san/ppcheck build/san/ppmine
expect 1 --needs -T echo/none
ends "no test is called 'echo/none'" '0 passed, 1 failed'

# What is not built, or older than what it is made of, is not tested.
expect 1 -T echo/right
says 'build/release/ppmine is not built'
ends "Not tested: make test T='echo/right' builds what is not up to date." '0 passed, 1 failed'
make -s build/release/ppmine
expect 0 -T echo/right
ends 'ok echo/right' '1 passed, 0 failed'
TEST_FLAVOUR=san expect 1 -T echo
says 'build/san/ppmine is not built'
ends "Not tested: make test-san T='echo' builds what is not up to date." '0 passed, 2 failed'
touch -d '1 hour' source
expect 1 -T echo/right
says 'build/release/ppmine is older than source'
touch -d '1 hour ago' source
make -s all
for flavour in release san; do TEST_FLAVOUR=$flavour expect 0 -T echo/right; done
# Nothing is written beside or above what make wrote.
touch now
chmod -R a-w Makefile source tests docs build
expect 0 -T echo/right
chmod -R u+w .
[ -z "$(find . -newer now ! -name said ! -name now ! -type d)" ] || fail "written: $(find . -newer now)"

# Failures are shown once, at the end, and of cmocka the failed tests alone.
expect 1
says 'FAIL unit/test_one'
says 'skip scripts/missing (no such thing here)'
ends '' 'FAIL unit/test_one' '[  ERROR   ] --- 1 != 2' \
    '[   LINE   ] --- tests/unit/test_one.c:7: error: Failure!' '[  FAILED  ] bad' 'exit code 1' \
    '' 'FAIL echo/wrong' '--- out expected' '+++ out' '@@ -1 +1 @@' '-a c' '+a b' '3 passed, 2 failed, 1 skipped'
! grep -q 'noise\|good' said || fail "what passed is shown: $(cat said)"
[ "$(grep -c '^--- out expected$' said)" -eq 1 ] || fail "shown more than once: $(cat said)"
# The longest first, those that are alone last; long ones are not in it.
TEST_JOBS=1 expect 1
[ "$(sed '/^$/,$d; s/^[^ ]* //; s/ (.*//' said | xargs)" = \
    'echo/wrong unit/test_one echo/right scripts/missing scripts/alone-2 scripts/alone-1' ] || fail "the order: $(cat said)"
[ ! -e slow ] || fail 'a long test ran'
expect 0 --long
ends 'ok scripts/slow' 'ok scripts/both' '2 passed, 0 failed'
expect 0 -T scripts/slow
[ "$(wc -l <slow)" -eq 2 ] || fail 'a long test that is named did not run'
TEST_SECONDS=$PWD/seconds expect 0 -T 'scripts/alone-*'
[ "$(sed 's/\( [0-9]*\.[0-9]\)\{2\}$//' seconds | sort | xargs)" = 'scripts/alone-1 scripts/alone-2' ] || fail "$(cat seconds)"

# Each test that the project's list names exists.
while read -r name _; do
    [[ $name == '#'* ]] || [ -f "$ROOT/tests/$name.sh" ] || [ -f "$ROOT/tests/$name.c" ] ||
        [ -f "$ROOT/tests/cases/$name/cmd" ] || [ -f "$ROOT/${name/docs\/README/README}.md" ] || [ -d "$ROOT/tests/$name" ] ||
        fail "tests/slow.txt names $name, which does not exist"
done <"$ROOT/tests/slow.txt"

# Each name in what tells how to run tests is that of a test.
cd "$ROOT"
names=$(grep -A 1 'a glob: ' tests/run | grep -o '[a-z]*/[A-Za-z0-9_-]*'| grep -v '^tests'
    grep -oh "T=['a-z][A-Za-z0-9_/*-]*" README.md docs/*.md | sed "s/^T='*//" | grep -v PPxxx)
[ "$(wc -l <<<"$names")" -gt 15 ] || fail "few names: $names"
for name in $(sort -u <<<"$names"); do
    said=$(tests/run --needs -T "$name" 2>&1) || fail "$said"
done
