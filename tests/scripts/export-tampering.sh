#!/bin/bash
# One changed digit anywhere makes check.py fail and name what is wrong, also when the checksums were
# made anew.
set -eu
. "$ROOT/tests/lib/dump.sh"
need sqlite3 python3

"$PPMINE" -q -d study.db init --published
"$PPMINE" -q -d study.db load "$ROOT/studies/dlperf/sample/Posts.xml"
"$PPMINE" -q -d study.db match >/dev/null
python3 "$ROOT/tests/lib/strangers.py" study.db
"$PPMINE" -q -d study.db bench import "$ROOT/tests/data/bench-results" >out
"$PPMINE" -q -d study.db export --no-plots --with-text --open --package good
python3 good/check.py >said || { cat said && fail "the package is wrong before anybody changed it"; }

sums() { # FOLDER
    (cd "$1" && find . -type f ! -name SHA256SUMS | sed 's|^\./||' | LC_ALL=C sort |
        xargs sha256sum >SHA256SUMS)
}
cp -R good bad
sums bad
cmp good/SHA256SUMS bad/SHA256SUMS || fail "SHA256SUMS is not what sha256sum writes"

# finds WORDS FILE SED: with the file changed; the others are links, and sed makes a new file
finds() {
    rm -rf bad
    cp -Rl good bad
    rm bad/SHA256SUMS
    sed -i -E "$3" "bad/$2"
    ! cmp -s "good/$2" "bad/$2" || fail "$2: '$3' changes nothing"
    judge "$1" "$2, $3"
}

judge() { # WORDS WHAT
    local rc=0
    sums bad
    python3 bad/check.py >said || rc=$?
    [ "$rc" = 1 ] || fail "$2: exit code $rc"
    grep -qF -e "$1" said || { cat said && fail "$2: it does not say '$1'"; }
}

cp good/data/problems.csv bad/data/
sed -i 's/2018/2019/' bad/data/problems.csv
rc=0
python3 bad/check.py >said || rc=$?
[ "$rc" = 1 ] && grep -q 'data/problems.csv: has another SHA-256' said ||
    { cat said && fail "the old checksums fit a changed file"; }

finds "statistics/rq1-category.csv: row 1 (Time), column n is 118, computed 117" \
    statistics/rq1-category.csv 's/^Time,117/Time,118/'
finds "row 2 (Memory), column low is 0.18165295352020547, computed 0.181651953520205" \
    statistics/rq1-category.csv 's/0\.181651953/0.181652953/'
finds "not counted', 'Time: n 118," CLAIMS.md 's/^(\| Symptoms by category[^|]* \| Time: n )117/\1118/'
finds "CLAIMS.md: 17 claims; 18 tables have rows" CLAIMS.md '/^\| Tests of independence/d'
finds "column both is 52, computed 51" statistics/segmentation.csv 's/,51,52,51,/,51,52,52,/'
finds "column alpha is 0.8" statistics/segmentation.csv 's/,0\.7913/,0.8/'
finds "statistics/year.csv: row 3 (2020), column posts is 67, computed 66" \
    statistics/year.csv 's/^2020,66/2020,67/'
finds "(environment setting), column data preparation is 1, computed 0" \
    statistics/rq3-matrix.csv 's/^environment setting,2,4,0/environment setting,2,4,1/'
finds "column cramers_v is " statistics/tests.csv '2s/,0\.25/,0.26/'
finds "(profiler), column not_solved is 14, computed 13" statistics/rq4.csv 's/^(profiler,58,43),13/\1,14/'
finds "column kappa is " statistics/agreement.csv 's/0\.9056/0.9057/'
finds "column both_yes is 236, computed 235" statistics/yes-no.csv 's/,235,/,236,/'
finds "statistics/coders.csv: row 2 (identification, Krippendorff's alpha), column value is " \
    statistics/coders.csv '3s/,0\.6/,0.7/'
finds "statistics/stats.txt: rq1-category: Time 117 52.3%" statistics/stats.txt 's/52\.2%/52.3%/'
finds "statistics/stats.json: year, row 1" statistics/stats.json 's/"posts":63/"posts":64/'
finds "column n is 117, computed 116" data/problems.csv '2s/,increasing time over time,/,memory leak,/'
finds "data/problems.csv: lacks " data/problems.csv '2s/,training,/,evaluation,/'
finds "data/identification.csv: has " data/identification.csv '0,/,coder1,0,0,/s//,coder1,0,1,/'
finds "is not the SHA-256 of what was decided" data/decisions.csv '0,/,identification,false,/s//,identification,true,/'
finds "data/coding.csv: lacks" data/coding.csv '5d'
finds "data/attribution.csv: lacks 48051647" data/attribution.csv '/^48051647,/d'
finds "column content_license" data/attribution.csv '/^48051647,/s/CC BY-SA 3/CC BY-SA 4/'
finds "data/texts.csv: post 105: another SHA-256" data/texts.csv '0,/MARKBODY/s//MARKBODX/'
finds "is empty" data/runs.csv '2s/^1,init,/1,,/'
finds "(near): ratio is 77.5427032, computed 77.4427032" data/bench_results.csv 's/,77\.4427032,/,77.5427032,/'
finds "(near): the verdict is not reproduced here, which does not follow" data/bench_results.csv \
    '/,near,/s/,reproduced,/,not reproduced here,/'
finds "(hang): the verdict is reproduced, which does not follow" data/bench_runs.csv 's/timed out/exited/'
finds "(near): fixed is 0.00102" data/bench_runs.csv 's/^([0-9]+,fixed,3,0,exited,0),0\.001021,/\1,0.002021,/'
finds "the dictionary does not know the column what" data_dictionary.csv '/^statistics\/totals.csv,what,/d'
finds "row 3, column n: 'x' is not of the type integer" statistics/totals.csv '3s/,[^,]*/,x/'
finds "study/keywords.txt: not what the database holds" study/keywords.txt '1s/^/#/'
finds "other settings than data/settings.csv" PARAMETERS.json 's/"value":"nltk"/"value":"porter"/'

rm -rf bad && cp -R good bad
sqlite3 bad/ppmine.db "UPDATE label SET code_id = 2 WHERE subject = '48051647' AND facet = 'symptom' AND place = 1"
judge "data/coding.csv: lacks 48051647" "a label of the database"
rm -rf bad && cp -R good bad
sqlite3 bad/ppmine.db "INSERT INTO note SELECT 'x', 'y', coder, '1', 1, 'n' FROM coder LIMIT 1"
judge "ppmine.db: holds private notes" "a note in the database"
rm -rf bad && cp -R good bad
echo x >bad/more.txt
rc=0
python3 bad/check.py >said || rc=$?
[ "$rc" = 1 ] && grep -q 'more.txt: not in SHA256SUMS' said || fail "a file too many is not found"
rm -rf bad && cp -R good bad
rm bad/data/problems.csv
judge "data/problems.csv" "a file too few"
