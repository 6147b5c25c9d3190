#!/bin/bash
# Numbers that verify recomputes are those of a second program, from the label files: for the built-in study, whose
# claims.csv is what that program writes, and for studies of random labels with every kind of claim.
set -eu
claims="$ROOT/tests/lib/claims.py"

python3 "$claims" write "$ROOT/studies/dlperf" | diff - "$ROOT/studies/dlperf/claims.csv"
ppmine -q -d p.db init --published
ppmine -q -d p.db verify --format json >p.json
python3 "$claims" compare p.json "$ROOT/studies/dlperf" >said; tail -1 said; grep -x "[0-9]* numbers compared, 0 left out, 0 differ" said >exact
python3 "$claims" compare p.json p.db | grep 'numbers compared, [0-9]* left out, 0 differ'

for seed in ${SEEDS:-1 2}; do
    python3 "$claims" random "$seed" "study$seed"
    ppmine -q -d "$seed.db" init --study "study$seed" --published
    ppmine -q -d "$seed.db" verify --format json >"$seed.json" || [ $? = 1 ]
    for labels in "study$seed" "$seed.db"; do
        python3 "$claims" compare "$seed.json" "$labels" >said || { cat said && exit 1; }
        grep -x '[0-9]* numbers compared, 0 left out, 0 differ' said
    done
done
