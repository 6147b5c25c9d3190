#!/bin/bash
# ppmine match --stdin finds what another program finds (tests/reference/match_reference.py: lxml's
# tree, NLTK's stemmer), byte for byte: in the sample, in nasty HTML, and in the real dumps of
# $PPMINE_DUMPS where there are any.
set -eu

/usr/bin/python3 -c 'import lxml, nltk' 2>/dev/null || {
    echo 'no python3-nltk or python3-lxml'
    exit 77
}
export PYTHONDONTWRITEBYTECODE=1
keywords=$ROOT/studies/dlperf/keywords.txt
failed=0 lines=0

compare() { # DUMP OPTION…
    local dump=$1 rc=0
    shift
    "$ROOT"/tests/reference/match_reference.py --keywords "$keywords" "$@" "$dump" >expected
    ppmine -q match --stdin "$@" <"$dump" >found || rc=$?
    lines=$((lines + $(wc -l <found)))
    [ "$rc" -eq 0 ] && cmp -s expected found && return
    failed=1
    echo "$dump $*: exit code $rc, $(wc -l <expected) lines expected, $(wc -l <found) found"
    diff expected found | cut -c1-300 | head -20
}

PYTHONIOENCODING=utf-8 "$ROOT"/tests/data/nasty-html.py >nasty.xml
for dump in "$ROOT"/studies/dlperf/sample/Posts.xml nasty.xml; do
    compare "$dump"
    compare "$dump" --verbatim
    compare "$dump" --include-code
    compare "$dump" --verbatim --include-code
done

real=${PPMINE_DUMPS:-/nowhere}
n=0
for dump in "$real"/*/Posts.xml; do
    case $dump in */not-a-dump/*) continue ;; esac
    [ -f "$dump" ] || continue
    n=$((n + 1))
    compare "$dump"
    [ "$(stat -c %s "$dump")" -gt 1000000 ] || compare "$dump" --include-code
done
[ "$n" -gt 0 ] || echo "no real dumps in \$PPMINE_DUMPS: skipped"
[ "$lines" -gt 5000 ] || { echo "only $lines lines compared" && failed=1; }
exit "$failed"
