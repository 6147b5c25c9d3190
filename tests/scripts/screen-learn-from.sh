#!/bin/bash
# Judgements of another study make a better start; where that study looked for something else, they are soon
# not trusted any more.
set -eu
. "$ROOT/tests/lib/sample.sh"

python3 "$ROOT/tests/lib/labelled_texts.py" 400 30 1 >texts.csv
python3 "$ROOT/tests/lib/labelled_texts.py" 300 40 9 >other.csv
awk -F, 'BEGIN { OFS = "," } NR > 1 { $NF = 1 - $NF } 1' other.csv >inverted.csv
simulate() {
    ppmine -q screen simulate texts.csv --seeds 5 --warm-start nothing --no-pair --format json "$@"
}
simulate >cold.json
simulate --learn-from other.csv >warm.json
simulate --learn-from inverted.csv >wrong.json
python3 - <<'EOP'
import json
cold, warm, wrong = (json.load(open(f"{name}.json")) for name in ("cold", "warm", "wrong"))
print(*(run["atd"] for run in (cold, warm, wrong)), *(run["recall_at"]["0.05"] for run in (cold, warm, wrong)))
# 20 texts were read: without knowing anything, by chance at first.
assert warm["recall_at"]["0.05"] > 0.6 > cold["recall_at"]["0.05"] + 0.05
assert warm["atd"] < cold["atd"]
assert wrong["wss95"] > cold["wss95"] - 0.25
EOP

# The same start in a database, from another database.
labelled_database texts.csv
awk -F, 'NR > 1 && NR <= 200 { print $1, $NF }' texts.csv | while read -r id yes; do
    ppmine -q label set "$id" --coder bob --problem "$([ "$yes" = 1 ] && echo yes || echo no)"
done
sqlite3 -csv -header ppmine.db "SELECT post_id AS id, title, body_html AS body, is_problem AS included
    FROM judgement JOIN post USING (post_id) WHERE coder = 'bob'" >judged.csv
first() { ppmine -q screen --coder "$1" --next --format json "${@:2}" | jq .post_id; }
id=$(first ann --learn-from judged.csv)
awk -F, -v id="$id" '$1 == id && $NF == 1 { found = 1 } END { exit !found }' texts.csv
[ "$id" = "$(first cyd --learn-from judged.csv)" ]

# Files that teach nothing.
printf 'id,title,body,included\n1,a,b,0\n' >none.csv
for file in none.csv missing.csv; do
    rc=0
    ppmine -q screen --coder ann --next --learn-from "$file" 2>err || rc=$?
    cat err
    [ "$rc" = "$([ "$file" = none.csv ] && echo 3 || echo 6)" ]
done
grep -q 'missing.csv: No such file' err
