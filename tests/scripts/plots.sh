#!/bin/bash
# Plots are drawn as SVG and PDF; without gnuplot it is said what to install.
set -eu

command -v gnuplot >/dev/null 2>&1 || { echo 'gnuplot is not installed' && exit 77; }
ppmine -q init --published
ppmine stats --table totals --plot 'a folder' >out 2>err
[ ! -s err ] || { cat err && exit 1; }
grep -q '^problems  *224$' out
for name in symptoms root-causes symptom-cause stages; do
    python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "a folder/$name.svg"
    [ "$(head -c 4 "a folder/$name.pdf")" = %PDF ] || { echo "$name.pdf is no PDF" && exit 1; }
done
grep -q 'confusion with computation graph' 'a folder/symptom-cause.svg'

# The same again: the same pictures but for the dates in them.
ppmine stats --table totals --plot again >out
cmp 'a folder/stages.svg' again/stages.svg

# Names that mean something to gnuplot are texts.
cat >odd.sql <<'END'
UPDATE code SET name = '''''`touch ran` it''''s "x" {/:Bold \ %d é' || code_id,
    short_name = '''''`touch ran` it''''s "x" {/:Bold \ %d é' || code_id;
END
sqlite3 ppmine.db <odd.sql
ppmine stats --table totals --plot odd >out 2>err || { cat err && exit 1; }
for file in odd/*.svg; do
    python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$file"
done
grep -q '’’' odd/symptoms.svg || { echo 'the odd names are not in the picture: a weak test' && exit 1; }
[ ! -e ran ] && [ ! -e odd/ran ] || { echo 'gnuplot ran what a name says' && exit 1; }

# One problem is one cell: gnuplot dies of a list of labels that are all undefined.
echo '{"post_id":1,"title":"slow","tags":["keras"],"body_html":"<p>slow</p>","created_at":"2020-01-01T00:00:00.000"}' >one.ndjson
ppmine -q -d one.db init
ppmine -q -d one.db load one.ndjson
ppmine -q -d one.db label set 1 --coder ann --symptom 'memory leak' --root-cause 'inefficient API usage'
ppmine -q -d one.db label resolve --single --take ann --by cam
ppmine -d one.db stats --table totals --plot one >out 2>err || { cat err && exit 1; }
grep -q '<text><tspan[^>]*>1</tspan></text>' one/symptom-cause.svg || { echo 'one/symptom-cause.svg: the count is missing' && exit 1; }

mkdir bin
for program in sh valgrind; do
    path=$(command -v "$program") && ln -s "$path" bin/
done
rc=0
ppmine=$(command -v ppmine)
PATH=$PWD/bin "$ppmine" stats --table totals --plot none >out 2>err || rc=$?
[ "$rc" -eq 6 ] || { echo "without gnuplot: exit code $rc" && exit 1; }
grep -q 'gnuplot.*apt-get install gnuplot-nox' err
