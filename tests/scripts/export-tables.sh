#!/bin/bash
# Each table is the same in CSV, JSON, NDJSON and in the package, with numbers as numbers.
set -eu
. "$ROOT/tests/lib/dump.sh"
need python3 sqlite3

"$PPMINE" -q -d study.db init --published
"$PPMINE" -q -d study.db load "$ROOT/studies/dlperf/sample/Posts.xml"
"$PPMINE" -q -d study.db match >/dev/null
python3 "$ROOT/tests/lib/strangers.py" study.db
"$PPMINE" -q -d study.db bench import "$ROOT/tests/data/bench-results" >out-bench
# A campaign, whose tables are only there when there is one.
"$PPMINE" -q -d study.db export --no-plots --open --package without
! ls without/data | grep -E 'projects|scans|finding|discussion' || fail "tables of a campaign and a discussion that there are none of"
printf 'import tensorflow as tf\nds = tf.data.TFRecordDataset("x").map(f)\n' >a.py
"$PPMINE" -q -d study.db check --project '=p,"q"' --commit 1 --fail-on never a.py >/dev/null
"$PPMINE" -q -d study.db campaign set reported --by ann --reason '=1+1' \
    "$(sqlite3 study.db 'SELECT finding_id FROM finding')"
# A discussion, which is published once it is open.
"$PPMINE" -q -d study.db label discuss 65160023_1 --coder ann --say '=1+1, "so" it says'
"$PPMINE" -q -d study.db label discuss --open --coder ann
"$PPMINE" -q -d study.db export --no-plots --with-text --open --package out
n=0
for table in $("$PPMINE" export --list --format csv | sed '1d; s/,.*//'); do
    "$PPMINE" -d study.db export --table "$table" >"$table.csv"
    "$PPMINE" -d study.db export -t "$table" -f json >"$table.json"
    echo old >"$table.ndjson"
    "$PPMINE" -d study.db export -t "$table" -f ndjson -o "$table.ndjson"
    case $table in posts | hits) continue ;; esac # these are not in a package
    cmp "$table.csv" "out/data/$table.csv" || fail "$table is another table in the package"
    n=$((n + 1))
done
"$PPMINE" -d study.db export -t attribution --raw >raw
[ "$n" = "$(ls out/data | wc -l)" ] || fail "the list has $n tables, the package others"
"$PPMINE" -d study.db export -t coding -o /dev/stdout | cmp - coding.csv
[ -z "$(ls -A | grep unfinished)" ] || fail "unfinished files are left"

python3 - <<'END'
import csv, glob, json, os, sys
sys.path.insert(0, os.environ["ROOT"] + "/tests/lib")
import formulas
n_guarded = 0
types = {(row["file"], row["column"]): row["type"]
         for row in csv.DictReader(open("out/data_dictionary.csv", encoding="utf-8", newline=""))}
# Of tables that are not in a package, the program's own dictionary knows the columns.
own = os.environ["ROOT"] + "/report/package/data_dictionary.csv"
types.update({(row["file"], row["column"]): row["type"]
              for row in csv.DictReader(open(own, encoding="utf-8", newline=""))
              if row["file"] in ("data/posts.csv", "data/hits.csv")})
python = {"integer": int, "boolean": bool, "real": float}
csv.field_size_limit(1 << 30)
for name in glob.glob("*.csv"):
    table = name[:-4]
    rows = list(csv.reader(open(name, encoding="utf-8", newline="")))
    array = json.load(open(table + ".json", encoding="utf-8"))
    lines = [json.loads(line) for line in open(table + ".ndjson", encoding="utf-8", newline="\n")]
    assert array == lines, table
    assert len(array) == len(rows) - 1, table
    for row, entry in zip(rows[1:], array):
        assert list(entry) == rows[0], table
        for column, text in zip(rows[0], row):
            value = entry[column]
            wanted = python.get(types["data/" + name, column], str)
            if table == "posts" and types["data/" + name, column] == "json" and value is not None:
                assert json.loads(text.removeprefix("'")) == value, (table, column, value, text)
                continue
            assert value is None or type(value) is wanted, (table, column, value)
            if wanted is float and value is not None:
                assert float(text) == value, (table, column, value, text)
                continue
            shown = "" if value is None else str(int(value)) if wanted is bool else str(value)
            # What a spreadsheet would compute has an apostrophe in front; numbers are numbers.
            cell = formulas.guarded(shown) if wanted is str else shown
            assert text == cell, (table, column, value, text)
            n_guarded += cell != shown
assert n_guarded >= 5, n_guarded
# Raw, the cell is the text.
raw = list(csv.DictReader(open("raw", encoding="utf-8", newline="")))
assert [row["author"] for row in raw] == \
    [entry["author"] or "" for entry in json.load(open("attribution.json", encoding="utf-8"))]
assert any(formulas.is_formula(row["author"]) for row in raw)
END
