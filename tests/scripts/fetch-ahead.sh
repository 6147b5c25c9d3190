#!/bin/bash
# While an answer is read, the next request is sent by what a glance at it shows. Where that is wrong
# (a field that is new and has dates, too), what came is thrown away and the right request sent:
# nothing is lost, each wrong guess costs one request, and what the answer that was thrown away said
# about waiting is obeyed.
set -eu
. "$ROOT/tests/lib/fetch.sh"
need python3 jq curl
skip_below_wrapper

tags=(--tag python --to 2029-12-31)
serve --generate 3000 --virtual-clock --quota 1000000
"$PPMINE" -q -d some.db init
fetch some.db "${tags[@]}" || fail "$(cat said)"
right=$(ask _violations | jq .requests)
equal some.db python --from 1514764800

serve --generate 3000 --virtual-clock --quota 1000000 --fault new-field,every=3,method=/questions \
    --fault backoff,seconds=40,every=4
rm some.db*
"$PPMINE" -q -d some.db init
fetch some.db "${tags[@]}" || fail "$(cat said)"
ask _log >log.json
wrong=$(jq '[.[] | select(.faults | any(startswith("new-field")))] | length' log.json)
used=$(jq length log.json)
[ "$wrong" -ge 5 ] || fail "only $wrong answers mislead: the test says nothing"
# Each request is one of a walk without faults, or was sent ahead in vain.
[ "$used" -gt "$right" ] && [ "$used" -le $((right + wrong)) ] ||
    fail "$used requests with $wrong wrong guesses, $right without"
violations 'misleading answers'
equal some.db python --from 1514764800
echo "$right requests; $used with $wrong wrong guesses"
