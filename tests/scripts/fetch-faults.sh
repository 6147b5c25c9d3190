#!/bin/bash
# A crawl with edits and deletions going on and with every fault of the server at random loses
# nothing and doubles nothing: once the changes stop, another run and a refresh, still with faults,
# make the database equal to the server. No rule of the API is broken on the way.
#
# FAULTS of 10,000 requests get a fault. SEEDS and QUESTIONS make it longer: make test-fetch-long, with
# 5 % of faults.
set -eu
. "$ROOT/tests/lib/fetch.sh"
need python3 jq curl
skip_below_wrapper

SEEDS=${SEEDS-2} QUESTIONS=${QUESTIONS-500} FIRST_SEED=${FIRST_SEED-1} FAULTS=${FAULTS-2500}
TAGS='python;tensorflow;keras'
since=1514764800 until=1893456000 # 2018 to 2030: what is new belongs to it, too

# Faults that a client can tell from a good answer, or that do not matter.
plain=(throttle throttle,message=backoff error error,id=503 status html html,status=403
    html,status=429 plain-error drop reset redirect backoff empty-more no-more missing-wrapper
    null-fields duplicate-items shuffle quota bad-json not-object bom truncated-gzip corrupt-gzip
    trailing-gzip slow,seconds=0.1 cut cut-header no-encoding wrong-encoding plain zlib raw-deflate
    chunked chunked-cut no-length bomb,mb=64 new-field)
# Faults that look like a good answer that says something else; what they did is put right by the
# refresh, during which they are not to be had.
sly=(lose-items missing-fields wrong-types)

# faults TOTAL NAME…: options that give so many of 10,000 requests one of these faults
faults() {
    local total=$1 name
    shift
    for name; do
        printf 'faults=%s,p=%s&' "$name" "$(awk -v n=$# -v t="$total" 'BEGIN { print t / 10000 / n }')"
    done
}

tags=(--tag python --tag tensorflow --tag keras --from 2018-01-01 --to 2029-12-31)
requests=0 hit=0
for ((seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++)); do
    serve --generate "$QUESTIONS" --seed "$seed" --fault-seed "$seed" --mutate-seed "$seed" \
        --virtual-clock --mutate-every 1 --mutate-count 2 --ties unstable
    rm -f some.db*
    "$PPMINE" -q -d some.db init
    control "$(faults "$FAULTS" "${plain[@]}" "${sly[@]}")"
    fetch_all some.db "${tags[@]}"
    control mutate_every=0
    fetch_all some.db "${tags[@]}"
    control "$(faults "$FAULTS" "${plain[@]}")"
    fetch_all some.db "${tags[@]}" # what a sly fault at the very end had hidden
    fetch_all some.db --refresh
    situation="seed $seed"
    equal some.db "$TAGS" --from "$since" --to "$until"
    violations "seed $seed"
    requests=$((requests + $(ask _violations | jq .requests)))
    hit=$((hit + $(ask _log | jq '[.[] | select(.faults != [])] | length')))
done
[ "$hit" -gt 0 ] || fail "no fault came: the test says nothing"
echo "$SEEDS seeds, $requests requests, $hit of them with a fault"
