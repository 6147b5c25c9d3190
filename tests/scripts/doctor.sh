#!/bin/bash
# doctor: what is missing on a machine, and each kind of fault of a database that it is to find.
set -eu
. "$ROOT/tests/lib/dump.sh"
need sqlite3

mkdir tmp
export TMPDIR=$PWD/tmp
doctor() { # EXPECTED_RC DATABASE: what it says goes to the file out
    local rc=0
    "$PPMINE" -d "$2" doctor --format csv >out 2>said || rc=$?
    [ "$rc" -eq "$1" ] || fail "doctor $2: exit code $rc, expected $1: $(cat out said)"
    [ -z "$(ls -A tmp)" ] || fail "left in TMPDIR: $(ls -A tmp)"
}
state() { sed -n "s/^$1,\([a-z]*\),.*/\1/p" out | sort -u; }
is() { [ "$(state "$1")" = "$2" ] || fail "$1: $(state "$1"), expected $2: $(cat out)"; }

"$PPMINE" -q -d good.db init --published
{ rows 1 60 | sed 's/\(Post [0-9]*\)/\1 on a GPU is a memory leak/'; } | whole >dump.xml
"$PPMINE" -q -d good.db load --all-tags dump.xml
"$PPMINE" -q -d good.db match >/dev/null
[ "$(sqlite3 good.db 'SELECT count(*) > 10 FROM hit')" = 1 ] || fail "no hits: a weak test"
cp good.db before.db
doctor 0 good.db
for what in database 'full-text index' keyword post_text hit candidate_post post_fact judgement label problem; do
    is "$what" ok
done
cmp -s good.db before.db || fail "doctor changed the database"

# One change of each derived table, and it alone is said to differ.
while IFS='|' read -r table sql; do
    cp good.db bad.db
    sqlite3 bad.db "$sql"
    doctor 1 bad.db
    is "$table" differs
    [ "$(grep -c ',differs,' out)" -eq 1 ] || fail "$table: $(cat out)"
done <<'END'
post_text|UPDATE post_text SET body = 'changed' WHERE post_id = 4
keyword|UPDATE keyword SET note = 'other' WHERE keyword_id = 1
hit|UPDATE hit SET "end" = "end" + 1 WHERE post_id = (SELECT min(post_id) FROM hit)
candidate_post|UPDATE candidate_post SET n_hits = n_hits + 1 WHERE post_id = 1
judgement|UPDATE judgement SET is_problem = 1 - is_problem WHERE post_id = (SELECT min(post_id) FROM judgement)
label|UPDATE label SET code_id = (SELECT code_id FROM code WHERE code_id <> label.code_id LIMIT 1) WHERE code_id IS NOT NULL AND subject = (SELECT min(subject) FROM label WHERE code_id IS NOT NULL)
problem|DELETE FROM problem WHERE problem_id = (SELECT min(problem_id) FROM problem)
END

cp good.db bad.db
sqlite3 -cmd ".dbconfig defensive off" bad.db \
    "UPDATE post_search_data SET block = zeroblob(length(block)) WHERE id > 10" >/dev/null
doctor 1 bad.db
is 'full-text index' differs

# A reference that leads nowhere, and a page that was overwritten
cp good.db bad.db
sqlite3 bad.db "PRAGMA foreign_keys = OFF; DELETE FROM post WHERE post_id = 7"
doctor 1 bad.db
is database damaged
grep -q 'refers to a row of post that is not there' out || fail "not said: $(cat out)"
cp good.db bad.db
pages=$(sqlite3 good.db "SELECT rootpage FROM sqlite_schema WHERE name = 'judgement'")
size=$(sqlite3 good.db 'PRAGMA page_size')
head -c 200 /dev/urandom | dd of=bad.db bs=1 seek=$(((pages - 1) * size + 9)) conv=notrunc 2>/dev/null
rc=0
"$PPMINE" -d bad.db doctor --format csv >out 2>said || rc=$?
[ "$rc" -eq 1 ] || [ "$rc" -eq 5 ] || fail "an overwritten page: exit code $rc: $(cat out said)"

# Not matched, or with keywords that are elsewhere: not compared, and no fault
"$PPMINE" -q -d new.db init
doctor 0 new.db
is hit skipped
echo 'memory leak' >words
"$PPMINE" -q -d good.db match --keywords words --replace >/dev/null
doctor 0 good.db
is hit skipped

# Without programs and without a database
mkdir empty
(cd empty && unset PPMINE_DB && PATH=/nowhere "$PPMINE" doctor --format csv >../out) || fail "no database: exit code $?"
is gnuplot missing
is 7z missing
is database skipped
