#!/bin/bash
# Two partners write memos while they code: memos stay with codes that are renamed, merged, split, or kept twice,
# survive merges of the databases in any order and any number of times, can be taken back, and are never lost or changed.
set -eu
. "$ROOT/tests/lib/dump.sh"
need sqlite3 python3

at() { PPMINE_NOW=2026-11-21T10:00:$1.000Z "$PPMINE" -q -d "$2" "${@:3}"; }
memos() { "$PPMINE" -q -d "$1" codebook memo --format csv "${@:2}" | cut -d, -f1 --complement; }
expect() { diff - <(memos "$@") || fail "memos of $*"; }
refused() { # CODE WORDS COMMAND…
    status=0
    "$PPMINE" -d ann.db "${@:3}" 2>said || status=$?
    [ $status -eq "$1" ] && grep -qF -- "$2" said || fail "${*:3}: exit code $status, $(cat said)"
}

"$PPMINE" -q -d ann.db init --published
"$PPMINE" -q -d ann.db codebook memo >/dev/null && fail 'there is no memo yet'
refused 1 'no memo to take back' codebook memo --study --undo --by ann

# --- ann writes, and hands a copy to bob; both go on ---
at 01 ann.db codebook memo 'program hang' 'Is a deadlock one?' --by ann
at 02 ann.db codebook memo --study --by ann 'Two rounds, then we talk.'
printf 'from a file,\n  "with" two lines\n' | at 03 ann.db codebook memo training --by ann -
cp ann.db bob.db
at 04 bob.db codebook memo 'PROGRAM HANG' 'Yes: it never ends.' --by bob
at 05 ann.db codebook memo 'program hang' 'Yes: it never ends.' --by ann
at 05 ann.db codebook memo 'memory leak' 'Yes: it never ends.' --by ann
at 06 bob.db codebook memo --study --by bob 'a mistake'
at 07 bob.db codebook memo --study --by bob --undo
expect bob.db --study <<'END'
coder,facet,code,named,undone,memo
ann,,,,,"Two rounds, then we talk."
bob,,,,yes,a mistake
END
refused 1 'no memo to take back' codebook memo --study --undo --by bob
at 07 bob.db codebook memo --study --by bob --undo && fail 'taken back twice'
expect ann.db training <<'END'
coder,facet,code,named,undone,memo
ann,stage,training,,,"from a file,
  ""with"" two lines"
END

# --- refused: nothing is stored ---
refused 2 'who says so' codebook memo training x
refused 2 "no code 'nowhere' in the codebook" codebook memo nowhere x --by ann
refused 2 'give only the text' codebook memo --study a b --by ann
refused 2 '--undo takes a code' codebook memo --undo --by ann
refused 3 'writes no memos' codebook memo --study x --by merged
for bad in $'bell \a' $'\xff' '   '; do refused 3 'a memo is 1 to 1048576 bytes' codebook memo --study "$bad" --by ann; done
refused 3 'a memo is 1 to' codebook memo --study --by ann - < <(printf 'nul \0')
refused 3 '1048576 bytes' codebook memo --study --by ann - < <(head -c 1048577 /dev/zero | tr '\0' m)
[ "$(sqlite3 ann.db 'SELECT count(*) FROM memo')" = 5 ]

# --- merges: in both directions, twice, the same rows ---
"$PPMINE" -d bob.db label merge ann.db --format json 2>/dev/null |
    python3 -c 'import json, sys; assert [r["new_memos"] for r in json.load(sys.stdin) if r["coder"] == "ann"] == [2]'
"$PPMINE" -q -d ann.db label merge bob.db >merged
"$PPMINE" -q -d ann.db label merge bob.db >merged
rows() { sqlite3 "$1" 'SELECT * FROM memo ORDER BY 1, 5'; }
[ "$(rows ann.db)" = "$(rows bob.db)" ] || fail 'the partners have other memos'
expect ann.db 'program hang' <<'END'
coder,facet,code,named,undone,memo
ann,symptom,program hang,,,Is a deadlock one?
bob,symptom,program hang,,,Yes: it never ends.
ann,symptom,program hang,,,Yes: it never ends.
END
[ "$(memos ann.db --study | grep -c 'yes,a mistake')" = 1 ]
# A memo that somebody changed by hand, or one about no code, is not taken in.
cp bob.db forged.db && sqlite3 forged.db "UPDATE memo SET text = 'no' WHERE coder = 'bob' AND text <> ''"
refused 3 'the id is not that of its content' label merge forged.db
cp bob.db forged.db && sqlite3 forged.db "UPDATE memo SET code = 'nowhere' WHERE code = 'training'"
refused 3 'the codebook has no such code' label merge forged.db
[ "$(rows ann.db)" = "$(rows bob.db)" ]
# Nobody takes back what another coder wrote: a row that says so, as a forged file may have it, counts for nothing.
cp ann.db undone.db
python3 - <<'PYTHON'
import hashlib, json, sqlite3
with sqlite3.connect("undone.db") as db:
    (memo, code), = db.execute("SELECT memo_id, code FROM memo WHERE text LIKE 'Is a deadlock%'")
    at = "2026-11-21T10:30:00.000Z"
    row = json.dumps(["bob", "", "symptom", {"undoes": memo}, at], separators=(",", ":"))
    db.execute("INSERT INTO memo VALUES (?, ?, 'bob', 'symptom', ?, '', ?)",
               (hashlib.sha256(row.encode()).hexdigest(), at, code, memo))
PYTHON
cp ann.db ann0.db
"$PPMINE" -q -d ann0.db label merge undone.db >merged
[ "$(sqlite3 ann0.db "SELECT undone FROM code_memo WHERE text LIKE 'Is a deadlock%'")" = 0 ] || fail 'bob took back what ann wrote'

