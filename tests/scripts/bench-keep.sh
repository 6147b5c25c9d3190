#!/bin/bash
# Results of a full run are kept once, and those of a second run of the same day beside them.
set -eu
. "$ROOT/tests/lib/bench.sh"

mkdir -p raw kept
measured=$(find "$ROOT/bench/results" -maxdepth 1 -name '2*' | sort | head -1)
cp "$measured/51228131.json" "$measured/49694836.json" raw/
day=$(sed -n 's/.*"date": "\(....-..-..\)T.*/\1/p' raw/51228131.json)
keep() {
    "$ROOT/bench/full/keep.py" raw kept >said 2>&1 || complain "keep.py fails: $(cat said)"
}
folders() {
    (cd kept && echo *)
}

keep
first=$(folders)
case $first in
"$day"-*) ;;
*) complain "the folder of a run of $day is named '$first'" ;;
esac
keep
[ "$(folders)" = "$first" ] || complain "a run that is kept twice has the folders $(folders)"

# the same run, when it went on for another case
rm raw/49694836.json
keep
[ "$(folders)" = "$first" ] || complain "the same run with fewer results has the folders $(folders)"

sed -i "s/\"date\": \"${day}T../\"date\": \"${day}T25/" raw/51228131.json
keep
[ "$(folders)" = "$first $first-2" ] || complain "two runs of a day have the folders $(folders)"
sed -n 's/.*"date": "[^"]*T\(..\).*/\1/p' "kept/$first-2/51228131.json" | grep -qx 25 ||
    complain "the second folder does not have the second run"
sed -n 's/.*"date": "[^"]*T\(..\).*/\1/p' "kept/$first/51228131.json" | grep -qx 25 &&
    complain "the second run took the place of the first"
exit 0
