#!/bin/bash
# The patterns of both studies find the same in posts of random sentences as Python's re does: codes, weights, words, facts,
# fields, in the same order. And match stores those facts of the candidates. Each pattern of the study for PyTorch finds a
# sentence that was written for its code, and none of those about nothing.
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

study=$ROOT/studies/pytorch-perf
sentences=$ROOT/tests/data/hints-pytorch.csv
python3 "$reference" make "$sentences" 2 400 >posts.xml
sed -i 's/&lt;keras&gt;/\&lt;pytorch\&gt;/' posts.xml
python3 "$reference" expect "$study/hints.csv" "$study/codebook.csv" >expected.ndjson
ppmine -q -d pytorch.db init --study "$study"
ppmine -q -d pytorch.db load posts.xml
seq 400 | xargs ppmine -d pytorch.db label hints --format ndjson | cmp expected.ndjson -
python3 - "$study/hints.csv" "$sentences" "$ROOT/tests/data/hints.csv" <<'PYTHON'
import csv
import re
import sys

patterns, own, shared = (list(csv.DictReader(open(path, newline="", encoding="utf-8"))) for path in sys.argv[1:])
said = [row for row in own if row["facet"]] + [row for row in shared if row["verdict"] == "yes"]
for row in patterns:
    regex = re.compile(row["pattern"], re.IGNORECASE | re.ASCII)
    if not any(regex.search(s["sentence"]) for s in said if (s["facet"], s["code"]) == (row["facet"], row["code"])):
        sys.exit(f"{row['code']}: no sentence for {row['pattern']}")
    for s in own:
        if not s["facet"] and regex.search(s["sentence"]):
            sys.exit(f"{row['code']}: {row['pattern']} finds {s['sentence']}")
PYTHON
