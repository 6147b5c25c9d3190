#!/bin/bash
# fetch --github and --urls: a server that is slow, throttles, fails and answers nonsense, whose repository changes
# meanwhile, is copied whole; so it is by runs that are killed at each request; rebuild gives the same posts; each
# link of a list is kept or named; the token goes to GitHub and nowhere else.
set -eu
. "$ROOT/tests/lib/fetch.sh"
need python3 jq curl sqlite3 cc
skip_below_wrapper

cc -shared -fPIC -O1 -o kill.so "$ROOT/tests/preload/kill_at_request.c" -ldl
TOKEN=ghp_0123456789secretTOKEN
(umask 077 && printf '%s\n' "$TOKEN" >token)
"$PPMINE" -q init --skeleton study
echo 'sites = b1 github.com/big/repo, s1 github.com/small/one, t1 127.0.0.1' >>study/study.ini
"$PPMINE" -q -d empty.db init --study study

github() { # OPTION…: starts the server
    serve_with "$ROOT/tests/lib/github_server.py" "$@"
    API=$SERVER
}

copy_is() { # DATABASE WHAT: the database has what the server has of it
    python3 "$ROOT/tests/lib/github_server.py" equal "$1" "$SERVER" "$2" >differences ||
        fail "$1 is not as the server: $(cat differences)"
}

posts_of() { # DATABASE
    sqlite3 "$1" 'SELECT post_id, post_type, parent_id, title, tags, score, answer_count, created_at, last_activity_at,
        owner_user_id, owner_display_name, body_html FROM post ORDER BY 1;
        SELECT user_id, display_name, link FROM author ORDER BY 1'
}

# --- a repository, undisturbed ---

github --issues 240 --token "$TOKEN"
whole=(--rate 0 --github big/repo --github small/one)
export PPMINE_GITHUB_TOKEN=$TOKEN

# Without a token, by REST.
ask '_control?token=' >/dev/null
cp empty.db rest.db
env -u PPMINE_GITHUB_TOKEN "$PPMINE" -d rest.db fetch --api-url "$API" --format json "${whole[@]}" >run.json 2>said ||
    fail "REST: $(cat said)"
copy_is rest.db big/repo,small/one
env -u PPMINE_GITHUB_TOKEN "$PPMINE" -d rest.db fetch --api-url "$API" --format json "${whole[@]}" >run.json 2>said ||
    fail "REST, again: $(cat said)"
[ "$(jq '.new + .changed' run.json)" = 0 ] || fail "REST, again: $(cat run.json)"
[ "$(ask _log | jq '[.[-7:][] | select(.code == 304)] | length')" -ge 5 ] ||
    fail "what did not change is asked for again: $(ask _log | jq -c '.[-7:]')"
ask "_control?token=$TOKEN" >/dev/null
cp empty.db whole.db
fetch whole.db "${whole[@]}" || fail "undisturbed: $(cat said)"
copy_is whole.db big/repo,small/one
posts_of whole.db >whole
before=$(jq .requests run.json)
fetch whole.db "${whole[@]}" || fail "again: $(cat said)"
[ "$(jq '.new + .changed' run.json)" = 0 ] || fail "again: $(cat run.json)"
violations undisturbed
echo "$before requests for $(sqlite3 whole.db 'SELECT count(*) FROM post') posts"

# --- the answers that are kept are enough ---

cp empty.db rebuilt.db
"$PPMINE" -q -d rebuilt.db rebuild whole.db
posts_of rebuilt.db >rebuilt
same 'rebuilt: other posts' whole rebuilt

# --- the token is nowhere ---

for f in whole.db said run.json; do
    ! grep -q "$TOKEN" "$f" || fail "the token is in $f"
done
rc=0
env -u PPMINE_GITHUB_TOKEN "$PPMINE" -d whole.db fetch --api-url "$API" --github small/one --rate 0 --token-file token \
    2>said || rc=$?
[ "$rc" = 0 ] || fail "--token-file: $(cat said)"
violations 'the token'

# --- killed at each request ---

