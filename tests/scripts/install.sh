#!/bin/bash
# make install puts the files where they belong; make uninstall takes all of them away.
set -eu

make -s -C "$ROOT" DEPS=: DESTDIR="$PWD/root" PREFIX=/usr install >/dev/null
for file in bin/ppmine share/man/man1/ppmine.1 share/man/man1/ppmine-init.1 \
    share/bash-completion/completions/ppmine share/zsh/site-functions/_ppmine; do
    [ -f "root/usr/$file" ] || { echo "not installed: $file" && exit 1; }
done
root/usr/bin/ppmine --version | grep -q '^ppmine [0-9]'
make -s -C "$ROOT" DEPS=: DESTDIR="$PWD/root" PREFIX=/usr uninstall >/dev/null
left=$(find root -type f)
[ -z "$left" ] || { echo "left behind: $left" && exit 1; }
