#!/bin/bash
# label import reads a workbook as it was saved: by openpyxl, and by LibreOffice, which writes its own XML.
# Both give the decisions, reasons and notes of the same cells as CSV, which Python writes here. What a
# stranger makes of such a file is refused in one line.
set -eu

python=/usr/bin/python3
$python -c 'import openpyxl' 2>/dev/null || {
    echo 'no python3-openpyxl'
    exit 77
}
export PYTHONDONTWRITEBYTECODE=1 HOME=$PWD
fail() {
    echo "$*"
    exit 1
}

cat >Posts.py <<'PY'
print("<posts>")
for post in range(1, 61):
    print('<row Id="%d" PostTypeId="1" CreationDate="2020-01-01T00:00:00.000" Title="Slow &lt;%d&gt; \u738b"'
          ' Tags="&lt;keras&gt;" Body="&lt;p&gt;slower&lt;/p&gt;" />' % (post, post))
print("</posts>")
PY
$python Posts.py >Posts.xml
ppmine -q -d empty.db init
ppmine -q -d empty.db load Posts.xml
ppmine -q -d empty.db match >matched
ppmine -q -d empty.db label export --coder ann --template -o template.xlsx

# Fills the template at random, and says the same as CSV: a text for each cell.
cat >fill.py <<'PY'
import csv, datetime, random, sys
import openpyxl
sys.path.insert(0, sys.argv[2])
import formulas
seed = int(sys.argv[1])
r = random.Random(seed)
book = openpyxl.load_workbook("template.xlsx")
sheet = book["labels"]
names = [c.value for c in sheet[1]]
lists = book["lists"]
choices = {}
for validation in sheet.data_validations.dataValidation:
    choices[names[openpyxl.utils.column_index_from_string(str(validation.sqref).split(":")[0].rstrip("0123456789")) - 1]] = \
        [c[0].value for c in lists[validation.formula1.split("!")[1]]]
sheet.insert_cols(1)  # an empty column moves all cells to the right; it gets a name
names = ["difficulty"] + names
sheet.cell(1, 1, "difficulty")
words = ["a", " ", "\u738b", "\U0001f600", "&", "<", ">", '"', "'", "\n", "_", "so", "1.0", "\u00e9", "=1+1"]
def text():
    return "".join(r.choice(words) for _ in range(r.randint(1, 8))).strip()
def extra():
    """A cell of some type, and the text that import makes of it."""
    kind = r.randrange(6)
    if kind == 0:
        n = r.choice([3, 3.0, -2, 0.1, 1e15, 2.5e-7, 123456789012])
        return n, str(int(n)) if n == int(n) else "%.15g" % n
    if kind == 1:
        day = datetime.date(1990, 1, 1) + datetime.timedelta(r.randrange(20000))
        return day, day.isoformat()
    if kind == 2:
        at = datetime.datetime(2001, 2, 3, 4, 5, 6) + datetime.timedelta(seconds=r.randrange(10**9))
        return at, at.strftime("%Y-%m-%dT%H:%M:%S.000Z") if (at.hour, at.minute, at.second) != (0, 0, 0) else at.date().isoformat()
    if kind == 3:
        return None, ""
    said = text()
    return said, said
rows = []
column = {name: i + 1 for i, name in enumerate(names)}
for line in range(2, sheet.max_row + 1):
    row = {name: str(sheet.cell(line, column[name]).value or "") for name in names}
    def put(name, value, said=None):
        cell = sheet.cell(line, column[name])
        cell.value = value
        if isinstance(value, str):
            cell.data_type = "s"
        row[name] = formulas.unguarded(value if said is None else said)
    if r.random() < .3:
        put("post_id", int(row["post_id"]), row["post_id"])
    if r.random() < .2:
        put("problem_id", float(row["problem_id"]), row["problem_id"])
    if r.random() < .8:
        yes = r.random() < .6
        said = r.choice(["yes", True, 1, "TRUE", "Yes"] if yes else ["no", False, 0, "false"])
        put("is_problem", said, "yes" if yes else "no")
        if yes:
            for name in ("symptom1", "root_cause", "introducing_stage", "exposing_stage"):
                if r.random() < .7:
                    put(name, r.choice(choices[name]))
            if row["symptom1"] and r.random() < .5:
                other = r.choice(choices["symptom2"])
                if other != row["symptom1"]:
                    put("symptom2", other)
        if r.random() < .5:
            put("reason", text())
    if r.random() < .5:
        put("note", text())
    value, said = extra()
    put("difficulty", value, said)
    rows.append(row)
