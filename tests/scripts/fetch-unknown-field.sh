#!/bin/bash
# An API that no longer knows some fields: without optional ones the crawl goes on and says so once;
# without one that a post cannot do without it ends.
set -eu
. "$ROOT/tests/lib/fetch.sh"
need python3 jq curl sqlite3

server_without() { # FIELD…
    cat >server_without.py <<EOF
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, '$ROOT/tests/api')
import filters, serving

filters.ALL = filters.ALL - set('$*'.split())
serving.main()
EOF
    serve_with server_without.py --generate 300 --virtual-clock --quota 100000 --nasty ''
}

server_without question.favorite_count comment.reply_to_user .quota_max
"$PPMINE" -q -d some.db init
fetch some.db || fail "$(cat said)"
[ "$(grep -c 'no longer knows .quota_max, question.favorite_count, comment.reply_to_user; ' said)" = 1 ] ||
    fail "the first run says: $(cat said)"
[ "$(sqlite3 some.db 'SELECT count(*) > 0, count(favorite_count), count(score) = count(*) FROM post')" = '1|0|1' ] ||
    fail "posts: $(sqlite3 some.db 'SELECT count(*), count(favorite_count), count(score) FROM post')"
fetch some.db || fail "$(cat said)"
! grep -q 'no longer knows' said || fail "it is said again: $(cat said)"
stop_server

# Counts that the answers lack: the first page is asked for five times, once for each count, and the
# rest is taken as it is; a post keeps the count that it had.
serve --generate 300 --virtual-clock --quota 100000 --nasty ''
"$PPMINE" -q -d whole.db init
fetch whole.db || fail "$(cat said)"
usual=$(ask _log | jq length)
stop_server
serve --generate 300 --virtual-clock --quota 100000 --nasty ''
control 'faults=missing-fields,fields=view_count,p=1'
"$PPMINE" -q -d lacks.db init
fetch lacks.db || fail "$(cat said)"
asked=$(ask _log | jq length)
[ "$(grep -c 'view_count. is missing or wrong; taken as it is after 5 tries' said)" = 1 ] || fail "said: $(cat said)"
[ $((asked - usual)) -le 4 ] || fail "without view_count $asked requests, else $usual"
same_but() { sqlite3 "$1" "SELECT post_id, post_type, parent_id, title, tags, score, answer_count, body_sha256 FROM post"; }
[ "$(same_but lacks.db)" = "$(same_but whole.db)" ] || fail "other posts without view_count"
[ "$(sqlite3 lacks.db 'SELECT count(view_count) FROM post')" = 0 ] || fail "view_count came from nowhere"
before=$(sqlite3 whole.db 'SELECT count(view_count) FROM post')
fetch whole.db --refresh || fail "$(cat said)"
[ "$(sqlite3 whole.db 'SELECT count(view_count) FROM post')" = "$before" ] || fail "counts were lost"
stop_server
serve --generate 300 --virtual-clock --quota 100000 --nasty ''
control 'faults=missing-fields,fields=answer_count;comment_count,p=1'
"$PPMINE" -q -d lists.db init
fetch lists.db || fail "$(cat said)"
[ "$(same_but lists.db | cut -d'|' -f1-5)" = "$(same_but whole.db | cut -d'|' -f1-5)" ] || fail "other posts without counts"
[ "$(sqlite3 lists.db 'SELECT count(*) FROM comment')" = "$(sqlite3 whole.db 'SELECT count(*) FROM comment')" ] ||
    fail "other comments without comment_count"
stop_server

server_without question.closed_date
"$PPMINE" -q -d closed.db init
! fetch closed.db || fail "a question without its closed_date looks open, and the run went on"
grep -q 'the API has no field question.closed_date' said || fail "$(cat said)"