requests=$before
cp empty.db some.db
if may_preload; then
    for ((n = 1; n <= requests; n++)); do
        (KILL_AT_REQUEST=2 LD_PRELOAD=$PWD/kill.so fetch some.db "${whole[@]}") 2>killed && break
        [ "$(sqlite3 some.db 'PRAGMA integrity_check')" = ok ] || fail "life $n: a damaged database"
    done
    [ "$n" -gt 4 ] || fail "only $n lives"
    fetch some.db "${whole[@]}" || fail "after $n lives: $(cat said)"
    posts_of some.db >some
    same "after $n lives: other posts" whole some
    echo "$n lives"
fi

# --- faults, and a repository that changes meanwhile ---

github --issues 200 --token "$TOKEN" --mutate-every 3 --quota 12 \
    --faults 429,500,cut,403,wrong,html,limit,broken,slow,late,null,503,403-after,reset
cp empty.db faulty.db
fetch_all faulty.db "${whole[@]}" --quota-reserve 0 --max-wait 100
ask '_control?mutate_every=0' >/dev/null
fetch_all faulty.db "${whole[@]}" --quota-reserve 0 --max-wait 100
copy_is faulty.db big/repo,small/one
violations 'with faults'
cp empty.db rebuilt.db
"$PPMINE" -q -d rebuilt.db rebuild faulty.db
copy_is rebuilt.db big/repo,small/one

# --- a list of links ---

ask '_control?quota=5000' >/dev/null
ask '_control?delete=3' >/dev/null
cat >links.csv <<EOF
url,what
https://github.com/small/one/issues/1,an issue
"https://github.com/SMALL/one/pull/5#issuecomment-1","a pull request, in capitals"
https://github.com/small/one/issues/1?x=1,again
https://github.com/SMALL/one/issues/1,"again, in capitals"
https://github.com/small/one/issues/3,deleted
https://github.com/small/one/issues/99,never there
https://github.com/other/one/issues/1,not of the study
https://github.com/small/one/wiki,no issue
https://github.com/big/repo/issues/1 has 130 comments
$SERVER/t/a-topic/5/9,a topic of 47 posts
$SERVER/t/6,a short one
$SERVER/t/7,never there
see https://github.com/small/one/discussions/8. It is a discussion; https://github.com/small/one/discussions/2 is none
EOF
cp empty.db links.db
fetch links.db --urls links.csv --rate 0 || fail "links: $(cat said)"
copy_is links.db 'small/one 1,small/one 5,small/one 8,big/repo 1,topic 5,topic 6'
[ "$(jq -c '.links | [.read, .kept, ([.left_out[].n] | add)]' run.json)" = '[14,6,8]' ] || fail "links: $(cat run.json)"
for what in 'issues/3: deleted (410)' 'issues/99: not there, or private (404)' 'x=1: named before in the list' 'SMALL/one/issues/1: named before in the list' \
    't/7: not there, or private (404)' 'discussions/2: not there, or private (404)' 'other/one/issues/1: of the site github.com/other/one, which the study does not have' \
    'wiki: not a link to an issue, a pull request or a topic'; do
    grep -qF "$what" said || fail "links: '$what' is not said: $(cat said)"
done
fetch links.db --urls links.csv --rate 0 || fail "links, again: $(cat said)"
[ "$(jq -c '[.links.kept, .new, .changed]' run.json)" = '[6,0,0]' ] || fail "links, again: $(cat run.json)"
ask '_control?edit=1' >/dev/null
fetch links.db --urls links.csv --rate 0 || fail "links, edited: $(cat said)"
copy_is links.db 'small/one 1,small/one 5,small/one 8,big/repo 1,topic 5,topic 6'
[ "$(jq .changed run.json)" = 1 ] || fail "links, edited: $(cat run.json)"

posts_of links.db >whole
cp empty.db some.db
for ((n = 1; n <= 20; n++)); do
    may_preload || break
    (KILL_AT_REQUEST=$((2 + n)) LD_PRELOAD=$PWD/kill.so fetch some.db --urls links.csv --rate 0) 2>killed && break
