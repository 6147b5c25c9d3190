#!/bin/bash
# A study whose facets are several codes, a number, yes/no and a text, from two coders in copies to one
# set of labels: what is typed in any form is kept in one, comes back by sheets, and merges in any order.
set -eu
mkdir study
printf 'name = slow\ntags = python\n' >study/study.ini
printf 'slow\n' >study/keywords.txt
cat >study/facets.csv <<'END'
facet,about,kind,most,required,agreement
relevance,post,yes/no,,,
cause,problem,multiple,3,yes,masi jaccard
hours lost,problem,number,,no,alpha icc
regression,problem,yes/no,,no,
quote,problem,text,,no,
END
cat >study/codebook.csv <<'END'
facet,category,code,short_name,definition,aliases
cause,,disk,,Waiting for a disk,io
cause,,cpu,,Too much work,
cause,,memory,,Swapping,
END
fails() { # WORDS COMMAND…: the command fails, and says the words
    local words=$1
    shift
    if "$@" >said 2>&1; then echo "no error: $*"; exit 1; fi
    grep -qF -e "$words" said || { echo "not '$words': $(cat said)"; exit 1; }
}
same() { [ "$1" = "$2" ] || { echo "expected: $2"; echo "but it is: $1"; exit 1; }; }

ppmine -q -d ann.db init --study study
cp -r study bad && printf 'quote,,a,,,\n' >>bad/codebook.csv
fails 'coders write its values' ppmine -d x.db init --study bad
cp ann.db bob.db

# One value, however it is typed; what is none is refused, and nothing is kept of it.
set_as() { ppmine -q -d "$1.db" label set "$2" --coder "$1" "${@:3}"; }
set_as ann 5 --cause io --cause cpu --hours-lost 002.50 --regression y --quote ' it was; fast, "before" '
set_as ann 7 --cause cpu --hours-lost -0
set_as ann 8_1 --cause memory --hours-lost 12
set_as ann 8_2 --cause disk --hours-lost 1.25
set_as bob 5 --cause cpu --hours-lost 4 --regression FALSE --quote $'two\nlines'
set_as bob 7 --cause cpu --hours-lost 0.000
set_as bob 8_1 --cause memory --cause disk --hours-lost 10
for value in 4,5 1e3 0x10 '' ' ' inf nan 1234567890.1234567 '1 2' --5 .5 5.; do
    [ "$value" = '' ] || fails 'expected a number' ppmine -d bob.db label set 7 --coder bob "--hours-lost=$value"
done
fails 'expected yes or no' ppmine -d bob.db label set 7 --coder bob --regression perhaps
fails 'control' ppmine -d bob.db label set 7 --coder bob --quote $'a\x01b'
same "$(sqlite3 ann.db "SELECT problem_id, hours_lost, is_regression, quote FROM problem_label" | wc -l)" 0
same "$(sqlite3 ann.db "SELECT group_concat(code1, '|') FROM coding WHERE coder = 'ann' AND facet = 'hours lost'")" \
    '2.5|0|12|1.25'

# A sheet says the same when it is imported: nothing is decided, and the values of another coder come whole.
ppmine -q -d bob.db label export --coder bob >bob.csv
cp bob.db again.db
ppmine -d again.db label import bob.csv --coder bob 2>said
same "$(sqlite3 again.db 'SELECT count(*) FROM decision')" "$(sqlite3 bob.db 'SELECT count(*) FROM decision')"
ppmine -q -d fresh.db init --study study
sed 's/,4,no,/,4.0,No,/' bob.csv >typed.csv
ppmine -q -d fresh.db label import typed.csv --coder bob
ppmine -q -d fresh.db label export --coder bob | sed 's/,[^,]*Z$//' >fresh.csv
sed 's/,[^,]*Z$//' bob.csv | cmp - fresh.csv
sed 's/,0,/,none,/' bob.csv >bad.csv
fails 'hours_lost: hours lost '\''none'\''' ppmine -d fresh.db label import bad.csv --coder bob

