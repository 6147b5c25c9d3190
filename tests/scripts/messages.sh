#!/bin/bash
# What goes wrong around the program is said in one line that names it: a file system without locks, a full disk, a reader
# that ends early, who is asked for in a way that cannot be.
# shellcheck disable=SC2086 # commands with their options
set -eu
. "$ROOT/tests/lib/fetch.sh"
need python3 cc jq

lines() { # WHAT CODE TEXT: one line on stderr, with the text
    [ "$rc" -eq "$2" ] && [ "$(wc -l <said)" -eq 1 ] && grep -qF -- "$3" said || fail "$1: exit code $rc: $(cat said)"
}

rows 1 400 | sed "s/which says/which is slower and says/" | whole >Posts.xml
"$PPMINE" -q -d s.db init
"$PPMINE" -q -d s.db load --all-tags Posts.xml
"$PPMINE" -q -d s.db match >candidates

# A disk that is full, for tables that are larger than what is written at once and for smaller ones, and streams.
for what in 'export --table posts' 'export --table posts --format ndjson' 'export --table posts --format xlsx' 'sample -n 2' \
    doctor 'codebook list' 'load --format json Posts.xml' 'keywords'; do
    rc=0
    "$PPMINE" -q -d s.db $what >/dev/full 2>said || rc=$?
    lines "$what to a full disk" 6 'standard output: No space left on device'
done
rc=0
"$PPMINE" -q match --stdin <Posts.xml >/dev/full 2>said || rc=$?
lines 'match --stdin to a full disk' 6 'standard output: No space left on device'

# A reader that ends early is nobody's fault, whoever ignores the signal.
early() { # COMMAND…: its reader is gone before it writes
    (
        trap '' PIPE
        { sleep 0.2; "$@" 2>said && rc=0 || rc=$?; echo "$rc" >rc; } | true
    )
    [ "$(cat rc)" -eq 141 ] && [ ! -s said ] || fail "$*, without a reader: exit code $(cat rc): $(cat said)"
}
early "$PPMINE" -q -d s.db export --table posts
early "$PPMINE" -q -d s.db codebook list
early "$PPMINE" --help
serve --generate 30 --virtual-clock --quota 100000
early "$PPMINE" -q -d s.db fetch --api-url "$API" --rate 0 --format json
early "$PPMINE" -q -d s.db fetch --status
cat >plan.json <<<'{"Title": ["good"]}'
python3 "$ROOT/tests/lib/model_server.py" plan.json model-port log &
model=$!
trap 'kill $model; stop_server' EXIT
for ((n = 0; n < 200; n++)); do [ -e model-port ] && break || sleep 0.05; done
early "$PPMINE" -q -d s.db label model --model m --yes --max-requests 1 --api-url "http://127.0.0.1:$(cat model-port)/v1" --format csv m
stop_server

# What cannot be asked for leaves nothing beside the database.
cp s.db u.db
for how in '--rate 0' '--api-url http://example.org' '--api-url ftp://example.org' '--github keras-team/keras --rate 0' \
    '--github keras-team/keras --api-url http://example.org'; do
    rc=0
    "$PPMINE" -d u.db fetch $how 2>said || rc=$?
    lines "fetch $how" 2 'error: '
    [ ! -e u.db-fetch-lock ] || fail "fetch $how: a lock is left"
done

# No locks.
[ -z "${TEST_WRAPPER-}" ] && [ "${TEST_FLAVOUR-release}" = release ] || exit 0
cc -shared -fPIC -O1 -o no_locks.so "$ROOT/tests/preload/no_locks.c" -ldl
for what in '-d s.db doctor' '-d s.db label set 1 --coder ann --problem no' '-d new.db init' '-d s.db load Posts.xml' '-d s.db fetch --status'; do
    rc=0
    LD_PRELOAD=$PWD/no_locks.so "$PPMINE" -q $what >/dev/null 2>said || rc=$?
    lines "$what without locks" 5 'the file system has no locks (NFS without its lock service?)'
done
[ ! -e new.db ] || fail "without locks: a database was made"