# --- where they are shown: beside the code, in the history, and in what is published only when asked for ---
"$PPMINE" -q -d ann.db codebook list --code 'program hang' --versus 'slow execution time' >shown
[ "$(grep -c 'Yes: it never ends.' shown)" = 2 ] && ! grep -q 'Two rounds' shown || { cat shown && exit 1; }
for format in text csv json markdown latex html; do
    report=("$PPMINE" -q -d ann.db codebook list --report --format $format)
    "${report[@]}" | grep -q 'never ends' && fail "$format: a report has memos"
    [ "$("${report[@]}" --with-memos | grep -c 'never ends')" = 3 ] || fail "$format: not all memos"
    "${report[@]}" --with-memos | grep -q 'a mistake' && fail "$format: a memo that was taken back"
done
refused 2 '--with-memos needs --report, or text' codebook list --with-memos --format csv

# --- the codebook changes, and memos go along ---
change() { PPMINE_NOW=2026-11-21T11:00:00.000Z "$PPMINE" -q -d "$1" codebook "${@:2}" --by ann --why why; }
change ann.db rename 'program hang' 'endless run'
change ann.db merge 'memory leak' --into 'out of memory'
change ann.db split training --into evaluation --into 'data preparation'
change ann.db rename evaluation testing
memo_of() { memos ann.db "$1" | tail -n +2 | cut -d, -f1-4 | grep , | sort -u; }
[ "$(memo_of 'endless run')" = $'ann,symptom,endless run,program hang\nbob,symptom,endless run,program hang' ]
[ "$(memo_of 'memory leak')" = 'ann,symptom,out of memory,memory leak' ]
[ "$(memo_of testing | head -1)" = 'ann,stage,testing,training' ]
[ "$(memo_of 'data preparation' | head -1)" = 'ann,stage,data preparation,training' ]
"$PPMINE" -q -d ann.db codebook history --format json | python3 -c 'import json, sys
for row in json.load(sys.stdin):
    print(row["version"], row["changed_by"], row["action"], row["facet"], row["code"], repr(row["reason"]), sep="|")' >got
diff - got <<'END'
None|ann|memo|symptom|program hang|'Is a deadlock one?'
None|ann|memo|None|None|'Two rounds, then we talk.'
None|ann|memo|stage|training|'from a file,\n  "with" two lines'
None|bob|memo|symptom|program hang|'Yes: it never ends.'
None|ann|memo|symptom|program hang|'Yes: it never ends.'
None|ann|memo|symptom|memory leak|'Yes: it never ends.'
None|bob|memo, undone|None|None|'a mistake'
2|ann|rename|symptom|program hang|'why'
3|ann|merge|symptom|memory leak|'why'
4|ann|split|stage|training|'why'
5|ann|rename|stage|evaluation|'why'
END
# A part can be split again, and its memo is taken back there, for all parts.
change ann.db split testing --into 'data preparation' --into prediction
[ "$(memo_of prediction | head -1)" = 'ann,stage,prediction,training' ]
at 20 ann.db codebook memo prediction --undo --by ann
[ "$(sqlite3 ann.db "SELECT group_concat(undone) FROM code_memo WHERE named = 'training'")" = 1,1 ]
# bob still has the old names; what he writes arrives under the new ones.
at 21 bob.db codebook memo 'program hang' 'late' --by bob
"$PPMINE" -q -d ann.db label merge bob.db >merged
[ "$(memos ann.db 'endless run' | grep -c 'bob,symptom,endless run,program hang,,late')" = 1 ]

# --- both add a code of one name, mean two, and keep both with their memos ---
"$PPMINE" -q -d bob.db label merge ann.db >merged
for who in ann bob; do
    PPMINE_NOW=2026-11-22T10:00:00.000Z "$PPMINE" -q -d $who.db codebook add stalls --facet symptom --category Time \
        --definition "as $who means it" --by $who --why new
    at 30 $who.db codebook memo stalls "of $who" --by $who
done
cp ann.db ann0.db
"$PPMINE" -q -d ann.db label merge bob.db --take both >merged
"$PPMINE" -q -d bob.db label merge ann0.db --take both >merged
for db in ann.db bob.db; do
    memos $db | grep ',of ' >$db.stalls
    [ "$(cut -d, -f3,6 $db.stalls | sort)" = "$(printf 'stalls (%s),of %s\n' bob bob | cat - <(echo 'stalls,of ann') | sort)" ] ||
        [ "$(cut -d, -f3,6 $db.stalls | sort)" = "$(printf 'stalls (%s),of %s\n' ann ann | cat - <(echo 'stalls,of bob') | sort)" ] ||
        fail "$db: $(cat $db.stalls)"
done
for round in 1 2; do
    "$PPMINE" -q -d bob.db label merge ann.db --take both >merged
    "$PPMINE" -q -d ann.db label merge bob.db --take both >merged
done
[ "$(rows ann.db)" = "$(rows bob.db)" ] || fail "$(diff <(rows ann.db) <(rows bob.db))"
[ "$(sqlite3 ann.db "SELECT count(*) FROM memo WHERE text LIKE 'of %'")" = 2 ]

# --- a memo of one megabyte goes the same way; nothing of a memo is in a package ---
head -c 1048576 /dev/zero | tr '\0' m | at 40 ann.db codebook memo --study --by ann -
"$PPMINE" -q -d bob.db label merge ann.db >merged
[ "$(sqlite3 bob.db "SELECT max(length(text)) FROM memo")" = 1048576 ]
"$PPMINE" -q -d bob.db export --package pack --licence CC0-1.0 --open 2>said || { cat said && exit 1; }
grep -rqF 'it never ends' pack && fail 'a package has a memo'
exit 0
