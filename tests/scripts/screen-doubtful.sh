#!/bin/bash
# Answers that are slips are found among the first that the model doubts.
set -eu
. "$ROOT/tests/lib/sample.sh"

python3 "$ROOT/tests/lib/labelled_texts.py" 200 50 5 >texts.csv
labelled_database texts.csv
rc=0
ppmine screen doubtful --coder ann 2>err || rc=$?
[ "$rc" -eq 1 ] && grep -q '^ppmine: too few answers: 0 yes and 0 no; at least 5' err
# Every 20th answer is the other one.
awk -F, 'BEGIN { OFS = "," } NR > 1 { print $1, (NR % 20 == 7 ? 1 - $NF : $NF) }' texts.csv >answers
awk -F, 'NR > 1 && NR % 20 == 7 { print $1 }' texts.csv | sort >slips
[ "$(wc -l <slips)" -eq 10 ]
while IFS=, read -r id yes; do
    ppmine -q label set "$id" --coder ann --problem "$([ "$yes" = 1 ] && echo yes || echo no)" 2>/dev/null
done <answers
ppmine -q screen doubtful --coder ann -n 15 --format csv >doubtful.csv
[ "$(wc -l <doubtful.csv)" -eq 16 ]
found=$(sed 1d doubtful.csv | cut -d, -f1 | sort | comm -12 - slips | wc -l)
[ "$found" -ge 8 ] || { cat doubtful.csv && echo "only $found of 10 slips are among the first 15" && exit 1; }
# The same again, the most doubtful first.
ppmine -q screen doubtful --coder ann -n 15 --format csv | cmp - doubtful.csv
sed 1d doubtful.csv | cut -d, -f4 | sort -rgc
