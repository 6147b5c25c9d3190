#!/bin/bash
# What a release consists of: one version everywhere, and a tarball with what npm fetches that is the same twice.
set -eu
. "$ROOT/tests/lib/dump.sh"
need git python3 gzip

version=$(sed -n 's/^#define PPMINE_VERSION "\(.*\)"/\1/p' "$ROOT/base/base.h")
grep -q "^## $version" "$ROOT/CHANGELOG.md" || fail "CHANGELOG.md: no $version"
grep -qx "version: $version" "$ROOT/CITATION.cff" || fail "CITATION.cff: not $version"
[ "$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["version"])' "$ROOT/codemeta.json")" = "$version" ] ||
    fail "codemeta.json: not $version"

grammar=$ROOT/check/python/grammar/source
if [ ! -d "$grammar" ]; then
    grammar=$ROOT/build/grammar/node_modules/tree-sitter-python/src
    git -C "$ROOT" rev-parse HEAD >/dev/null 2>&1 || { echo "no git repository" && exit 77; }
    charts=("$ROOT"/build/charts/node_modules/{d3/dist/d3,@observablehq/plot/dist/plot.umd}.min.js)
    "$ROOT/scripts/dist" one "$grammar" "${charts[@]}" >said
    sleep 1
    "$ROOT/scripts/dist" two "$grammar" "${charts[@]}" >said
    same "two tarballs" "one/ppmine-$version.tar.gz" "two/ppmine-$version.tar.gz"
    tar -xf "one/ppmine-$version.tar.gz"
    for file in Makefile base/base.h check/python/grammar/source/parser.c check/python/grammar/source/grammar.js \
        web/charts/source/d3.min.js web/charts/source/plot.umd.min.js; do
        [ -s "ppmine-$version/$file" ] || fail "not in the tarball: $file"
    done
    # The grammar is compiled from it, without npm, and is not looked at as code of the project.
    (cd "ppmine-$version" && make -s DEPS=: build/stamp/layers build/release/grammar/scanner.o build/release/web.o && scripts/check-banned) >said 2>&1 || fail "$(cat said)"
fi
