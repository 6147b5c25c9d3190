#!/bin/bash
# make install puts the files where they belong; make uninstall takes all of them away.
set -eu

make -s -C "$ROOT" DEPS=: DESTDIR="$PWD/root" PREFIX=/usr install >/dev/null
for file in bin/ppmine share/man/man1/ppmine.1 share/man/man1/ppmine-init.1 \
    share/bash-completion/completions/ppmine share/zsh/site-functions/_ppmine; do
    [ -f "root/usr/$file" ] || { echo "not installed: $file" && exit 1; }
done
root/usr/bin/ppmine --help | sed -n '/^Options:/q;s/^  \([a-z][a-z -]*[a-z]\)  .*/\1/p' | grep -vx help |
    tr ' ' - | while read -r command; do
    [ -f "root/usr/share/man/man1/ppmine-$command.1" ] || { echo "no man page of $command" && exit 1; }
done
root/usr/bin/ppmine --version | grep -q '^ppmine [0-9]'
# Outside of the project, bench finds what was installed, also when all of it was moved.
mv root moved
cases=$(moved/usr/bin/ppmine bench list --format csv | tail -n +2 | wc -l)
[ "$cases" -eq "$(find "$ROOT/bench/cases" -maxdepth 2 -name case.ini | wc -l)" ] ||
    { echo "bench list finds $cases cases installed" && exit 1; }
for family in pytorch tensorflow; do
    found=$(moved/usr/bin/ppmine bench list --cases "moved/usr/share/ppmine/bench/cases/$family" --format csv | tail -n +2 | wc -l)
    [ "$found" -eq "$(find "$ROOT/bench/cases/$family" -name case.ini | wc -l)" ] ||
        { echo "bench list finds $found cases of $family installed" && exit 1; }
done
for file in buggy.py fixed.py; do
    [ -f "moved/usr/share/ppmine/bench/cases/51228131/$file" ] || { echo "no $file" && exit 1; }
done
moved/usr/bin/ppmine bench setup --dir env --python /bin/false 2>err && exit 1
! grep -q requirements.txt err || { echo "bench setup: $(cat err)" && exit 1; }
# What stands here comes first.
mkdir -p bench/cases
rc=0
moved/usr/bin/ppmine bench list 2>err || rc=$?
[ "$rc" -eq 3 ] && grep -q 'bench/cases has no cases' err || { echo "own cases: $rc, $(cat err)" && exit 1; }
mv moved root
make -s -C "$ROOT" DEPS=: DESTDIR="$PWD/root" PREFIX=/usr uninstall >/dev/null
left=$(find root -type f)
[ -z "$left" ] || { echo "left behind: $left" && exit 1; }
