#!/bin/bash
# --format xlsx has the values of --format json: texts that are no formulas, numbers, a sheet for each table; it
# is read back as CSV is. --bom is three bytes, and nothing else.
set -eu
. "$ROOT/tests/lib/dump.sh"
need python3

"$PPMINE" -q -d study.db init --published
"$PPMINE" -q -d study.db load "$ROOT/studies/dlperf/sample/Posts.xml"
"$PPMINE" -q -d study.db match >/dev/null
python3 "$ROOT/tests/lib/strangers.py" study.db
for table in posts hits coding problems decisions attribution; do
    "$PPMINE" -d study.db export -t "$table" -f xlsx >"$table.xlsx"
    "$PPMINE" -d study.db export -t "$table" -f xlsx --raw -o "$table-raw.xlsx"
    "$PPMINE" -d study.db export -t "$table" -f json >"$table.json"
    "$PPMINE" -d study.db export -t "$table" >"$table.csv"
    "$PPMINE" -d study.db export -t "$table" --bom | cmp - <(printf '\357\273\277' && cat "$table.csv") ||
        fail "--bom of $table is not a mark and the table"
done
"$PPMINE" -q -d study.db stats -f xlsx >stats.xlsx
"$PPMINE" -q -d study.db stats -f json >stats.json
"$PPMINE" -q -d study.db stats -f xlsx | cmp - stats.xlsx || fail "the same tables are not the same bytes"

# What a sheet reads is the same from both.
for from in csv xlsx; do
    "$PPMINE" agree --csv "problems.$from" --columns introducing_stage,exposing_stage -f json >"agree-$from"
    "$PPMINE" -q -d "read-$from.db" init --published
    "$PPMINE" -q -d "read-$from.db" load "$ROOT/studies/dlperf/sample/Posts.xml"
    "$PPMINE" -d "read-$from.db" label import --coder ann "problems.$from" >"import-$from" 2>&1
    "$PPMINE" -d "read-$from.db" export -t coding | sed 's/,20[^,]*Z,/,DATE,/' >"coding-$from"
    sed -i "s/\.$from/.FILE/g" "agree-$from" "import-$from"
done
cmp import-csv import-xlsx && cmp coding-csv coding-xlsx || fail "label import reads other labels from the workbook"
grep -q '48051647.*,ann,' coding-xlsx || fail "label import reads nothing"
cmp agree-csv agree-xlsx || fail "agree --csv reads other codes from the workbook"
grep -q '"kappa"' agree-xlsx || fail "agree --csv reads nothing"

if "$PPMINE" stats -d study.db --bom -f xlsx >out 2>err; then fail "a workbook has a mark"; fi
grep -q -- '--bom needs --format csv' err || fail "$(cat err)"

python3 - "$PPMINE" <<'END'
import glob, json, os, pty, re, subprocess, sys, zipfile
from xml.etree import ElementTree
sys.path.insert(0, os.environ["ROOT"] + "/tests/lib")
import formulas
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
LINK = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def text_of(element):
    text = "".join(t.text or "" for t in element.iter(MAIN + "t"))
    return re.sub("_x([0-9a-fA-F]{4})_", lambda m: chr(int(m.group(1), 16)), text)


def value_of(cell):
    assert cell.find(MAIN + "f") is None, "a formula"
    if cell.get("t") == "inlineStr":
        return text_of(cell)
    value = cell.find(MAIN + "v").text
    return value == "1" if cell.get("t") == "b" else json.loads(value)


def place_of(cell):
    column = 0
    for letter in cell.get("r").rstrip("0123456789"):
        column = column * 26 + ord(letter) - 64
    return int(cell.get("r").lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")) - 1, column - 1


def sheets(path):
    with zipfile.ZipFile(path) as book:
        assert book.testzip() is None
        links = {r.get("Id"): r.get("Target") for r in ElementTree.fromstring(book.read("xl/_rels/workbook.xml.rels"))}
        for sheet in ElementTree.fromstring(book.read("xl/workbook.xml")).iter(MAIN + "sheet"):
            cells = {}
            for cell in ElementTree.fromstring(book.read("xl/" + links[sheet.get(LINK)])).iter(MAIN + "c"):
                cells[place_of(cell)] = value_of(cell)
            yield sheet.get("name"), cells


def compare(where, cells, names, rows, raw):
    assert [cells.get((0, i)) for i in range(len(names))] == names, where
    for n, row in enumerate(rows):
        for i, name in enumerate(names):
            found, value = cells.get((n + 1, i)), row[name]
            if isinstance(value, (list, dict)):
                found = json.loads(found if raw else formulas.unguarded(found))
            elif isinstance(value, int) and len(str(abs(value))) > 15:
                found = int(formulas.unguarded(found))
            else:
                value = value.replace("\0", "\ufffd") if isinstance(value, str) else value
                value = formulas.in_workbook(value) if isinstance(value, str) and not raw else value
                if isinstance(value, str) and len(value) > 30000:
                    assert value.startswith(found) and len(found) > 30000 // 2, where
                    continue
            assert found == value and (found is None or isinstance(found, bool) == isinstance(value, bool)), \
                (where, n, name, found, value)
    return len(rows)


n = 0
for path in glob.glob("*.json"):
    table = path[:-5]
    rows = json.load(open(path, encoding="utf-8"))
    if table == "stats":
        book = list(sheets("stats.xlsx"))
        assert [name for name, _ in book] == [t["id"] for t in rows] and len(book) > 5, [name for name, _ in book]
        for (name, cells), t in zip(book, rows):
            compare(name, cells, [c["name"] for c in t["columns"]], t["rows"], False)
            below = [cells[at] for at in sorted(cells) if at[0] > len(t["rows"]) + 1]
            assert below == [formulas.in_workbook(x) for x in (t["title"], t["note"]) if x], (name, below)
        continue
    for raw in (False, True):
        (name, cells), = sheets(table + ("-raw" if raw else "") + ".xlsx")
        assert name == table, name
        n += compare(table, cells, list(rows[0]), rows, raw)
        assert max(at[0] for at in cells) == len(rows), "rows that are not of the table"
assert n > 1000, n

# A terminal gets words, not bytes.
master, slave = pty.openpty()
done = subprocess.run([sys.argv[1], "-d", "study.db", "stats", "--format", "xlsx"], stdin=subprocess.DEVNULL,
                      stdout=slave, stderr=subprocess.PIPE, check=False)
os.close(slave)
assert done.returncode == 2 and b"not for a terminal" in done.stderr, (done.returncode, done.stderr)
END
