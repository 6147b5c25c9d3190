#!/bin/bash
# A full crawl needs at most 3 % more requests than there are hundreds of questions (rounded up for
# each tag); one with nothing new needs one for each tag. Beside the crawl, one is for the filter.
# QUESTIONS makes it longer: make test-fetch-long.
set -eu
. "$ROOT/tests/lib/fetch.sh"
need python3 jq curl
skip_below_wrapper

QUESTIONS=${QUESTIONS-6000}
tags=(--tag python --tag tensorflow --to 2029-12-31)

serve --generate "$QUESTIONS" --virtual-clock --quota 1000000 --nasty ''
"$PPMINE" -q -d some.db init
fetch some.db "${tags[@]}" || fail "$(cat said)"
least=$(ask _state | jq '
    def pages(tag): [.questions[] | select(.deleted | not) | select(.tags | index(tag))]
        | length / 100 | ceil;
    pages("python") + pages("tensorflow")')
used=$(($(ask _violations | jq .requests) - 1))
[ $((used * 100)) -le $((least * 103)) ] || fail "$used requests, where $least would be the least"
equal some.db 'python;tensorflow' --from 1514764800

before=$(ask _violations | jq .requests)
fetch some.db "${tags[@]}" || fail "again: $(cat said)"
again=$(($(ask _violations | jq .requests) - before))
[ "$again" -le 2 ] || fail "with nothing new: $again requests for two tags"
violations 'all runs'
echo "$used requests, $least at least; $again again"
