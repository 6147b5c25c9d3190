# shellcheck shell=bash
# Words for the tests of fetch, read with `.`; needs $PPMINE and $ROOT.

. "$ROOT/tests/lib/dump.sh"

# serve OPTION…: starts the test server; $SERVER, $API and $PPMINE_API_CLOCK are set. One at a time.
serve() {
    serve_with "$ROOT/tests/api/server.py" "$@"
}

serve_with() { # PROGRAM OPTION…
    local program=$1
    shift
    stop_server
    rm -f port
    python3 "$program" --port-file port "$@" &
    server_pid=$!
    for ((n = 0; n < 1200; n++)); do
        [ -s port ] && break
        sleep 0.05
    done
    SERVER=http://127.0.0.1:$(cat port)
    API=$SERVER/2.3
    export PPMINE_API_CLOCK=$SERVER/_clock
}

server_pid=
stop_server() {
    [ -z "$server_pid" ] || kill "$server_pid"
    [ -z "$server_pid" ] || wait "$server_pid" || :
    server_pid=
}
trap stop_server EXIT

ask() { # PAGE: one of the server's own pages
    curl -sS --globoff --noproxy '*' "$SERVER/$1"
}

control() { # SETTINGS
    ask "_control?$1" >control.json
    ! grep -q '"error"' control.json || fail "the server does not know $1: $(cat control.json)"
}

# violations: fails when the client broke a rule
violations() {
    ask _violations >violations.json
    [ "$(jq .total violations.json)" = 0 ] ||
        fail "$1: the client broke rules: $(jq -c '[.by_rule, (.list | .[:3])]' violations.json)"
}

# fetch DATABASE OPTION…: one run, as cron would start it; what it says stays in said and run.json
fetch() {
    local db=$1
    shift
    "$PPMINE" -d "$db" fetch --api-url "$API" --format json "$@" >run.json 2>said
}

# fetch_all DATABASE OPTION…: runs until one says that all is done, moving the clock as it asks
fetch_all() {
    local n rc until
    for ((n = 0; n < 200; n++)); do
        rc=0
        fetch "$@" || rc=$?
        [ "$rc" = 0 ] || [ "$rc" = 4 ] || fail "exit code $rc: $(cat said)"
        [ "$(jq .done run.json)" != true ] || return 0
        until=$(jq -r '.goes_on_at // empty' run.json)
        if [ -n "$until" ]; then
            until=$(($(date -u -d "$until" +%s) - $(ask _clock | jq '.now | floor')))
            [ "$until" -le 0 ] || ask "_clock?advance=$until" >/dev/null
        else
            ask "_clock?advance=600" >/dev/null
        fi
    done
    fail "not done after 200 runs: $(cat said)"
}

# equal DATABASE TAGS OPTION…: the database is as the server
equal() {
    local db=$1 tags=$2
    shift 2
    python3 "$ROOT/tests/reference/api_equal.py" "$db" "$SERVER" "$tags" "$@" >differences || {
        cat differences
        fail "${situation:+$situation: }the database is not as the server"
    }
}
