#!/bin/bash
# Two builds of the same source, in two folders and two surroundings, are the same bytes.
set -eu
. "$ROOT/tests/lib/dump.sh"
skip_unless_as_it_is

grammar=$ROOT/check/python/grammar/source
[ -d "$grammar" ] || grammar=$ROOT/build/grammar/node_modules/tree-sitter-python/src
# The compiler's work is not what differs: without optimization the whole is built in a minute.
flags=(DEPS=: CFLAGS="${REPRODUCIBLE_CFLAGS--O0 -g}" CPPFLAGS=)
products=(build/ppmine build/ppmine.so)

# source_copy DIR ORDER: a copy, whose files come in another order and at another time
source_copy() {
    mkdir -p "$1"
    (cd "$ROOT" && find . \( -path ./build -o -path ./.git \) -prune -o -type f -print | LC_ALL=C sort $2 |
        tar -T - -cf -) | tar -m -xf - -C "$1"
    mkdir -p "$1/check/python/grammar/source"
    cp -r "$grammar/." "$1/check/python/grammar/source"
}

source_copy one ''
sleep 1
source_copy a-second/folder/of/another/length -r
(cd one && CCACHE_DISABLE=1 make -s -j2 "${flags[@]}" "${products[@]}") >said 2>&1 || fail "$(tail -20 said)"
(cd a-second/folder/of/another/length && umask 077 && CCACHE_DISABLE=1 LC_ALL=de_DE.UTF-8 TZ=Asia/Tokyo \
    USER=nobody make -s -j3 "${flags[@]}" "${products[@]}") >said 2>&1 || fail "$(tail -20 said)"
for file in "${products[@]}"; do
    same "$file" "one/$file" "a-second/folder/of/another/length/$file"
    ! grep -qF -- "$PWD" "one/$file" || fail "$file names the folder that it was built in"
done
# This test would see a folder: without the option that hides it the objects differ.
object=build/release/base/buf.o
for folder in one a-second/folder/of/another/length; do
    (cd "$folder" && CCACHE_DISABLE=1 make -s "${flags[@]}" REPRODUCIBLE= "$object") >said 2>&1 || fail "$(cat said)"
done
! cmp -s "one/$object" "a-second/folder/of/another/length/$object" || fail "the comparison sees no difference"
