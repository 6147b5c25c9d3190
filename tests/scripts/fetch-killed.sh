#!/bin/bash
# A crawl that is killed (SIGKILL) after any of its requests, and started again, ends with the same
# database as one that is not disturbed, and asks for nothing again that was committed.
#
# Twice: a short crawl from the start for each of its requests; then one long crawl in which every
# process is killed when its second (or third) answer comes, until one gets to the end.
#
# KILL_REQUESTS, KILL_CHAIN: how long the two are; see make test-fetch-long.
set -eu
. "$ROOT/tests/lib/fetch.sh"
need python3 jq curl sqlite3 cc
skip_when_slow

KILL_REQUESTS=${KILL_REQUESTS-4} KILL_CHAIN=${KILL_CHAIN-12}
# Of two tags, 53 % of the questions; one request is for the filter.
QUESTIONS=$((KILL_REQUESTS * 100 * 100 / 43))
tags=(--tag python --tag tensorflow --to 2029-12-31)

cc -shared -fPIC -O1 -o kill.so "$ROOT/tests/preload/kill_at_request.c" -ldl
serve --generate "$QUESTIONS" --virtual-clock --quota 100000000 --same-second 260

# What of the database does not depend on when the requests were sent, and by how many processes: one
# that begins asks each tag that is caught up for what is new.
content() {
    sqlite3 "$1" "
        SELECT post_id, post_type, parent_id, title, tags, score, view_count, answer_count,
               created_at, last_edited_at, last_activity_at, deleted_at, owner_user_id,
               owner_display_name, content_license, body_sha256 FROM post ORDER BY 1;
        SELECT comment_id, post_id, user_id, score, edited, deleted_at, body_html FROM comment
        ORDER BY 1;
        SELECT user_id, display_name, link FROM author ORDER BY 1;
        SELECT tag, created_from, created_to, tie_from, tie_to, page, caught_up_at IS NULL
        FROM api_window;
        SELECT count(*) FROM revision; SELECT * FROM api_list; SELECT * FROM api_due;"
}

requests_of() { # DATABASE: those that were committed
    sqlite3 "$1" 'SELECT request FROM api_answer ORDER BY 1'
}

asked_since() { # NUMBER: the requests in the server's log
    ask "_log?since=$1" | jq -r '.[] | (.path | ltrimstr("/2.3")) + "?" + .query' | sort
}

"$PPMINE" -q -d empty.db init
cp empty.db whole.db
fetch whole.db "${tags[@]}" || fail "undisturbed: $(cat said)"
content whole.db >whole
n_requests=$(requests_of whole.db | wc -l)
[ "$n_requests" -ge "$KILL_REQUESTS" ] || fail "only $n_requests requests"
[ -z "$(requests_of whole.db | uniq -d)" ] || fail "undisturbed: a request was sent twice"
equal whole.db 'python;tensorflow' --from 1514764800

for ((n = 1; n <= n_requests; n++)); do
    rm -f some.db*
    cp empty.db some.db
    (KILL_AT_REQUEST=$n LD_PRELOAD=$PWD/kill.so fetch some.db "${tags[@]}") 2>killed &&
        fail "request $n of $n_requests: nobody was killed"
    [ "$(sqlite3 some.db 'PRAGMA integrity_check')" = ok ] || fail "request $n: a damaged database"
    requests_of some.db >committed
    [ "$(wc -l <committed)" -ge $((n - 2)) ] ||
        fail "request $n: only $(wc -l <committed) answers are kept"
    before=$(ask _violations | jq .requests)
    fetch some.db "${tags[@]}" || fail "request $n, then again: $(cat said)"
    asked_since "$before" >asked
    [ -z "$(comm -12 committed asked)" ] ||
        fail "request $n: asked again, although committed: $(comm -12 committed asked)"
    content some.db >some
    cmp -s whole some || fail "request $n, then again: another database than undisturbed:
$(diff whole some | head -5)"
done
violations 'the short crawl'
echo "$n_requests requests, killed after each"

# --- a long crawl of many short lives ---

tags=(--tag python --to 2029-12-31)
serve --generate $((KILL_CHAIN * 100 * 100 / 33)) --virtual-clock --quota 100000000 --nasty '' \
    --same-second 260
rm -f whole.db* some.db*
cp empty.db whole.db
fetch whole.db "${tags[@]}" || fail "undisturbed: $(cat said)"
content whole.db >whole
n_requests=$(requests_of whole.db | wc -l)
[ "$n_requests" -ge "$KILL_CHAIN" ] || fail "only $n_requests requests"
cp empty.db some.db
lives=0
while [ "$lives" -lt $((n_requests * 3)) ]; do
    requests_of some.db >committed
    before=$(ask _violations | jq .requests)
    lives=$((lives + 1))
    rc=0
    (KILL_AT_REQUEST=$((2 + lives % 2)) LD_PRELOAD=$PWD/kill.so fetch some.db "${tags[@]}") \
        2>killed || rc=$?
    asked_since "$before" >asked
    [ -z "$(comm -12 committed asked)" ] ||
        fail "life $lives: asked again, although committed: $(comm -12 committed asked)"
    [ "$rc" -ne 0 ] || break
    [ "$rc" -eq 137 ] || fail "life $lives: exit code $rc: $(cat said)"
done
[ "$rc" -eq 0 ] || fail "not done after $lives lives"
[ "$lives" -gt $((n_requests / 3)) ] || fail "only $lives lives for $n_requests requests"
content some.db >some
same "after $lives lives: another database than undisturbed" whole some
equal some.db python --from 1514764800
violations 'the long crawl'
echo "$n_requests requests in $lives lives"
