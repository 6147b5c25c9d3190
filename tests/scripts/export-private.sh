#!/bin/bash
# A package never holds notes or somebody's paths, and holds texts of posts only when asked; nothing of
# them can be recovered from its database. It checks itself, whatever strangers are called.
set -eu
. "$ROOT/tests/lib/dump.sh"
need sqlite3 python3 jq

"$PPMINE" -q -d study.db init --published
"$PPMINE" -q -d study.db load "$ROOT/studies/dlperf/sample/Posts.xml"
"$PPMINE" -q -d study.db match >/dev/null
python3 "$ROOT/tests/lib/strangers.py" study.db
mkdir results
cp "$ROOT"/tests/data/bench-results/near.json results
jq '.problem_id = "lost" | .verdict = "broken" | .why = "buggy.py failed with exit code 1: no /home/MARKPATH"
    | .ratio = null | .ratio_low = null | .ratio_high = null | .buggy.median = null | .fixed.median = null
    | .buggy.runs[].said = "no /home/MARKPATH"' results/near.json >results/lost.json
"$PPMINE" -q -d study.db bench import results >out
for mark in NOTE PATH TITLE BODY OLD REVISION PLAIN; do
    cat study.db study.db-wal 2>/dev/null | grep -qa "MARK$mark" ||
        fail "MARK$mark is not in the database: this test would find nothing"
done
sha256sum study.db >before

# absent FOLDER MARK…: in none of its files; the database also as an SQL dump
absent() {
    local folder=$1 mark
    shift
    for mark; do
        if grep -rla "MARK$mark" "$folder"; then fail "MARK$mark is in these files of $folder"; fi
        if sqlite3 "$folder/ppmine.db" .dump | grep -q "MARK$mark"; then
            fail "MARK$mark is in the database of $folder"
        fi
    done
}

checks() { # FOLDER
    python3 "$1/check.py" --bootstrap >said || { cat said && fail "check.py of $1 finds faults"; }
    (cd "$1" && sha256sum -c --quiet SHA256SUMS)
    [ "$(sqlite3 "$1/ppmine.db" 'PRAGMA integrity_check; PRAGMA foreign_key_check')" = ok ] ||
        fail "$1: the database is damaged"
    [ -z "$(sqlite3 "$1/ppmine.db" "SELECT name FROM sqlite_schema WHERE name LIKE 'post_search%'")" ]
    "$PPMINE" -d "$1/ppmine.db" stats | cmp - "$1/statistics/stats.txt"
    "$PPMINE" -q -d "$1/ppmine.db" agree --all | cmp - "$1/statistics/agreement.txt"
    sha256sum -c --quiet before || fail "making a package changed the study"
}

"$PPMINE" -q -d study.db export --no-plots --open --package without
absent without NOTE PATH TITLE BODY OLD REVISION PLAIN
checks without
[ "$(sqlite3 without/ppmine.db 'SELECT count(*) FROM revision')" = \
    "$(sqlite3 study.db 'SELECT count(DISTINCT post_id) FROM revision')" ] ||
    fail "versions that differ in the title alone should be one each"
sqlite3 without/ppmine.db 'SELECT count(*) > 0 FROM hit' | grep -qx 1

"$PPMINE" -q -d study.db export --no-plots --with-text --licence 'CC0 1.0' --open --package with
absent with NOTE PATH
for mark in TITLE BODY REVISION PLAIN; do
    grep -qa "MARK$mark" with/ppmine.db || fail "MARK$mark should be in the database with texts"
done
grep -q MARKBODY with/data/texts.csv || fail "there are no texts in data/texts.csv"
grep -q 'CC0 1.0' with/LICENSE && grep -q 'CC0 1.0' with/README.md
checks with

# Names stay as they are, with an apostrophe before formulas, and line ends within them.
python3 - without/data/attribution.csv <<'END'
import csv, sys
text = open(sys.argv[1], encoding="utf-8", newline="").read()
rows = list(csv.DictReader(text.splitlines(keepends=True)))
names = {row["author"] for row in rows}
assert '\'=HYPERLINK("http://example.org","\u202egpj")\n\x01,' in names, names
assert 'two\r\nlines "of" name' in names, names
assert ',"\'=HYPERLINK(' in text and '=HYPERLINK' not in text.replace("'=", "")
bases = {row["license_basis"] for row in rows}
assert bases == {"source", "by date", "by id", "unknown"}, bases
for row in rows:
    assert (row["content_license"] == "") == (row["license_basis"] == "unknown"), row
END
head -1 without/README.md | grep -qxF '# Replication package: &lt;b\>T&lt;/b\> \| \[x\](y)?\# z'
jq -e '.runs[0] | .source == "Posts.xml" and (.parameters | fromjson | .k == "kw.txt" and
    .l == ["b", 3, true, null] and .u == "https://example.org/a/b")' without/PARAMETERS.json >/dev/null