book.save("filled.xlsx")
with open("filled.csv", "w", newline="", encoding="utf-8") as f:
    out = csv.DictWriter(f, names)
    out.writeheader()
    for row in rows:
        out.writerow({k: formulas.guarded(v) if v else v for k, v in row.items()})
PY

state() {
    sqlite3 "$1" 'SELECT coder, subject, facet, value, reason FROM decision ORDER BY 1, 2, 3, 4, 5' \
        'SELECT coder, subject, text FROM note ORDER BY 1, 2, 3'
}
take() { # FILE: into a database of its own, twice; the second time nothing is new
    cp empty.db "$1.db"
    ppmine -d "$1.db" label import "$1" --coder ann --extra-notes >out 2>err || {
        cat err
        fail "$1 was refused"
    }
    state "$1.db" >"$1.state"
    ppmine -d "$1.db" label import "$1" --coder ann --extra-notes 2>err
    grep -q 'decisions added: 0; codes taken back: 0;' err || fail "$1: not idempotent: $(cat err)"
    ! grep -q 'notes added' err || fail "$1: notes a second time"
    state "$1.db" | cmp - "$1.state"
}
for seed in 1 2 3 4 5; do
    $python fill.py $seed "$ROOT/tests/lib"
    take filled.csv
    take filled.xlsx
    [ "$(wc -l <filled.csv.state)" -gt 100 ] || fail "little was decided"
    diff filled.csv.state filled.xlsx.state || fail "seed $seed: the workbook says something else than CSV"
    if command -v soffice >/dev/null; then
        mkdir -p saved
        soffice -env:UserInstallation="file://$PWD/profile" --headless --convert-to xlsx:'Calc MS Excel 2007 XML' \
            --outdir saved filled.xlsx >soffice.log 2>&1 || fail "soffice: $(cat soffice.log)"
        mv saved/filled.xlsx saved.xlsx
        take saved.xlsx
        diff filled.csv.state saved.xlsx.state || fail "seed $seed: LibreOffice's says something else than CSV"
        rm -f saved.xlsx.db
    fi
    rm -f filled.csv.db filled.xlsx.db
done

# What strangers make of a workbook: an exit code, and a word of it. The case import-workbooks has what is small.
cat >hostile.py <<'PY'
import random, re, zipfile
with zipfile.ZipFile("template.xlsx") as z:
    parts = {n: z.read(n) for n in z.namelist()}
sheet = "xl/worksheets/sheet1.xml"
def write(name, change, method=zipfile.ZIP_DEFLATED):
    new = dict(parts)
    new.update(change)
    with zipfile.ZipFile(name + ".bad.xlsx", "w", method) as z:
        for n, data in new.items():
            if data is not None:
                z.writestr(n, data)
def rows(xml):
    return re.sub(rb"<sheetData>.*</sheetData>", lambda m: b"<sheetData>" + xml + b"</sheetData>", parts[sheet], flags=re.S)
def inline(place, text):
    return b'<c r="%s" t="inlineStr"><is><t>%s</t></is></c>' % (place, text)
