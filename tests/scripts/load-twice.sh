#!/bin/bash
# A dump loaded again changes nothing; a newer one updates, with the older bodies as revisions; in
# which order dumps come makes no difference.
set -eu
. "$ROOT/tests/lib/dump.sh"
need sqlite3

rows 1 300 | whole >first.xml
{ rows 1 100 2; rows 121 330 2; } | whole >second.xml # 20 posts were deleted, 30 are new
"$PPMINE" -q -d a.db init
load a.db 0 first.xml
untouched a.db >before
load a.db 0 first.xml
says "0 new, 0 changed, 300 as before"
untouched a.db >after
same "loading a dump twice changes something" before after

load a.db 0 second.xml
says "30 new, 280 changed, 0 as before"
[ "$(count a.db)" -eq 330 ] || fail "$(count a.db) posts, of 300 and 30 new ones"
# Posts 5, 10, … 100 and 125, 130, … 300 were edited.
[ "$(sqlite3 a.db 'SELECT count(*) FROM revision')" -eq 56 ] ||
    fail "$(sqlite3 a.db 'SELECT count(*) FROM revision') revisions, expected 56"
[ "$(sqlite3 a.db "SELECT body_html FROM post WHERE post_id = 15")" = \
    "<p>Post 15, edition 2, which says more and more.</p>" ] || fail "post 15 is not the newer one"
[ "$(sqlite3 a.db "SELECT body_html FROM revision WHERE post_id = 15")" = \
    "<p>Post 15, which says more and more.</p>" ] || fail "the revision of 15 is not the older one"
[ "$(sqlite3 a.db 'SELECT score FROM post WHERE post_id = 16')" -eq 32 ] || fail "an old score"
untouched a.db >before
load a.db 0 second.xml
untouched a.db >after
same "loading the newer dump again changes something" before after
load a.db 0 first.xml
untouched a.db >after
same "loading the older dump again changes something" before after

content a.db >a
for order in "second.xml first.xml" "second.xml second.xml first.xml first.xml second.xml"; do
    rm -f b.db
    "$PPMINE" -q -d b.db init
    # shellcheck disable=SC2086 # several files
    load b.db 0 $order
    content b.db >b
    same "other posts from $order" a b
done
