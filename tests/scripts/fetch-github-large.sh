#!/bin/bash
# A repository with 10,000 issues comes in full text with at most 210 requests, and the next run costs a few.
set -eu
. "$ROOT/tests/lib/fetch.sh"
need python3 jq curl sqlite3
skip_when_slow

"$PPMINE" -q init --skeleton study
echo 'sites = b1 github.com/big/repo' >>study/study.ini
"$PPMINE" -q -d large.db init --study study
serve_with "$ROOT/tests/lib/github_server.py" --issues 10000 --token secret
API=$SERVER
export PPMINE_GITHUB_TOKEN=secret
fetch large.db --rate 0 --github big/repo || fail "$(cat said)"
python3 "$ROOT/tests/lib/github_server.py" equal large.db "$SERVER" big/repo >differences || fail "$(cat differences)"
requests=$(jq .requests run.json)
[ "$requests" -le 210 ] || fail "$requests requests"
fetch large.db --rate 0 --github big/repo || fail "again: $(cat said)"
[ "$(jq .requests run.json)" -le 5 ] || fail "again: $(jq .requests run.json) requests"
[ "$(jq '.new + .changed' run.json)" = 0 ] || fail "again: $(cat run.json)"
violations large
echo "$requests requests for $(cat differences)"
