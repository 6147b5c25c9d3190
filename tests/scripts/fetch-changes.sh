#!/bin/bash
# What changes around a crawl that runs for a year: the clock, the key, the reserve, the version of
# the program; and a server or a neighbour that is not to be trusted.
set -eu
. "$ROOT/tests/lib/fetch.sh"
need python3 jq curl sqlite3

KEY=s3cr3t-k3y-of-tests TOKEN=t0k3n-of-tests
serve --generate 1500 --virtual-clock --quota 6 --key "$KEY=1000"
"$PPMINE" -q -d some.db init
requests() { ask _violations | jq .requests; }

# The quota without a key is used up; with a key there is another one.
fetch some.db --tag python --quota-reserve 4 || fail "$(cat said)"
[ "$(jq .done run.json)" = false ] || fail "the quota was enough: a weak test"
before=$(requests)
fetch some.db --tag python --quota-reserve 4 || fail "$(cat said)"
[ "$(requests)" = "$before" ] || fail "a request although the quota is used up"
fetch some.db --tag python --quota-reserve 2 || fail "$(cat said)"
[ "$(requests)" -gt "$before" ] || fail "a smaller reserve is not used before tomorrow: $(cat said)"
before=$(requests)
PPMINE_API_KEY=$KEY fetch some.db --tag python || fail "$(cat said)"
[ "$(jq .done run.json)" = true ] || fail "with a key the old quota still counts: $(cat said)"
export PPMINE_API_KEY=$KEY
fetch some.db --tag python || fail "$(cat said)"

# The clock was a year ahead when the last run ended.
sqlite3 some.db "
    UPDATE api_state SET value = value + 31536000
    WHERE key IN ('quota_at', 'quota_since') OR key LIKE 'not_before%';
    INSERT OR REPLACE INTO api_state SELECT 'not_before /questions', value + 20 FROM api_state
    WHERE key = 'quota_at'"
fetch some.db --tag python || fail "$(cat said)"
[ "$(jq .done run.json)" = true ] || fail "a clock that was wrong stops all runs: $(cat said)"
grep -q 'the clock was set back by' said || fail "a clock that was wrong is not told: $(cat said)"
[ "$(ask _sleeps | jq '[.. | numbers] | max >= 15')" = true ] || fail "the wait was forgotten with it"

# Another version of the program wants other fields.
filters() { ask _log | jq '[.[] | select(.method == "/filters/create")] | length'; }
before=$(filters)
fetch some.db --tag python || fail "$(cat said)"
[ "$(filters)" = "$before" ] || fail "a filter is made in each run"
sqlite3 some.db "UPDATE api_state SET value = 1 WHERE key = 'filter_fields'"
fetch some.db --tag python || fail "$(cat said)"
[ "$(filters)" -gt "$before" ] || fail "a filter with other fields is used"

# A Retry-After that no int64_t can be added to stops for a day and not for ever.
control 'faults=status,status=503,retry_after=9223372036854775807,count=1'
fetch some.db --tag python || fail "$(cat said)"
[ "$(jq -r .goes_on_at run.json)" != null ] || fail "Retry-After: $(cat said)"
ask _clock?advance=86410 >/dev/null
fetch some.db --tag python || fail "$(cat said)"
[ "$(jq .done run.json)" = true ] || fail "Retry-After stops for longer than a day: $(cat said)"

# A server that tells key and token in its error, at the end of what is shown, and the token first.
filler=$(printf 'x%.0s' {1..290})
for message in "$filler$KEY" "$filler$TOKEN" "$TOKEN-$KEY" "$KEY-$TOKEN"; do
    control "faults=error,id=400,message=$message"
    rc=0
    PPMINE_API_TOKEN=$TOKEN fetch some.db --tag python || rc=$?
    [ "$rc" = 3 ] || fail "an error 400: exit code $rc"
    ! grep -q -e "${KEY:0:9}" -e "${TOKEN:0:9}" said || fail "a secret is told: $(cat said)"
done
control 'faults=none'

# Posts of another site do not come in with a rebuild, neither into a new study nor into a used one.
"$PPMINE" -q -d other.db init
sqlite3 other.db "UPDATE study_file SET content =
    replace(content, 'stackoverflow.com', 'unix.stackexchange.com') WHERE name = 'study.ini'"
rc=0
"$PPMINE" -d other.db rebuild some.db 2>said || rc=$?
[ "$rc" = 5 ] || fail "a rebuild from another site: exit code $rc"
grep -q 'contains posts of stackoverflow.com, and this study is about unix' said || fail "$(cat said)"
[ "$(sqlite3 other.db 'SELECT count(*) FROM post')" = 0 ] || fail "posts of another site came in"
"$PPMINE" -q -d new.db init
"$PPMINE" -q -d new.db rebuild some.db || fail "rebuild"
[ "$(sqlite3 new.db "SELECT value FROM api_state WHERE key = 'site'")" = stackoverflow.com ] ||
    fail "a rebuilt database does not know its site"
violations 'all runs'
