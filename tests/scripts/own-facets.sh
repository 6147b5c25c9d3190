#!/bin/bash
# A study with facets of its own: options, sheets, agreement, tables and views follow from facets.csv.
# tests/reference/own_facets.py makes the codings, and says what alpha and counts must be.
set -eu

own() { python3 "$ROOT/tests/reference/own_facets.py" "$@"; }
same() { # same WHAT EXPECTED PRINTED
    [ "$2" = "$3" ] || { echo "$1: expected '$2', printed '$3'"; exit 1; }
}

mkdir study
printf 'name = crashes\ntags = a\n' >study/study.ini
echo slow >study/keywords.txt
cat >study/facets.csv <<'CSV'
facet,about,kind,most,title,plural,asks,required
judged,post,yes/no,,,,is the post about a crash?,yes
severity,problem,codes,,Severity,Severities,how bad it is,yes
fix,problem,codes,3,Fix,Fixes,what helps,no
CSV
cat >study/codebook.csv <<'CSV'
facet,category,code,short_name,definition,aliases
severity,,minor,,,
severity,,major,,,
severity,,fatal,,,
fix,code,rewrite,,,
fix,code,cache,,,
fix,setting,flag,,,
fix,setting,upgrade,,,
CSV
ppmine -q init --study study

# Commands ask what the study asks.
ppmine label set --help | grep -q -- '--fix CODE….* what helps; give it up to 3 times, the main one first'
for command in set resolve; do
    ppmine label $command --help >help
    if grep -qiE 'symptom|root-cause|--problem' help; then echo "help of label $command speaks of another study"; exit 1; fi
done
ppmine label set --help | grep -qF '$ ppmine label set 48048297 --coder ann --judged no'
ppmine label set --help | grep -qF '$ ppmine label set 65160023_1 --coder ann --severity CODE --fix CODE'
ppmine label resolve --help | grep -qF "$ ppmine label resolve 65160023_1 --by cam --reason WHY --severity CODE --fix CODE"
ppmine -d none.db label set --help | grep -qF -- "--problem no"
ppmine -q label set 1 --coder cy --severity major --fix cache --fix flag --fix rewrite
if ppmine -q label set 1 --coder cy --symptom slow 2>err; then echo "--symptom is taken"; exit 1; fi
same 'the labels of cy' 'major|cache|flag|rewrite' \
    "$(sqlite3 ppmine.db "SELECT group_concat(name, '|') FROM
       (SELECT name FROM label JOIN code USING (code_id) ORDER BY label.facet DESC, place)")"
ppmine -q label undo --coder cy

# Sheets: what goes in comes out.
own sheet 2026 >sheet.csv
for coder in ann bob; do
    { head -1 sheet.csv; grep ",$coder," sheet.csv; } >"$coder.csv"
    ppmine -q label import "$coder.csv" --coder "$coder"
    ppmine -q label export --coder "$coder" --format csv | python3 -c '
import csv, sys
names = ["problem_id", "coder", "is_judged", "severity", "fix1", "fix2", "fix3"]
out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(names)
for row in csv.DictReader(sys.stdin):
    out.writerow([{**row, "coder": sys.argv[1]}[name] for name in names])' "$coder" | cmp "$coder.csv" -
done

# Agreement: three codes at most, in part the same ones.
printed=$(ppmine -q agree fix --format csv | grep MASI | cut -d, -f8)
same 'alpha of fix' "$(own alpha sheet.csv)" "$(printf '%.9f' "$printed")"

# What ann says is settled, and counted.
for post in $(ppmine -q label resolve --all --format csv | tail -n +2 | cut -d, -f1 | sort -un); do
    for facet in judged severity fix; do
        ppmine -q label resolve "$post" --facet "$facet" --take ann --by ann >said 2>&1 || true
    done
done
ppmine -q label resolve --agreed --by ann >said 2>&1 || true
sqlite3 ppmine.db "SELECT count(*) FROM problem_label WHERE fix1 IS NOT NULL" >n_problems
same 'the columns of problems' 'problem_id,post_id,url,created_at,severity,fix1,fix2,fix3' \
    "$(ppmine -q export --table problems --format csv | head -1)"
same 'the rows of problems' "$(sqlite3 ppmine.db 'SELECT count(*) FROM problem')" \
    "$(ppmine -q export --table problems --format csv | tail -n +2 | wc -l)"
ppmine -q stats --table totals --format csv | grep -q '^problems with several fixes,'
# Posts on which only one of the two gave codes are not settled here: the count is of those that are.
sqlite3 -csv -header ppmine.db "SELECT problem_id, 'ann' AS coder, fix1, fix2, fix3 FROM problem_label" >settled.csv
own count settled.csv | while read -r code n; do
    same "problems with $code" "$n" "$(ppmine -q stats --table fix-code --format csv |
        awk -F, -v code="$code" '$2 == code { print $7 }')"
done
[ "$(cat n_problems)" -gt 20 ]

# No code is called unknown: a test without it would be the same test again, here and in the package.
same 'the tests' 1 "$(ppmine -q stats --table tests --format csv | tail -n +2 | wc -l)"
if ppmine -q stats --table tests | grep 'without unknown'; then echo "a test is there twice"; exit 1; fi
ppmine -q export --package package
python3 package/check.py >said || { cat said; exit 1; }

# The page asks what the study asks; where it asks nothing, it has the facet's title.
cp -r study plain
sed -i 's/^judged,.*/judged,post,yes\/no,,Crashes?,Crashes,,yes/' plain/facets.csv
ppmine -q -d plain.db init --study plain
export ROOT
for file in ppmine.db plain.db; do
    printf '{"v":1,"post_id":7,"post_type":"question","title":"slow","body_html":"<p>slow</p>","tags":["a"],"created_at":"2019-01-01T00:00:00Z"}\n' >post.ndjson
    ppmine -q -d "$file" load --ndjson post.ndjson
done
python3 -B - <<'PYTHON'
import os, re, sys
sys.path.insert(0, os.environ["ROOT"] + "/tests/lib")
from serve import Server
for file, words in (("ppmine.db", "Is the post about a crash?"), ("plain.db", "Crashes?")):
    with Server(file, "cy") as s:
        page = s.get("/code/7").text
        assert re.findall(r'<fieldset class="judgement"><legend>(.*?)</legend>', page) == [words], (file, page)
PYTHON