done
fetch some.db --urls links.csv --rate 0 || fail "links, after $n lives: $(cat said)"
posts_of some.db >some
same "links, after $n lives: other posts" whole some
rc=0
env -u PPMINE_GITHUB_TOKEN "$PPMINE" -d some.db fetch --api-url "$API" --urls links.csv --rate 0 2>said || rc=$?
grep -q 'discussions/8: a discussion, and GitHub shows those only with a token' said || fail "without a token: $(cat said)"
ask _violations | grep -q 'no token' || fail 'the server does not see whether a token came'

# A long topic in one answer is read at once.
ask '_control?crowd=60000' >/dev/null
echo "$SERVER/t/9" >crowded.txt
cp empty.db crowded.db
SECONDS=0
fetch crowded.db --urls crowded.txt --rate 0 || fail "a crowded topic: $(cat said)"
copy_is crowded.db 'topic 9'
[ "$SECONDS" -lt 40 ] || fail "a topic of 60000 posts takes $SECONDS s"

# --- what is not to be had is named ---

ask '_control?deny=/repos/big/repo/issues/1/comments' >/dev/null
cp empty.db denied.db
fetch denied.db "${whole[@]}" || fail "a part is refused: $(cat said)"
grep -q 'big/repo: 1: its further comments or reviews: not allowed (403): Resource not accessible' said ||
    fail "comments that did not come are not said: $(cat said)"
[ "$(jq -c '[.left_out[] | select(.why | test("refused")) | .n]' run.json)" = '[1]' ] ||
    fail "comments that did not come are not counted: $(cat run.json)"
ask '_control?deny=' >/dev/null

# GraphQL gives a part of what was asked for and an error: fewer threads at once are whole, or what lacks is named.
ask '_control?part=3' >/dev/null
cp empty.db part.db
fetch part.db "${whole[@]}" || fail "in part: $(cat said)"
copy_is part.db big/repo,small/one
[ "$(jq .requests run.json)" -le $((before + 40)) ] || fail "in part: $(jq .requests run.json) requests"
ask '_control?part=1+alone' >/dev/null
cp empty.db part.db
fetch part.db "${whole[@]}" || fail "in part, always: $(cat said)"
for repository in big/repo small/one; do
    grep -qF "$repository: 1: GitHub does not show all of it: Resource limits exceeded." said ||
        fail "a thread without its comments is not said: $(cat said)"
done
[ "$(jq -c '[.left_out[] | select(.why | test("a part of a thread")) | .n]' run.json)" = '[2]' ] ||
    fail "a thread without its comments is not counted: $(cat run.json)"
ask '_control?part=' >/dev/null

ask '_control?mega=5' >/dev/null
echo "$SERVER/t/5" >mega.txt
cp empty.db mega.db
fetch mega.db --urls mega.txt --rate 0 || fail "a topic without a list: $(cat said)"
grep -q 't/5: 27 posts of the topic did not come' said || fail "posts that no list has are not said: $(cat said)"
ask '_control?mega=0' >/dev/null

echo 'sites = s1 github.com/small/one, o1 github.com/old/name, n1 github.com/no/body' >study/sites
sed -i '/^sites/d' study/study.ini && cat study/sites >>study/study.ini
"$PPMINE" -q -d names.db init --study study
refused() { # RC WHAT OPTION…
    local rc=0 want=$1 what=$2
    shift 2
    fetch names.db --rate 0 "$@" || rc=$?
    [ "$rc" = "$want" ] || fail "$*: exit code $rc: $(cat said)"
    grep -qF -- "$what" said || fail "$*: '$what' is not said: $(cat said)"
}
refused 3 'github.com/old/name: moved to https://github.com/small/one' --github old/name --github small/one
[ "$(sqlite3 names.db 'SELECT count(*) FROM post')" -gt 6 ] || fail 'one repository that moved stops another'
refused 3 'github.com/no/body: not there, or private (404)' --github no/body
refused 3 'the study has no site github.com/big/repo' --github big/repo
refused 2 'is not a repository such as owner/name' --github 'a/b?c'
refused 2 'do not go together with --tag' --github a/b --tag x
echo 'no links here' >none
refused 3 'none: no links' --urls none
