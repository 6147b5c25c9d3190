#!/bin/bash
# Rows of what is kept for the fuzz targets, mutated and put together anew, through every reader: none crashes, reads on
# one input for 10 s, or takes 2 GiB. ROWS in all, a share for each reader; SEED: which.
set -eu
. "$ROOT/tests/lib/dump.sh"
need python3
skip_below_wrapper

mkdir forms
python3 "$ROOT/tests/fuzz/fuzz_ndjson.seeds" forms
python3 "$ROOT/tests/lib/refi_foreign.py" --mixed refi
(cd refi && "$TEST_BUILD/tests/fuzz/replay_refi" ./*) >at 2>said || fail "refi: $(tail -1 at): $(tail -20 said)"
total=0
while read -r permille name begins inputs; do
    rows=$((${ROWS:-20000} * permille / 1000))
    case $begins in
    line) begins=$'\n' ;;
    input) begins= ;;
    esac
    # shellcheck disable=SC2086 # a pattern
    (cd "$ROOT/tests/fuzz/corpus" && "$TEST_BUILD/tests/fuzz/replay_$name" --rows "$rows" "${SEED:-1}" \
        "$begins" $inputs) >at 2>said ||
        fail "$name: exit code $? after $(tail -1 at): $(tail -20 said)"
    read -r done _ <<<"$(tail -1 at)"
    [ "$done" -ge "$rows" ] || fail "$name: only $done of $rows rows"
    total=$((total + done))
    echo "$name, $inputs: $(tail -1 at)"
done <<END
300 rows <row fuzz_rows/*
260 sheet line fuzz_sheet/*
150 xlsx <row fuzz_xlsx/[cep]*
60 ndjson input fuzz_ndjson/* $PWD/forms/*
55 api { fuzz_api/*
50 study line fuzz_study/*
40 settings line fuzz_settings/ids*
20 settings line fuzz_settings/[!i]*
20 notebook line fuzz_notebook/*
10 check line fuzz_check/*
10 hints line fuzz_hints/*
10 archive <row fuzz_archive/*
5 case line fuzz_case/*
5 refi < fuzz_refi/*
5 web input fuzz_web/*
END
echo "$total rows"
