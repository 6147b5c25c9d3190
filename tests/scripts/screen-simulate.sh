#!/bin/bash
# What screen simulate says of screenings is what another implementation computes from their order.
set -eu

python3 "$ROOT/tests/lib/labelled_texts.py" 400 30 1 >texts.csv
ppmine -q screen simulate texts.csv --seeds 4 --each --format csv >each.csv
ppmine -q screen simulate texts.csv --seeds 4 --reads --format csv >reads.csv
ppmine -q screen simulate texts.csv --seeds 4 --format json >summary.json
# The same again, and one seed of several by itself.
ppmine -q screen simulate texts.csv --seeds 4 --reads --format csv | cmp - reads.csv
ppmine -q screen simulate - --seeds 1 --first-seed 3 --reads --format csv <texts.csv |
    sed 1d | cmp - <(grep '^3,' reads.csv)
check() { # NAME RECALL CONFIDENCE pair|nothing [OPTION…]
    local name=$1 recall=$2 confidence=$3 pair=$4
    shift 4
    ppmine -q screen simulate "$name.csv" --recall "$recall" --confidence "$confidence" "$@" \
        --each --format csv >"each.$name.csv"
    ppmine -q screen simulate "$name.csv" "$@" --reads --format csv >"reads.$name.csv"
    python3 "$ROOT/tests/reference/screen_reference.py" "$name.csv" "reads.$name.csv" \
        "each.$name.csv" "$recall" "$confidence" "$pair"
}
check texts 95 95 pair --seeds 2
check texts 80 90 nothing --seeds 2 --warm-start nothing --no-pair
# Texts that nothing tells apart are read in an order that shows nothing; then the rule is stricter.
python3 "$ROOT/tests/lib/labelled_texts.py" 400 120 2 alike >alike.csv
check alike 80 90 pair --seeds 3 --warm-start nothing
# A model's yes and no are all that tells them apart: they are found earlier; one that says yes to all changes
# nothing. The stopping rule is that of the order.
cp each.alike.csv without.csv && cp reads.alike.csv reads.without.csv
ppmine -q screen simulate alike.csv --seeds 3 --warm-start nothing --model 1,0.3 --reads --format csv | cmp - reads.without.csv
check alike 80 90 pair --seeds 3 --warm-start nothing --model 1,1
python3 - <<'EOP'
import csv
atd = {name: [float(r["atd"]) for r in csv.DictReader(open(f"{name}.csv"))] for name in ("without", "each.alike")}
assert max(atd["each.alike"]) < min(atd["without"]), atd
EOP
refuse() { # EXIT-CODE WORDS MODEL
    rc=0
    ppmine -q screen simulate alike.csv --model "$3" >said 2>&1 || rc=$?
    [ "$rc" = "$1" ] && grep -q "$2" said || { cat said && fail "exit code $rc of --model $3"; }
}
for bad in 1 1, ,1 1,0 2,1 0.5,0.5x nan,1; do refuse 2 'expected sensitivity and precision' "$bad"; done
refuse 3 'has a precision of at least 0.300' 1,0.2

python3 - <<'EOP'
import csv, json
from statistics import mean

summary = json.load(open("summary.json"))
assert list(summary) == ["wss95", "atd", "stop_saved", "stop_recall", "recall_at", "seeds"], summary
each = list(csv.DictReader(open("each.csv")))
for name in ("wss95", "atd", "stop_saved", "stop_recall"):
    expected = mean(float(row[name]) for row in each)
    assert abs(summary[name] - expected) < 1e-5, (name, summary[name], expected)
assert summary["seeds"] == 4
reads = list(csv.DictReader(open("reads.csv")))
for share in ("0.01", "0.1", "0.5"):
    n = round(400 * float(share))
    found = sum(row["included"] == "1" for row in reads if int(row["place"]) <= n) / 4 / 30
    assert abs(summary["recall_at"][share] - found) < 1e-5, (share, found)
# Texts that are alike are found: far better than in any order.
assert summary["wss95"] > 0.5, summary
EOP
