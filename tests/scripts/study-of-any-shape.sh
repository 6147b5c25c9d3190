#!/bin/bash
# A study from its skeleton; one of screening only; codes made while reading; changes of a study under way.
set -eu
fails() { # WORDS COMMAND…: the command fails, and says the words
    local words=$1
    shift
    if "$@" >said 2>&1; then echo "no error: $*"; exit 1; fi
    grep -qF -e "$words" said || { echo "not '$words': $(cat said)"; exit 1; }
}
same() { [ "$1" = "$2" ] || { echo "expected: $2"; echo "but it is: $1"; exit 1; }; }
checked() { # the package of a database is whole
    ppmine -q -d "$1.db" export --package "$1-package"
    python3 "$1-package/check.py" >said || { cat said; exit 1; }
}

# The skeleton is the folder of the project, works as it is, and never writes over anything.
ppmine -q init --skeleton crashes
diff -r crashes "$ROOT/studies/skeleton"
ppmine -q -d crashes.db init --study crashes
same "$(ppmine -d crashes.db keywords --format csv 2>/dev/null | wc -l)" 5
ppmine -q -d crashes.db label set 5 --coder ann --cause oom --fix upgrade --fix 'less data' --hours-lost 3 \
    --regression no --words 'it died'
fails 'File exists' ppmine init --skeleton crashes
fails 'exclude each other' ppmine init --skeleton x --history
[ ! -e x ]

# Each code and facet of it can be given, counted and published; tables speak of crashes, and none is empty.
ppmine -q -d crashes.db label set 5 --coder bob --cause oom --fix upgrade --hours-lost 5 --regression no --words died
ppmine -q -d crashes.db label resolve --agreed --by cy
ppmine -q -d crashes.db label resolve 5 --take bob --by cy
ppmine -q -d crashes.db stats >stats.txt
grep -q '^crashes  *1$' stats.txt
if grep -iE 'performance problem|problems' stats.txt; then echo "stats speaks of another study"; exit 1; fi
grep -q '^Crashes by year of the post (year)' stats.txt
grep -q '^year .* crashes  *share' stats.txt
grep -q '^posts with several crashes ' stats.txt
grep -q '^crashes with .* fixes ' stats.txt
python3 - <<'END'
for block in open("stats.txt").read().split("\n\n"):
    assert block.strip(), "an empty table"
END
grep -q '^Hours lost (hours-lost)' stats.txt
checked crashes
if grep -rniE 'performance problem' crashes-package --include=*.md --include=*.csv --include=*.txt; then
    echo "the package speaks of another study"
    exit 1
fi
grep -q 'who judged which post to be about one of the crashes' crashes-package/README.md
grep -q 'The data are 1 labelled crashes' crashes-package/DATASHEET.md

# A facet of yes and no has its own title, not one with an s. The package says how to cite it, with the authors.
cp -r crashes cited
printf 'authors = Ann A.; Bob_B\n' >>cited/study.ini
sed -i 's/^regression,Regression,Regressions,/regression,Regression,,/' cited/facets.csv
ppmine -q -d cited.db init --study cited
ppmine -q -d cited.db label set 5 --coder ann --cause oom --regression no
ppmine -q -d cited.db label set 5 --coder bob --cause oom --regression no
ppmine -q -d cited.db label resolve --agreed --by cy
ppmine -q -d cited.db stats >stats.txt
grep -q '^Regression by code' stats.txt || { echo "not the title of the facet:"; grep 'by code' stats.txt; exit 1; }
checked cited
grep -q '^> Ann A\., Bob\\_B: Crashes of Python programs\. Replication package' cited-package/README.md ||
    { echo "README.md cites no authors:"; grep '^> ' cited-package/README.md; exit 1; }

# A code without a definition is said, one with a definition is not.
ppmine -d cited.db codebook add bare --facet cause --category Resources --by ann --why x 2>err
grep -q "'bare' has no definition: codebook define" err || { cat err; exit 1; }
ppmine -d cited.db codebook add told --facet cause --category Resources --definition 'It is told.' --by ann --why x 2>err
if grep 'no definition' err; then echo "a definition is not seen"; exit 1; fi

# What is not used is said of codes that may still be given.
ppmine -q -d cited.db codebook merge bare --facet cause --into told --by ann --why 'the same'
ppmine -q -d cited.db stats --table cause-code | tr '\n' ' ' >stats.txt
grep -q 'Not used by any of the crashes: bad extension, .*unknown, told\.' stats.txt || { cat stats.txt; exit 1; }
if grep -q bare stats.txt; then echo "a code that is no longer given is not used"; exit 1; fi
mv cited-package cited-before
checked cited

# Screening only: yes, no, unsure, notes, agreement, settling and a package need no codebook.
mkdir screening
printf 'name = screening\ntags = tensorflow, keras\n' >screening/study.ini
printf 'slow\nhang\n' >screening/keywords.txt
ppmine -q -d screening.db init --study screening
ppmine -q -d screening.db load "$ROOT/studies/dlperf/sample/Posts.xml"
ppmine -q -d screening.db match >/dev/null
printf 'y\nn\nu\nq\n' | ppmine -q -d screening.db screen --coder ann >/dev/null 2>&1 || true
for coder in ann bob; do
    for post in 105 107 112; do ppmine -q -d screening.db label set $post --coder $coder --problem yes --note seen; done
    for post in 137 140; do ppmine -q -d screening.db label set $post --coder $coder --problem no; done
