#!/bin/bash
# A study goes out as a project of REFI-QDA and comes back into a new study, which gives the same file; a reader that
# knows the standard alone finds in it what the database has. Projects as other programs write them come in, and damaged
# ones are refused by name.
set -eu
. "$ROOT/tests/lib/dump.sh"
. "$ROOT/tests/lib/facets.sh"
need sqlite3 python3
export PPMINE_NOW=2026-11-21T10:00:00.000Z
set_label() { "$PPMINE" -q -d "$1" label set "${@:2}"; }

# --- facets of all kinds, two problems in a post, quotes, notes, a code that was merged ---
facets_database own.db
set_label own.db 1 --coder ann --relevance yes --cause disk --cause cpu --hours 2.5 --words '=1+1; "so"' \
    --note $'a <note>\nof two lines' --reason 'it says “slow, case 1” [body 6-18], “Case 1” [title 0-6] and “not there”'
set_label own.db 1_2 --coder bob --relevance yes --cause memory --regression yes --place loop --reason plain --note other
set_label own.db 2 --coder ann --relevance no --reason 'says “case 2”'
set_label own.db 3 --coder ann --relevance yes --cause network
"$PPMINE" -q -d own.db codebook merge network --into disk --by ann --why one
"$PPMINE" -q -d own.db codebook split 'cause number 06' --into 'cause number 07' --into 'cause number 08' --by ann --why two
memo() { # DATABASE SECOND CODE TEXT…
    PPMINE_NOW=2026-11-21T11:00:$2.000Z "$PPMINE" -q -d "$1" codebook memo "${@:3}"
}
memo own.db 01 disk $'is it\n <this> & "that"?\t\xf0\x9f\x98\x80' --by ann
memo own.db 02 disk $'is it\n <this> & "that"?\t\xf0\x9f\x98\x80' --by bob
memo own.db 03 network 'of a code that was merged' --by eve
memo own.db 04 --study 'of the study' --by bob
memo own.db 05 cpu 'taken back' --by ann
memo own.db 06 cpu --undo --by ann

# --- categories, and all labels of the published study, whose posts are not held ---
"$PPMINE" -q -d published.db init --published

# --- two sites, characters of four bytes, categories of three levels ---
mkdir sites
printf 'name = sites\ntitle = Two & more\ntags = *\nsites = so stackoverflow.com, ds datascience.stackexchange.com\n' >sites/study.ini
echo slow >sites/keywords.txt
printf 'facet,about,kind,most,required\nrelevance,post,yes/no,1,yes\ncause,problem,codes,2,no\n' >sites/facets.csv
printf 'facet,category,code,short_name,definition,aliases\ncause,A > B,deep & "low",,"It is\ndeep.",\ncause,A,high,,,\ncause,A > B,other,,,\ncause,A,B > other,,,\ncause,,B,,,\n' \
    >sites/codebook.csv
printf 'facet,category,definition\ncause,A,The first.\ncause,A > B,Below it.\n' >sites/categories.csv
cat >posts.ndjson <<'END'
{"v":1,"site":"datascience.stackexchange.com","post_id":7,"post_type":"question","title":"Ä 😀 title","tags":["a","b-c"],"score":-3,"created_at":"2019-01-01T10:00:00.000Z","owner_display_name":"<Zoë>","content_license":"CC BY-SA 4.0","body_html":"<p>😀 one &amp; two</p><pre><code>if (a &lt; b)\n  c();</code></pre>"}
{"v":1,"site":"stackoverflow.com","post_id":7,"post_type":"answer","parent_id":6,"created_at":"2019-01-01T10:00:00.000Z","body_html":"<p>An answer.</p>"}
END
"$PPMINE" -q -d sites.db init --study sites
"$PPMINE" -q -d sites.db load posts.ndjson
set_label sites.db ds:7 --coder 'Ann Ö' --relevance yes --cause 'deep & "low"' --cause high \
    --reason '“if (a < b) c();” [body 15-30]; “😀 title” [title 3-13]' 2>/dev/null
set_label sites.db so:7 --coder 'Ann Ö' --relevance yes --cause B --reason '“An” [answer 7 0-2]' 2>/dev/null