# Copies merge in either order, twice; a value that its facet cannot have is refused.
cp ann.db one.db && cp bob.db two.db
for i in 1 2; do ppmine -q -d one.db label merge bob.db; ppmine -q -d two.db label merge ann.db; done >/dev/null
dump() { sqlite3 "$1" "SELECT * FROM decision ORDER BY 1; SELECT * FROM label ORDER BY 1, 2, 3, 4;
                       SELECT * FROM code ORDER BY 1;"; }
cmp <(dump one.db) <(dump two.db)
cp bob.db evil.db
python3 - <<'END'
import hashlib, sqlite3
file = sqlite3.connect("evil.db")
for coder, subject, facet, at in file.execute(
        "SELECT coder, subject, facet, decided_at FROM decision WHERE value = '[\"4\"]'").fetchall():
    text = f'["{coder}","{subject}","{facet}",["1e3"],"{at}"]'
    file.execute("UPDATE decision SET value = '[\"1e3\"]', decision_id = ? WHERE value = '[\"4\"]'",
                 (hashlib.sha256(text.encode()).hexdigest(),))
file.commit()
END
fails 'the value is not one of its facet' ppmine -d one.db label merge evil.db

# The last act is taken back, and what counted before counts again.
ppmine -q -d one.db label set 5 --coder ann --hours-lost 99
same "$(sqlite3 one.db "SELECT code1 FROM coding WHERE coder = 'ann' AND facet = 'hours lost' AND problem_id = '5'")" 99
ppmine -q -d one.db label undo --coder ann
same "$(sqlite3 one.db "SELECT code1 FROM coding WHERE coder = 'ann' AND facet = 'hours lost' AND problem_id = '5'")" 2.5
ppmine -d one.db label history 5 --coder bob --format csv | grep -q 'hours lost.*4'

# Agreement: numbers by alpha and ICC, sets by MASI and Jaccard, texts by nothing.
ppmine -q -d one.db agree --all --format csv >agreed.csv
for words in 'hours-lost,ICC(2,1)' "hours-lost,Krippendorff's alpha" 'cause,"alpha, MASI distance"' \
    'cause,"alpha, Jaccard distance"'; do
    tr -d '"' <agreed.csv | grep -qF "$(tr -d '"' <<<"$words")" || { echo "not there: $words"; cat agreed.csv; exit 1; }
done
if grep -q '^quote\|^hours-lost,ann' agreed.csv; then echo "a kappa of texts or numbers"; exit 1; fi
same "$(ppmine -q -d one.db agree quote --disagreements --format csv | grep -c '^quote,ann,bob,5')" 1

# Settled: taken from a coder, agreed on, or a new value.
ppmine -q -d one.db label resolve --agreed --by cam
ppmine -q -d one.db label resolve 5 --hours-lost 3.10 --by cam --reason 'in the middle'
ppmine -q -d one.db label resolve 5 --take ann --by cam
ppmine -q -d one.db label resolve 5 --quote 'one; text' --by cam --reason 'shorter'
same "$(sqlite3 one.db "SELECT hours_lost, is_regression, quote FROM problem_label WHERE problem_id = '5'")" '3.1|yes|one; text'
sqlite3 one.db "PRAGMA foreign_key_check; PRAGMA integrity_check" | grep -qx ok

# Codes are those of the codebook: neither numbers nor yes count as such.
ppmine -q -d one.db export --open --package package --no-plots
tr '\n' ' ' <package/DATASHEET.md | grep -qF 'and the 3 codes that label them'

# Numbers within a range: others are refused wherever they come from. What was decided before the range was set
# stays, also when a copy with it is merged.
cp -r study ranged
sed -i '1s/$/,min,max/; /^hours lost/s/$/,0.50,100/; 1!{/^hours lost/!s/$/,,/}' ranged/facets.csv
ppmine -q -d ranged.db init --study ranged
for value in 0.49 -1 100.5 101; do
    fails "hours lost '$value': expected a number: from 0.5 to 100" \
        ppmine -d ranged.db label set 5 --coder ann "--hours-lost=$value"
done
for value in 0.5 7 100; do ppmine -q -d ranged.db label set 5 --coder ann --hours-lost $value; done
same "$(sqlite3 ranged.db "SELECT group_concat(value, ' ') FROM decision WHERE facet = 'hours lost'")" '["0.5"] ["7"] ["100"]'
ppmine -d ranged.db label set --help | grep -q 'a number: .*from 0.5 to 100'
ppmine -d ranged.db label resolve --help >help
grep -q "settle the hours lost, from 0.5 to 100" help
grep -q "settle 'relevance': yes or no" help
ppmine -q -d ranged.db label export --coder ann | sed 's/,100,/,100.1,/' >bad.csv
fails "hours lost '100.1': expected a number: from 0.5 to 100" ppmine -d ranged.db label import bad.csv --coder bob
ppmine -q -d ranged.db label set 5 --coder bob --hours-lost 3
fails 'from 0.5 to 100' ppmine -d ranged.db label resolve 5 --hours-lost 0 --by cam --reason 'none'
ppmine -q -d ranged.db label resolve 5 --hours-lost 50 --by cam --reason 'in the middle'
printf '{"v":1,"post_id":5,"post_type":"question","title":"slow","body_html":"<p>slow</p>","tags":["python"],"created_at":"2019-01-01T00:00:00Z"}\n' >post.ndjson
ppmine -q -d ranged.db load --ndjson post.ndjson
python3 -B - <<'PYTHON'
import os, sys
sys.path.insert(0, os.environ["ROOT"] + "/tests/lib")
from serve import Server
with Server("ranged.db", "ann") as server:
    page = server.get("/code/5").text
    assert 'placeholder="from 0.5 to 100"' in page, page
PYTHON
cp -r ranged lower && sed -i 's/,0.50,100$/,,20/' lower/facets.csv
cp ranged.db older.db
ppmine -q -d ranged.db init --study lower --change --by ann --why 'a day has 24 hours'
fails 'expected a number: at most 20' ppmine -d ranged.db label set 6 --coder ann --hours-lost 21
ppmine -q -d ranged.db label set 6 --coder ann --hours-lost -1
same "$(sqlite3 ranged.db "SELECT hours_lost FROM problem_label WHERE problem_id = '5'")" 50
ppmine -q -d fresh-range.db init --study lower
ppmine -q -d fresh-range.db label merge older.db >/dev/null
same "$(sqlite3 fresh-range.db "SELECT hours_lost FROM problem_label WHERE problem_id = '5'")" 50
ppmine -q -d ranged.db export --open --package ranged-package --no-plots
python3 ranged-package/check.py >said || { cat said; exit 1; }
for bad in 's/,,20$/,x,20/' 's/,,20$/,21,20/' 's/^\(quote.*\),,$/\1,1,/'; do
    sed "$bad" lower/facets.csv >ranged/facets.csv
    fails 'facets.csv:' ppmine -d x.db init --study ranged
done
