#!/bin/bash
# The study's tags with patterns, whose names the API is asked for; lists of ids, also when their
# run was ended in the middle; windows that grow; a progress line on a terminal and none elsewhere.
set -eu
. "$ROOT/tests/lib/fetch.sh"
need python3 jq curl sqlite3

# The test server with a method more: /tags.
cat >server_with_tags.py <<EOF
import collections, sys
sys.dont_write_bytecode = True
sys.path.insert(0, '$ROOT/tests/api')
import filters, query, serving

filters.TYPES['tag'] = (('count', 1), ('name', 1))
filters.DEFAULT |= {'tag.count', 'tag.name'}
query.METHODS['/tags'] = ('tag', ())
things = serving.Api.things

def with_tags(self, request):
    if request.template != '/tags':
        return things(self, request)
    if request.params.get('inname') == 'many':
        return [{'name': f'many{n:05}', 'count': 0} for n in range(2600)], None
    count = collections.Counter(t for q in self.corpus.questions() for t in q.tags)
    part = request.params.get('inname', '')
    return [{'name': n, 'count': c} for n, c in sorted(count.items()) if part in n], None

serving.Api.things = with_tags
serving.main()
EOF
options=(--generate 1500 --virtual-clock --quota 100000 --nasty '')
serve_with server_with_tags.py "${options[@]}"
"$PPMINE" -q -d some.db init
fetch some.db || fail "$(cat said)"
names=$(sqlite3 some.db "SELECT DISTINCT tag FROM api_window ORDER BY 1" | tr '\n' ' ')
[ "$names" = 'keras tensorflow tensorflow2.0 ' ] || fail "tags: $names"
equal some.db 'keras;tensorflow;tensorflow2.0' --from 1514764800 --to 1614815999
fetch some.db || fail "$(cat said)"
[ "$(ask _log | jq '[.[] | select(.method == "/tags")] | length')" = 2 ] ||
    fail "the names are asked for more than once a week"

# More tags than the API shows without a key: nothing is left out in silence.
"$PPMINE" -q init --skeleton many
sed -i 's/^tags .*/tags = many*/' many/study.ini
for key in '' key; do
    rm -f many.db
    "$PPMINE" -q -d many.db init --study many
    rc=0
    PPMINE_API_KEY=$key fetch many.db --rate 0 --max-wait 0 || rc=$?
    case $key in
    '') [ "$rc" = 4 ] && grep -q "more than 2500 tags have 'many' in their name" said ;;
    *) [ "$rc" = 0 ] && [ "$(sqlite3 many.db 'SELECT count(DISTINCT tag) FROM api_window')" = 2600 ] ;;
    esac || fail "2600 tags, key '$key': exit code $rc: $(tail -3 said)"
done

# A server without that method: the names in the patterns have to do.
serve "${options[@]}"
"$PPMINE" -q -d plain.db init
fetch plain.db || fail "$(cat said)"
grep -q 'asking for the name without `\*`' said || fail "nothing is said about the patterns: $(cat said)"
equal plain.db 'keras;tensorflow' --from 1514764800 --to 1614815999

# A window that grows costs what is new in it; joined, its parts are one, whose activity is read from
# the earliest of their places on, and then one request does again.
"$PPMINE" -q -d window.db init
for window in 2019-03-01/2019-06-30 2019-03-01/2019-12-31 2018-06-01/2020-06-30; do
    fetch window.db --tag python --from "${window%/*}" --to "${window#*/}" || fail "$window: $(cat said)"
    equal window.db python --from "$(date -u -d "${window%/*}" +%s)" \
        --to "$(date -u -d "${window#*/} 23:59:59" +%s)"
done
[ "$(sqlite3 window.db 'SELECT count(*) FROM api_window')" = 1 ] || fail "the windows are not joined"
for n in 1 2; do
    fetch window.db --tag python --from 2018-06-01 --to 2020-06-30 || fail "$(cat said)"
done
[ "$(jq .requests run.json)" = 1 ] || fail "windows that were joined: $(jq .requests run.json) requests"

# Ids, in any order, some twice, some that are not there; ended after each request.
ask _state | jq -r '.questions[].question_id' | head -450 >real
{ sort -R real; head -5 real; echo '1 # none'; echo; echo ' 2147483647'; } >ids
"$PPMINE" -q -d ids.db init
control 'faults=backoff,seconds=900,method=/questions/{ids}'
for ((n = 1; n <= 5; n++)); do
    fetch ids.db --ids ids --max-wait 10 || fail "ids: $(cat said)"
    ask _clock?advance=1000 >/dev/null
    [ "$(jq .done run.json)" != true ] || break
done
[ "$n" -eq 5 ] || fail "452 ids took $n runs of one request, not 5"
grep -q 'requested ids are not questions' said || fail "missing ids are not told: $(cat said)"
equal ids.db python --ids real
violations 'all runs'
[ "$(ask _log | jq '[.[] | select(.method == "/questions/{ids}")] | length')" = 5 ] ||
    fail "more than 5 requests for 452 ids"
control faults=none

# The progress line.
if [ -z "${TEST_WRAPPER-}" ] && command -v script >/dev/null; then
    "$PPMINE" -q -d bar.db init
    echo "\"$PPMINE\" -d bar.db fetch --api-url $API --tag python --tag keras" >terminal.sh
    control 'faults=slow,seconds=0.2'
    script -qec 'sh terminal.sh' /dev/null >terminal </dev/null
    grep -q 'fetch \[.*\] .* %.*/2 windows, [0-9]* posts, quota [0-9]*' terminal ||
        { cat -v terminal; fail "no progress on a terminal"; }
    ! grep -q "$(printf '\r')" said || fail "a progress line in a file"
fi