memo published.db 01 training 'of a list that two facets share' --by ann
# Split after its memo: each part has it.
memo own.db 07 'cause number 09' 'two parts' --by ann
"$PPMINE" -q -d own.db codebook split 'cause number 09' --into 'cause number 07' --into 'cause number 08' --by ann --why two
memo sites.db 01 'deep & "low"' 'below categories' --by 'Ann Ö'

for study in own published sites; do
    "$PPMINE" -d $study.db export --qdpx $study.qdpx --with-notes --with-memos 2>>said
    "$PPMINE" -q -d $study.db export --qdpx again.qdpx --with-notes --with-memos
    cmp $study.qdpx again.qdpx
    echo "$study: $(python3 "$ROOT/tests/lib/refi.py" $study.qdpx $study.db)" >>counts
    "$PPMINE" -q init --from --study back-$study $study.qdpx
    "$PPMINE" -q -d back-$study.db init --study back-$study --published $study.qdpx
    "$PPMINE" -q -d back-$study.db export --qdpx back.qdpx --with-notes --with-memos
    cmp $study.qdpx back.qdpx || fail "$study: another file after its way out and in"
    for side in $study back-$study; do "$PPMINE" -q -d "$side.db" export --qdc "$side.qdc"; done
    cmp $study.qdc back-$study.qdc
    "$PPMINE" -q init --from --study book-$study $study.qdc
    cmp book-$study/codebook.csv back-$study/codebook.csv
    "$PPMINE" -q -d $study.db codebook load $study.qdc --by ann --why 'the same' && fail "$study: its own words are new"
done
diff - counts <<'END'
own: codes 65, codings 11, passages 9, private notes 2, memos 6
published: codes 47, codings 5044, passages 0, private notes 0, memos 2
sites: codes 7, codings 5, passages 6, private notes 0, memos 1
END
grep -q 'left out: values of facets of kind text, which are not codes: 1' said
[ "$(stat -c %a own.qdpx)" = 600 ]
"$PPMINE" -d own.db export --qdpx quiet.qdpx 2>said
grep -q 'left out: private notes: 2; --with-notes takes them' said
grep -q 'left out: memos of codes and of the study: 6; --with-memos takes them' said
python3 -c 'import zipfile; assert b"of the study" not in zipfile.ZipFile("quiet.qdpx").read("project.qde")'
python3 -c 'import zipfile; assert b"of two lines" not in zipfile.ZipFile("quiet.qdpx").read("project.qde")'

# Agreement is the same, but for spellings of published labels, which a project does not have.
for side in published back-published; do
    "$PPMINE" -q -d "$side.db" agree --all --ignore-spelling --format csv | cut -d, -f3- >"$side.csv"
done
cmp published.csv back-published.csv
# A definition that others changed comes in.
sed 's/It is&#10;deep\./It is very deep./' sites.qdc >changed.qdc
"$PPMINE" -q -d sites.db codebook load changed.qdc --by ann --why theirs
[ "$("$PPMINE" -q -d sites.db codebook list --format csv | grep -c 'It is very deep.')" = 1 ]

# --- as other programs write them ---
python3 "$ROOT/tests/lib/refi_foreign.py" foreign
"$PPMINE" init --from --study theirs foreign/good/all.qdpx 2>said
diff - said <<'END'
ppmine: read: facets: 3; codes: 4; users: 2; sources: 3; codings: 6; passages: 2
ppmine: left out: PDF documents: 1
ppmine: left out: sets: 1
ppmine: left out: colours of codes: 1
ppmine: warning: sources without plain text in the file: 2; their codings are kept, without the words
ppmine: positions count units of UTF-16: a passage ends after the last character of its text
ppmine: theirs: read facets.csv and codebook.csv, then: ppmine init --study theirs --published FILE…
END
"$PPMINE" -q -d theirs.db init --study theirs --published foreign/good/all.qdpx
sqlite3 theirs.db "SELECT subject, coder, facet, value, decided_at, reason FROM decision ORDER BY 1, 2, 3;
    SELECT coder, subject, text FROM note; SELECT title FROM post;
    SELECT coder, m.code, m.text, definition FROM code_memo AS m JOIN code AS c ON c.name = m.code" >got
