#!/bin/bash
# More questions of a tag than the API shows, created and active in one second: the run says so and
# ends with 4, and fetches the other tags all the same.
set -eu
. "$ROOT/tests/lib/fetch.sh"
need python3 jq curl sqlite3
skip_below_wrapper

# 2,600 questions at once, and 200 of another tag.
awk 'BEGIN {
    print "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<posts>"
    for (id = 1; id <= 2800; id++) {
        date = id > 2600 ? sprintf("20%d-01-02T03:04:05.678", 18 + id % 10) : "2019-01-02T03:04:05.678"
        printf "  <row Id=\"%d\" PostTypeId=\"1\" CreationDate=\"%s\" Score=\"1\" ViewCount=\"1\"", id, date
        printf " Body=\"&lt;p&gt;%d&lt;/p&gt;\" LastActivityDate=\"%s\" Title=\"%d\"", id, date, id
        printf " Tags=\"&lt;%s&gt;\" AnswerCount=\"0\" CommentCount=\"0\" />\n", (id > 2600 ? "keras" : "python")
    }
    print "</posts>"
}' >Posts.xml
serve --posts Posts.xml --virtual-clock --quota 1000000
"$PPMINE" -q -d some.db init
rc=0
fetch some.db --tag python --tag keras --to 2029-12-31 || rc=$?
[ "$rc" -eq 4 ] || fail "exit code $rc, not 4: $(cat said)"
grep -q 'more than 2500 questions tagged python were active in one second' said ||
    fail "it says: $(cat said)"
grep -q '1 of 2 windows' said || fail "it says: $(cat said)"
equal some.db keras --from 1514764800
violations 'the run'
