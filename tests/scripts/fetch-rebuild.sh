#!/bin/bash
# rebuild makes the same posts out of the kept answers, into the same database when they were lost,
# into a new one, and changes nothing where nothing is missing. Nothing is asked of the network.
set -eu
. "$ROOT/tests/lib/fetch.sh"
need python3 jq curl sqlite3

serve --generate 500 --virtual-clock --mutate-every 1 --mutate-count 6 --quota 100000
"$PPMINE" -q -d some.db init
tags=(--tag python --tag tensorflow --to 2029-12-31)
fetch some.db "${tags[@]}" || fail "$(cat said)"
for n in 1 2 3 4 5 6; do
    control mutate=40
    ask _clock?advance=4000 >/dev/null
    fetch some.db "${tags[@]}" || fail "$(cat said)"
    fetch some.db --refresh || fail "$(cat said)"
done
control mutate_every=0
fetch_all some.db "${tags[@]}"
fetch_all some.db --refresh
equal some.db 'python;tensorflow' --from 1514764800 --to 1893456000
stop_server

corpus() {
    content "$1"
    sqlite3 -bail "$1" "
        SELECT comment_id, post_id, user_id, user_display_name, reply_to_user_id, score, edited,
               created_at, deleted_at, content_license, body_html FROM comment ORDER BY 1;
        SELECT * FROM author ORDER BY 1"
}

corpus some.db >whole
[ "$(sqlite3 some.db 'SELECT count(*) FROM revision')" -gt 0 ] || fail "no revision: a weak test"
[ "$(sqlite3 some.db 'SELECT count(*) FROM post WHERE deleted_at IS NOT NULL')" -gt 0 ] ||
    fail "no deleted post: a weak test"

"$PPMINE" -q -d some.db rebuild || fail "rebuild of a whole database"
corpus some.db >again
same "a rebuild of a whole database changes it" whole again

sqlite3 some.db 'DELETE FROM revision; DELETE FROM comment; DELETE FROM author; DELETE FROM post'
"$PPMINE" -d some.db rebuild --format json >counts 2>said || fail "$(cat said)"
corpus some.db >again
same "a rebuild makes other posts than there were" whole again
[ "$(jq .new counts)" = "$(sqlite3 some.db 'SELECT count(*) FROM post')" ] || fail "counts: $(cat counts)"

"$PPMINE" -q -d new.db init
"$PPMINE" -q -d new.db rebuild some.db || fail "rebuild into a new database"
corpus new.db >again
same "a rebuild into a new database makes other posts" whole again

sqlite3 some.db "UPDATE api_answer SET body_zstd = substr(body_zstd, 1, 100) WHERE answer_id = 3"
rc=0
"$PPMINE" -d some.db rebuild 2>said || rc=$?
[ "$rc" -eq 5 ] || fail "a damaged answer: exit code $rc"
grep -q 'answer 3 (/questions?.*) is damaged' said || fail "a damaged answer: $(cat said)"
rc=0
"$PPMINE" -d new.db rebuild none.db 2>said || rc=$?
[ "$rc" -eq 5 ] || fail "no such database: exit code $rc"
corpus new.db >again
same "a rebuild that failed changed something" whole again
