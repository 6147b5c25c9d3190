#!/bin/bash
# Daily runs from cron over a year, without a key: the first crawl takes days of quota, every week a
# refresh goes over what is held. The quota is never exceeded, no rule is broken, and at the end the
# database equals the server. DAYS and QUESTIONS make it longer: make test-fetch-long.
set -eu
. "$ROOT/tests/lib/fetch.sh"
need python3 jq curl
skip_below_wrapper

DAYS=${DAYS-21} QUESTIONS=${QUESTIONS-1000} QUOTA=${QUOTA-6}
start=1672531200 # 2023-01-01: what the generator dates is before
tags=(--tag python --tag tensorflow --from 2018-01-01 --to 2029-12-31)

for reset in first midnight; do
    serve --generate "$QUESTIONS" --virtual-clock --clock-start $((start + 11820)) --to 1609459200 \
        --quota "$QUOTA" --quota-reset "$reset" --mutate-interval 14400 --backoff-margin 1
    control 'faults=backoff,seconds=10,p=0.1&faults=error,id=503,p=0.01&faults=html,p=0.01'
    rm -f some.db*
    "$PPMINE" -q -d some.db init
    paused=0
    for ((day = 0; day < DAYS; day++)); do
        fetch some.db --quota-reserve 2 "${tags[@]}" || fail "day $day: $(cat said)"
        if [ "$(jq .done run.json)" = false ]; then
            paused=$((paused + 1))
            jq -e .goes_on_at run.json >/dev/null || fail "day $day: not done, and no time: $(cat said)"
        elif [ $((day % 7)) -eq 6 ]; then
            fetch some.db --quota-reserve 2 --refresh || fail "refresh of day $day: $(cat said)"
        fi
        now=$(ask _clock | jq '.now | floor')
        ask "_clock?advance=$((start + 11820 + (day + 1) * 86400 - now))" >/dev/null
    done
    [ "$paused" -gt 0 ] || fail "the quota was never used up: the test says nothing"
    control 'mutate_interval=0&faults=none'
    ask "_clock?advance=86500" >/dev/null
    fetch_all some.db --quota-reserve 2 "${tags[@]}"
    fetch_all some.db --quota-reserve 2 --refresh # one that was begun while posts still changed
    fetch_all some.db --quota-reserve 2 --refresh
    equal some.db 'python;tensorflow' --from 1514764800 --to 1893456000
    violations "quota from $reset"
    [ "$(jq '.informative["after-quota-end"] // 0' violations.json)" = 0 ] ||
        fail "the quota was exceeded: $(jq -c .informative violations.json)"
    echo "$DAYS days, $paused of them ended by the quota, $(ask _violations | jq .requests) requests"
done
