#!/bin/bash
# What works in several threads says what it says in one: check over many files, match over a dump in
# pieces, load, the pages under many requests. ThreadSanitizer (make test-tsan) looks for races in it.
set -eu
. "$ROOT/tests/lib/dump.sh"
export TSAN_OPTIONS=exitcode=99:halt_on_error=1

# --- check ---

mkdir project
for i in $(seq 40); do
    printf 'import tensorflow as tf\n\n\ndef f%d(x):\n    return tf.data.TFRecordDataset(x).map(lambda r: tf.io.decode_png(r))\n' \
        "$i" >"project/m$i.py"
    [ "$i" -eq 1 ] || printf 'from m%d import f%d\nds = f%d("x").batch(4)\n' "$((i - 1))" "$((i - 1))" "$((i - 1))" \
        >>"project/m$i.py"
done
for jobs in 1 2 7; do
    rc=0
    "$PPMINE" -q check --no-config --jobs "$jobs" project >"check.$jobs" 2>&1 || rc=$?
    [ "$rc" -eq 1 ] || fail "check --jobs $jobs: exit code $rc: $(tail -30 "check.$jobs")"
    same "check --jobs $jobs" check.1 "check.$jobs"
done

# --- match and load ---

rows 1 20000 | sed 's/which says more/which is slow, memory leak/' | whole >Posts.xml
for threads in 1 2 7; do
    "$PPMINE" -q match --stdin --threads "$threads" <Posts.xml >"match.$threads" 2>said || fail "match: $(tail -30 said)"
    same "match --threads $threads" match.1 "match.$threads"
done
[ "$(wc -l <match.1)" -gt 1000 ] || fail "match finds $(wc -l <match.1)"
"$PPMINE" -q -d a.db init
load a.db 0 Posts.xml
"$PPMINE" -q -d a.db match >matched 2>said || fail "match: $(tail -30 said)"

# --- serve ---

need curl
"$PPMINE" -d a.db serve --coder ann --port 0 --no-browser >where 2>said &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT
for _ in $(seq 300); do
    url=$(grep -ohE 'http://[^ ]*' where said | head -1) && [ -n "$url" ] && break
    sleep 0.1
done
[ -n "${url-}" ] || fail "serve: $(cat said)"
curl -s -c cookies -o page "$url" || fail "the first page: $(tail -60 said)" # the link works once
base=$(grep -oE 'http://[^/]*' <<<"$url")
for i in $(seq 12); do
    curl -s -L -b cookies -o "page.$i" -w '%{http_code}\n' "$base/" >"code.$i" &
    requests="${requests-} $!"
done
for pid in $requests; do wait "$pid" || fail "a request fails: $(tail -30 said)"; done
[ "$(cat code.* | sort | uniq -c | awk '{ print $1, $2 }')" = '12 200' ] || fail "pages: $(cat code.*)"
kill -TERM "$server"
rc=0
wait "$server" || rc=$?
trap - EXIT
grep -q 'WARNING: ThreadSanitizer' said && fail "$(grep -A30 'WARNING: ThreadSanitizer' said)"
[ "$rc" -ne 99 ] || fail "serve: $(tail -30 said)"
