#!/bin/bash
# Answers and comments that a question's answer leaves out are asked for by their own methods, over
# several pages where there are many, and what is deleted among them is found, too.
set -eu
. "$ROOT/tests/lib/fetch.sh"
need python3 jq curl sqlite3

serve --generate 400 --virtual-clock --quota 100000
"$PPMINE" -q -d some.db init
control 'faults=missing-fields,fields=answers,method=/questions&fault=missing-fields,fields=comments,method=/questions'
fetch some.db --tag python --to 2029-12-31 || fail "$(cat said)"
equal some.db python --from 1514764800 --to 1893456000
ask _log | jq -e '[.[].method] | index("/questions/{ids}/answers") and index("/questions/{ids}/comments")' \
    >asked || fail "neither answers nor comments were asked for"
[ "$(sqlite3 some.db 'SELECT count(*) FROM api_due')" = 0 ] || fail "something is still due"

# With answers, comments and questions gone, and new ones there.
control 'mutate_kinds=delete-answer;delete-comment;new-comment;new-answer;undelete-answer'
control mutate=120
ask _clock?advance=4000 >/dev/null
control 'faults=missing-fields,fields=answers&fault=missing-fields,fields=comments'
fetch some.db --refresh || fail "$(cat said)"
# The answers' own comments were cut off as well: they came by their own method.
control 'faults=none'
ask _clock?advance=4000 >/dev/null
fetch some.db --tag python --to 2029-12-31 || fail "$(cat said)"
equal some.db python --from 1514764800 --to 1893456000
[ "$(sqlite3 some.db "SELECT count(*) FROM post WHERE deleted_at IS NOT NULL")" -gt 3 ] &&
    [ "$(sqlite3 some.db "SELECT count(*) FROM comment WHERE deleted_at IS NOT NULL")" -gt 3 ] ||
    fail "hardly anything was deleted: a weak test"
violations 'all runs'