head = b'<row r="1">' + inline(b"A1", b"post_id") + inline(b"B1", b"is_problem") + b"</row>"
write("bomb", {sheet: rows((b"<!--" + b" " * 9993 + b"-->") * 30720)})
write("strings", {"xl/sharedStrings.xml": b"<sst>" + (b"<si><t>" + b"a" * 9985 + b"</t></si>") * 30720 + b"</sst>"})
laughs = b'<!DOCTYPE x [<!ENTITY a "ha">' + b"".join(b'<!ENTITY %c "%s">' % (98 + i, b"&%c;" % (97 + i) * 10) for i in range(12)) + b"]>"
write("laughs", {sheet: laughs + rows(head + b'<row r="2"><c r="A2" t="str"><v>&m;</v></c></row>')[rows(b"").index(b"<worksheet"):]})
write("file", {sheet: b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + rows(head + b'<row r="2"><c r="A2" t="str"><v>&a;</v></c></row>')[rows(b"").index(b"<worksheet"):]})
write("wide", {sheet: rows(b"".join(b'<row r="%d"><c r="ALJ%d"><v>1</v></c></row>' % (i, i) for i in range(1, 40000)))})
whole = open("template.xlsx", "rb").read()
r = random.Random(7)
for i in range(40):
    open("cut%d.bad.xlsx" % i, "wb").write(whole[:r.randrange(4, len(whole))])
    b = bytearray(whole)
    for _ in range(r.randint(1, 20)):
        b[r.randrange(4, len(b))] = r.randrange(256)
    open("flip%d.any.xlsx" % i, "wb").write(bytes(b))
PY
$python hostile.py
for file in *.bad.xlsx *.any.xlsx; do
    rc=0
    (ulimit -v 4000000; timeout 60 ppmine -d empty.db label import "$file" --coder eve) >out 2>err || rc=$?
    case $file-$rc in
    *.bad.xlsx-3 | *.any.xlsx-[03]) ;;
    *) fail "$file: exit code $rc: $(head -c 500 err)" ;;
    esac
    case $file in
    *.bad.xlsx) [ "$(wc -l <err)" -eq 1 ] || fail "$file: $(head -c 500 err)" ;;
    esac
    ! grep -q root: err out || fail "$file: reads other files"
done
[ "$(sqlite3 empty.db 'SELECT count(*) FROM decision')" -eq 0 ] || fail 'something was decided'

# Of several sheets the one that is called labels, and a word of it; else the first that is visible.
cat >several.py <<'PY'
import openpyxl
for name, order in (("first", ["notes", "labels"]), ("other", ["mine", "notes"])):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title in order:
        sheet = book.create_sheet(title)
        if title in ("labels", "mine"):
            sheet.append(["post_id", "is_problem"])
            sheet.append([7, "=1=1"])  # a formula that no program has computed yet
        else:
            sheet.append(["x"])
    book.save(name + ".xlsx")
PY
$python several.py
# A character that XML cannot have is written by its number; so is an underscore before such a text.
$python - <<'PY'
import openpyxl
book = openpyxl.Workbook()
book.active.append(["post_id", "is_problem", "note"])
book.active.append([8, "yes", "a_x0041_b_x005F_x0041_c"])
book.save("escaped.xlsx")
PY
cp empty.db escaped.db
ppmine -q -d escaped.db label import escaped.xlsx --coder ann
[ "$(sqlite3 escaped.db 'SELECT text FROM note')" = aAb_x0041_c ] || fail 'escapes'
for name in first other; do
    rc=0
    ppmine -d empty.db label import $name.xlsx --coder ann 2>err || rc=$?
    [ $rc -eq 3 ] && grep -q "$name.xlsx:2: is_problem: '=1=1': expected yes or no" err || fail "$name: $(cat err)"
done
if command -v soffice >/dev/null; then # which computes it
    soffice -env:UserInstallation="file://$PWD/profile" --headless --convert-to xlsx:'Calc MS Excel 2007 XML' \
        --outdir saved first.xlsx >soffice.log 2>&1
    ppmine -d empty.db label import saved/first.xlsx --coder ann 2>err || fail "computed: $(cat err)"
    grep -q "several sheets; read: 'labels'" err || fail "$(cat err)"
    [ "$(sqlite3 empty.db 'SELECT subject, value FROM decision')" = '7|true' ] || fail 'the formula was not yes'
else
    echo 'no soffice: what LibreOffice saves was not tried'
fi
