#!/bin/bash
# Whatever is wrong (options, key, site, database, disk, server), fetch says so in words, ends with
# the right exit code, leaves the database as it was, and never tells the key.
set -eu
. "$ROOT/tests/lib/fetch.sh"
need python3 jq curl sqlite3

KEY=s3cr3t-k3y-of-tests
serve --generate 300 --virtual-clock --key "$KEY" --quota 100000 --auth bearer
"$PPMINE" -q -d good.db init
fetch good.db --tag python || fail "$(cat said)"

state_of() { sqlite3 "$1" .dump | sha256sum; }

# refused EXPECTED_RC WORDS DATABASE OPTION…
refused() {
    local expected=$1 words=$2 db=$3 rc=0 before after
    shift 3
    before=$([ ! -f "$db" ] || state_of "$db")
    fetch "$db" "$@" || rc=$?
    [ "$rc" -eq "$expected" ] || fail "fetch $*: exit code $rc, expected $expected: $(cat said)"
    grep -qF -e "$words" said || fail "fetch $*: '$words' is not said, but: $(cat said)"
    ! grep -qF "$KEY" said run.json || fail "fetch $*: the key is told: $(cat said)"
    after=$([ ! -f "$db" ] || sqlite3 "$db" 'PRAGMA integrity_check')
    [ ! -f "$db" ] || [ "$after" = ok ] || fail "fetch $*: the database is damaged"
    [ "$expected" -ne 2 ] || [ ! -f "$db" ] || [ "$before" = "$(state_of "$db")" ] ||
        fail "fetch $*: the database was changed"
}

# --- the command line ---
refused 2 "6 tags at once find nothing, the API takes 5" good.db --tag 'a;b;c;d;e;f'
refused 2 "is not a tag" good.db --tag 'keras*'
refused 2 "is not a tag" good.db --tag 'keras|flask'
refused 2 "'2018-13-01' is not a date such as 2018-01-31" good.db --from 2018-13-01
refused 2 "'yesterday' is not a date" good.db --to yesterday
refused 2 "--from is later than --to" good.db --from 2019-01-02 --to 2019-01-01
refused 2 "three different runs" good.db --tag keras --refresh
refused 2 "--rate '26' is not a number from 0 to 25" good.db --rate 26
refused 2 "plain http would show the key" good.db --api-url http://example.org/2.3
refused 2 "plain http would show the key" good.db --api-url http://127.0.0.1.example.org/2.3
refused 2 "plain http would show the key" good.db --api-url http://localhost:80@example.org/2.3
refused 2 "is not a URL" good.db --api-url ftp://127.0.0.1/2.3
printf '12\nabc\n' >ids.txt
refused 3 "ids.txt:2: 'abc': expected the id of a post" good.db --ids ids.txt
printf '# none\n\n' >none.txt
refused 3 "none.txt: no id in it" good.db --ids none.txt
refused 6 "missing.txt: No such file" good.db --ids missing.txt

# --- keys ---
export PPMINE_API_KEY=wrong-$KEY
refused 3 "doesn't match a known application; check \$PPMINE_API_KEY" good.db --tag python
PPMINE_API_KEY='two words' refused 3 "PPMINE_API_KEY: contains no key" good.db --tag python
unset PPMINE_API_KEY
echo "$KEY" >key
chmod 644 key
refused 3 "others can read it; chmod 600 key" good.db --tag python --key-file key
chmod 600 key
fetch good.db --tag python --key-file key || fail "with a key: $(cat said)"
[ "$(ask _log | jq -r '.[-1].who')" = key ] || fail "the key was not sent"
PPMINE_API_KEY=$KEY fetch good.db --tag python --key-in-query 2>/dev/null &&
    fail "a server that takes no keys in the query was given one, and all went well"
grep -q 'Authorization header' said || fail "the server's reason is not told: $(cat said)"
for file in said run.json good.db good.db-wal; do
    [ ! -f "$file" ] || ! grep -qaF "$KEY" "$file" || fail "the key stands in $file"
done
sqlite3 good.db .dump | grep -qF "$KEY" && fail "the key stands in the database"
control auth=both
ask _clock?advance=100 >/dev/null
PPMINE_API_KEY=$KEY fetch good.db --tag python --key-in-query || fail "key in the query: $(cat said)"
[ "$(ask _log | jq -r '.[-1] | .who + (.query | contains("key='$KEY'") | tostring)')" = keytrue ] ||
    fail "the key was not in the query"
sqlite3 good.db .dump | grep -qF "$KEY" && fail "the key stands in the database after --key-in-query"
unset PPMINE_API_KEY

# --- the database ---
refused 5 "no.db: " no.db --tag python
[ ! -e no.db ] && [ ! -e no.db-fetch-lock ] || fail "something was made where no database is"
echo 'something else' >text.db
fetch text.db --tag python && fail "a text is taken for a database"
grep -q "text.db: not an SQLite database" said || fail "text.db: $(cat said)"
cp good.db other.db
sqlite3 other.db "UPDATE study_file SET content =
    replace(content, 'stackoverflow.com', 'unix.stackexchange.com') WHERE name = 'study.ini'"
refused 5 "contains posts of stackoverflow.com, and the study is about unix.stackexchange.com" \
    other.db --tag python
"$PPMINE" -q -d site.db init
sqlite3 site.db "UPDATE study_file SET content =
    replace(content, 'stackoverflow.com', 'no-such-site') WHERE name = 'study.ini'"
refused 3 "No site found for name \`no-such-site\`; check \`site\` in the study.ini" site.db --tag python
"$PPMINE" -q -d small.db init
(
    trap '' XFSZ
    ulimit -f 200 # KiB, for the write-ahead log
    refused 6 "no space left on the disk, or over a quota or limit" small.db --tag python
)
fetch small.db --tag python || fail "with room again: $(cat said)"
equal small.db python --from 1514764800 --to 1614815999

# --- the server ---
n_before=$(sqlite3 good.db 'SELECT count(*) FROM post')
control 'faults=html,status=503'
refused 4 "gave up after 8 tries" good.db --tag python
control 'faults=redirect'
refused 4 "HTTP status 302" good.db --tag python
control 'faults=bomb,mb=64'
refused 4 "larger than any answer of the API" good.db --tag python
control 'faults=none'
[ "$(sqlite3 good.db 'SELECT count(*) FROM post')" = "$n_before" ] || fail "posts were lost"
clock=$PPMINE_API_CLOCK
unset PPMINE_API_CLOCK
[ -n "${TEST_WRAPPER-}" ] || [ -z "${FETCH_SLOW-}" ] || # two minutes of waiting in real time
    refused 4 "gave up after 8 tries" good.db --tag python --api-url http://127.0.0.1:1/2.3
export PPMINE_API_CLOCK=$clock

# --- a throttled answer is no error, and says when it goes on ---
control 'faults=throttle,seconds=46472,count=1'
fetch good.db --tag python || fail "throttled: exit code $?: $(cat said)"
grep -q 'the API asked to wait: the next run can continue from 20' said || fail "throttled: $(cat said)"
before=$(ask _violations | jq .requests)
fetch good.db --tag python || fail "throttled, again: exit code $?: $(cat said)"
[ "$(ask _violations | jq .requests)" = "$before" ] || fail "a request during the ban"
[ "$(jq -r .done run.json)" = false ] || fail "throttled, but done"
"$PPMINE" -d good.db fetch --status >status
grep -q 'next request: 20' status || fail "--status does not tell when: $(cat status)"
[ "$("$PPMINE" -d good.db fetch --status --format json | jq -r '.next_request | length')" = 20 ] ||
    fail "--status --format json does not tell when"