done
ppmine -q -d screening.db label set 121 --coder ann --problem yes
ppmine -q -d screening.db label set 121 --coder bob --problem no
same "$(ppmine -q -d screening.db agree identification --format csv | grep -c '^agreement,identification,ann,bob\|^identification,ann,bob')" 1
ppmine -q -d screening.db label resolve --agreed --by cy
ppmine -q -d screening.db label resolve 121 --problem no --by cy --reason 'nothing is slow'
same "$(sqlite3 screening.db "SELECT count(*) FROM judgement WHERE coder = 'merged' AND is_problem")" \
    "$(sqlite3 screening.db "SELECT count(*) FROM judgement WHERE coder = 'bob' AND is_problem")"
checked screening

# Codes are made while reading: one transaction, with the first example, or nothing.
cp screening.db coding.db
add() { ppmine -q -d coding.db codebook add "$@" --by ann --why 'open coding'; }
add hang --facet symptom --definition 'It stops.' --example 107
add 'growing time' --facet symptom --definition 'Each step takes longer.' --example 112_1
fails 'several facets' add training --facet stage --example 107
fails 'expected the id' add stop --facet symptom --example x
fails 'already' add hang --facet symptom --example 105
same "$(sqlite3 coding.db "SELECT group_concat(name, '|') FROM (SELECT name FROM code ORDER BY code_id)")" 'hang|growing time'
same "$(sqlite3 coding.db "SELECT group_concat(subject || code1, '|') FROM
        (SELECT problem_id AS subject, code1 FROM coding ORDER BY 1)")" '107hang|112_1growing time'
same "$(ppmine -d coding.db codebook history --format csv | tail -1 | cut -d, -f1,3-5)" '3,ann,add,symptom'
ppmine -d coding.db codebook history | grep -q 'first example: 112_1'
# A copy from before gets the codes, and loses no judgement.
ppmine -q -d screening.db label set 124 --coder bob --problem yes
ppmine -q -d screening.db label merge coding.db >/dev/null
ppmine -q -d screening.db label set 105 --coder bob --symptom hang
same "$(sqlite3 screening.db "SELECT count(*) FROM label WHERE coder = 'bob'")" 1
cp screening.db open.db
checked open

# A study under way changes with its history; what coders decided keeps its meaning.
init() { ppmine -q -d crashes.db init --study crashes "$@"; }
fails '--why' init --change --by ann
fails 'who says so' env -u PPMINE_CODER ppmine -d crashes.db init --study crashes --change --why x
sed -i 's/^to .*/to = 2025-12-31/' crashes/study.ini
printf 'facet,code,pattern,weight\ncause,no memory,(?i)out of memory,1\n' >crashes/hints.csv
echo 'severity,Severity,,problem,number,1,no,how bad,icc' >>crashes/facets.csv
init --change --by ann --why 'a year more'
init --change --by ann --why 'nothing'
same "$(ppmine -d crashes.db init --history --format csv | cut -d, -f2-)" "changed_by,file,change,reason
ann,facets.csv,changed,a year more
ann,hints.csv,added,a year more
ann,study.ini,changed,a year more"
same "$(sqlite3 crashes.db "SELECT before FROM study_change WHERE file = 'study.ini'")" "$(cat "$ROOT/studies/skeleton/study.ini")"
ppmine -q -d crashes.db label set 5 --coder ann --severity 4
for change in 's/^hours lost.*//' 's/^hours lost\(.*\)number/hours lost\1text/;s/alpha icc//' 's/^relevance,/other,/' 's/multiple,3/multiple,2/'; do
    cp crashes/facets.csv kept.csv
    sed -i "$change;/^\$/d" crashes/facets.csv
    fails 'facets.csv' init --change --by ann --why x
    cp kept.csv crashes/facets.csv
done
cp crashes/study.ini kept.ini
sed -i 's/^name .*/name = other/' crashes/study.ini
fails 'the name is' init --change --by ann --why x
cp kept.ini crashes/study.ini
echo 'cause,Unknown,more,,,' >>crashes/codebook.csv
fails 'codebook add' init --change --by ann --why x
sed -i '$d' crashes/codebook.csv
rm crashes/hints.csv
init --change --by bob --why 'hints lead'
same "$(ppmine -d crashes.db init --history --format csv | tail -1 | cut -d, -f2-)" 'bob,hints.csv,removed,hints lead'
same "$(sqlite3 crashes.db "SELECT count(*) FROM study_change; PRAGMA integrity_check")" '4
ok'
same "$(sqlite3 crashes.db "SELECT code1 FROM coding WHERE coder = 'ann' AND facet IN ('hours lost', 'severity') ORDER BY facet" | tr '\n' ' ')" '3 4 '