diff - got <<'END'
1|Ann|code label|["leak"]|2023-08-16T15:49:36.000Z|“It <hangs>” [body 20-30]
1|Ann|speed|["slow"]|2023-08-16T15:49:36.000Z|“It <hangs>” [body 20-30]
1|Bob|code label|["leak"]|2023-08-16T15:49:36.000Z|“eaks.” [body 34-39]
1|Bob|speed|["slow (hangs)"]|2023-08-16T15:49:36.000Z|
2|Ann|code label|["leak"]|2023-08-16T15:49:36.000Z|
3|Ann|speed|["Speed"]|2023-08-16T15:49:36.000Z|
Bob|1|a memo
Talk 1
Bob|slow (hangs)|a memo|a memo
END
"$PPMINE" -q -d theirs.db export --qdpx theirs.qdpx --with-notes
python3 "$ROOT/tests/lib/refi.py" theirs.qdpx theirs.db >/dev/null
# A code that somebody took out of the codebook, and a second facet that takes one code alone: counted.
sed -i '/,leak,/d' theirs/codebook.csv && sed -i '/^code label/d' theirs/facets.csv
"$PPMINE" -d fewer.db init --study theirs --published foreign/good/all.qdpx 2>said
grep -q 'left out: codings with codes that the study does not have: 3' said || { cat said && exit 1; }
"$PPMINE" -q init --from --study inline foreign/good/inline.qdpx
"$PPMINE" -q -d inline.db init --study inline --published foreign/good/inline.qdpx
[ "$(sqlite3 inline.db "SELECT reason FROM decision")" = '“two” [body 4-7]' ]
# Two users that are missing among the users stay two coders.
"$PPMINE" init --from --study users foreign/good/users.qdpx 2>said
[ "$(grep -c 'is not among its users' said)" = 2 ] || { cat said && exit 1; }
"$PPMINE" -q -d users.db init --study users --published foreign/good/users.qdpx 2>/dev/null
[ "$(sqlite3 users.db 'SELECT count(DISTINCT coder) FROM decision')" = 2 ]
# Texts of documents and transcripts are read; what is seen or heard is counted, with the codings that are lost with it.
"$PPMINE" init --from --study seen foreign/good/seen.qdpx 2>said
"$PPMINE" -q init --from --study widgets foreign/good/widgets.qdpx
"$PPMINE" -d widgets.db init --study widgets --published foreign/good/widgets.qdpx 2>&1 | grep Widget >>said
diff - said <<'END'
ppmine: read: facets: 3; codes: 3; users: 2; sources: 3; codings: 4; passages: 2
ppmine: left out: pictures: 1
ppmine: left out: places in PDF documents: 1
ppmine: left out: places in pictures: 1
ppmine: left out: cases: 1
ppmine: left out: sets: 1
ppmine: left out: links: 1
ppmine: left out: codings of these: 3
ppmine: left out: colours of codes: 1
ppmine: seen: read facets.csv and codebook.csv, then: ppmine init --study seen --published FILE…
ppmine: left out: elements of other programs, such as Widgets: 2
END
"$PPMINE" -q -d seen.db init --study seen --published foreign/good/seen.qdpx
sqlite3 seen.db "SELECT subject, coder, facet, value, reason FROM decision ORDER BY 1, 2, 3; SELECT title, trim(body_html, char(10)) FROM post" >got
diff - got <<'END'
1|Ann|speed|["slow"]|“two” [body 4-7]
1|Bob|code label|["leak"]|
2|Ann|code label|["leak"]|
2|Ann|speed|["slow (hangs)"]|“hangs” [body 6-11]
Scan|<p>one two three</p>
Interview|<p>so it hangs often</p>
second|<p>another hand</p>
END
"$PPMINE" -q -d seen.db export --qdpx seen.qdpx
python3 "$ROOT/tests/lib/refi.py" seen.qdpx seen.db >/dev/null

# --- damaged and hostile ones: refused, with the reason, and nothing is left behind ---
for file in foreign/bad/*.qdpx; do
    status=0
    timeout 300 "$PPMINE" init --from --study none "$file" 2>said || status=$?
    [ $status -eq 3 ] || fail "$file: exit code $status, $(cat said)"
    grep -qF "$(cat "${file%.qdpx}.words")" said || fail "$file: $(cat said)"
    [ ! -e none ] || fail "$file: a folder was left"
done
[ "$(find foreign/bad -name "*.qdpx" | wc -l)" -ge 29 ]
"$PPMINE" init --from foreign/good/all.qdpx foreign/good/inline.qdpx 2>said && exit 1
grep -q 'give no other FILE with it' said
