#!/bin/bash
# An API that no longer knows some fields: without optional ones the crawl goes on and says so once;
# without one that a post cannot do without it ends.
set -eu
. "$ROOT/tests/lib/fetch.sh"
need python3 jq curl sqlite3

server_without() { # FIELD…
    cat >server_without.py <<EOF
import sys
sys.path.insert(0, '$ROOT/tests/api')
import filters, server

filters.ALL = filters.ALL - set('$*'.split())
server.main()
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

server_without question.closed_date
"$PPMINE" -q -d closed.db init
! fetch closed.db || fail "a question without its closed_date looks open, and the run went on"
grep -q 'the API has no field question.closed_date' said || fail "$(cat said)"
