#!/bin/bash
# The study's patterns find the same in posts of random sentences as Python's re does: codes, weights,
# words, facts, fields, in the same order. And match stores those facts of the candidates.
set -eu

study=$ROOT/studies/dlperf
reference=$ROOT/tests/reference/hints_reference.py
python3 "$reference" make "$ROOT/tests/data/hints.csv" 1 800 >posts.xml
python3 "$reference" expect "$study/hints.csv" "$study/codebook.csv" >expected.ndjson
[ "$(wc -l <expected.ndjson)" -gt 4000 ] || { echo 'the reference finds next to nothing'; exit 1; }

ppmine -q init
ppmine -q load posts.xml
seq 800 | xargs ppmine label hints --format ndjson >found.ndjson
diff expected.ndjson found.ndjson | head -20
cmp expected.ndjson found.ndjson
# The same without machine code, as where a system forbids it.
seq 800 | PPMINE_NO_JIT=1 xargs ppmine label hints --format ndjson | cmp expected.ndjson -

ppmine -q match >/dev/null
sqlite3 ppmine.db 'SELECT post_id FROM candidate_post' >candidates
[ "$(wc -l <candidates)" -gt 50 ] || { echo 'next to no candidates'; exit 1; }
jq -r --rawfile candidates candidates '($candidates | split("\n")) as $ids
    | select(.facet == "fact" and (.post_id | tostring | IN($ids[])))
    | [.post_id, .code, .value, .words, .field] | join("|")' expected.ndjson |
    LC_ALL=C sort >expected.facts
sqlite3 ppmine.db 'SELECT * FROM post_fact' | LC_ALL=C sort >found.facts
diff expected.facts found.facts | head -20
cmp expected.facts found.facts
