#!/bin/bash
# Gaps, alternatives, fields and exclusions of a keyword set find what another program finds, which tries
# every way (tests/reference/keyword_patterns.py), in $SETS random sets (default: 60).
set -eu

hits=0
python3 "$ROOT/tests/reference/keyword_patterns.py" "${SETS:-60}" .
for seed in $(seq "${SETS:-60}"); do
    for posts in posts.ndjson posts.xml; do
        ppmine -q match --stdin --verbatim --keywords "$seed/keywords.txt" --threads 1 <"$seed/$posts" >found
        hits=$((hits + $(wc -l <found)))
        cmp -s "$seed/expected" found || {
            echo "seed $seed, $posts; the set:"
            cat "$seed/keywords.txt"
            diff "$seed/expected" found | cut -c1-300 | head -6
            exit 1
        }
    done
done
[ "$hits" -gt 1000 ] || { echo "only $hits posts with hits: the sets find nothing"; exit 1; }

# The database has the same hits, and counts them.
ini=$(printf '%s\n' 'name = t' 'tags = *')
for seed in 1 2 3 4 5 6 7 8; do
    mkdir "study$seed"
    cp "$seed/keywords.txt" "study$seed/"
    printf '%s\n' "$ini" >"study$seed/study.ini"
    ppmine -q -d "$seed.db" init --study "study$seed"
    ppmine -q -d "$seed.db" load --ndjson "$seed/posts.ndjson"
    ppmine -d "$seed.db" match --verbatim --limit 0 --format csv >found 2>said
    jq -r '.id as $id | .hits[] | [$id, .field, .start, .end, .keyword] | @csv' "$seed/expected" | tr -d '"' |
        sort >expected
    ppmine -d "$seed.db" export --table hits --format csv | tail -n +2 | tr -d '"' | sort >found
    cmp -s expected found || {
        echo "seed $seed: the database has other hits than match --stdin:"
        diff expected found | head -6
        exit 1
    }
    grep -q " $(wc -l <expected) hits" said || { echo "seed $seed: $(cat said), not $(wc -l <expected) hits"; exit 1; }
done

# What cannot be meant is said with its line.
refused() { # LINE WORDS
    printf '%s\n' slow "$1" >bad.txt
    rc=0
    ppmine match --stdin --keywords bad.txt </dev/null >out 2>err || rc=$?
    [ "$rc" = 3 ] && grep -qF "bad.txt:2: $2" err || { echo "'$1': exit code $rc: $(cat err)"; exit 1; }
}
refused '* slow' 'a gap is between two words'
refused 'slow *2' 'a gap is between two words'
refused 'run * * slow' 'a gap is between two words'
refused 'run *9 slow' "'*9': expected *, or *1 to *8"
refused 'run *x slow' "'*x': expected"
refused 'a *5 b *5 c' 'the gaps reach over more than 8 words'
refused 'a||b' "a word is missing beside '|'"
refused '|b' "a word is missing beside '|'"
refused 'b|' "a word is missing beside '|'"
refused 'title:' 'no word is in this line'
refused '! -' 'an exclusion without a word'
refused 'a|b|c|d a|b|c|d a|b|c|d a|b|c|d' 'more than 64 combinations'
