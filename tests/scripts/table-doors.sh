#!/bin/bash
# Tables that people made come in through each door in each form that spreadsheets write, and as the same.
set -eu
export ROOT PPMINE
python3 - <<'EOF'
import csv, glob, io, json, os, shutil, subprocess, sys, zipfile
from xml.sax.saxutils import escape

PPMINE, ROOT = os.environ["PPMINE"], os.environ["ROOT"]
OFFICE = "http://schemas.openxmlformats.org/"
RELATION = '<Relationships xmlns="%spackage/2006/relationships"><Relationship Id="r1" Type="%sofficeDocument/2006/relationships/%s" Target="%s"/></Relationships>'
MAIN = '"%sspreadsheetml/2006/main"' % OFFICE

# Each form: ending, delimiter, encoding, decimal mark. xlsx has no encoding; cells have no places in it.
FORMS = {"csv": (".csv", ",", "utf-8", "."), "bom": (".csv", ",", "utf-8-sig", "."), "tsv": (".tsv", "\t", "utf-8", "."),
         "semicolons": (".csv", ";", "utf-8", ","), "utf-16": (".csv", ",", "utf-16", "."),
         "utf-16 tabs": (".txt", "\t", "utf-16", "."), "windows-1252": (".csv", ";", "windows-1252", ","),
         "xlsx": (".xlsx", None, None, ".")}


def complain(*words):
    sys.exit(" ".join(map(str, words)))


def cell(value):
    if isinstance(value, float):
        return f"<c><v>{value}</v></c>"
    return f'<c t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>'


def write(stem, form, rows):
    ending, delimiter, encoding, mark = FORMS[form]
    path = stem + ending
    if delimiter is None:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
            z.writestr("_rels/.rels", RELATION % (OFFICE, OFFICE, "officeDocument", "xl/workbook.xml"))
            z.writestr("xl/_rels/workbook.xml.rels", RELATION % (OFFICE, OFFICE, "worksheet", "sheet.xml"))
            z.writestr("xl/workbook.xml", f'<workbook xmlns={MAIN} xmlns:r="{OFFICE}officeDocument/2006/relationships">'
                       '<sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>')
            z.writestr("xl/sheet.xml", f"<worksheet xmlns={MAIN}><sheetData>" + "".join(
                "<row>" + "".join(map(cell, row)) + "</row>" for row in rows) + "</sheetData></worksheet>")
        return path
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\r\n").writerows(
        [[str(v).replace(".", mark) if isinstance(v, float) else v for v in row] for row in rows])
    with open(path, "wb") as file:
        file.write(out.getvalue().encode(encoding))
    return path


def run(*argv, form=None):
    """`form`: of a table for a command that does not ask for its encoding. What is not UTF-8 is refused, then: None."""
    done = subprocess.run([PPMINE, *argv], capture_output=True, text=True, check=False)
    if form == "windows-1252":
        if done.returncode != 3 or "not UTF-8" not in done.stderr and "invalid UTF-8" not in done.stderr:
            complain(argv, done.returncode, done.stderr)
        return None
    if done.returncode not in (0, 1):  # 1: no project was scanned
        complain(argv, done.returncode, done.stderr)
    return done.stdout


def encoding_of(form):
    return ["--encoding", "windows-1252"] if form == "windows-1252" else []


def fresh(stem, name):
    for end in ("", "-wal", "-shm"):
        if os.path.exists(name + end):
            os.remove(name + end)
    shutil.copy(stem, name)
    return name


# --- the doors: each gives what came in ---

def imported(form, mapped=False):
    names = ["Beitrag Nr.", "Grund"] if mapped else ["Post ID", "remark"]
    path = write("labels", form, [[names[0], "is_relevance", "minutes", names[1]], ["1", "yes", 2.5, "größer; \"ja\", 1"],
                                  ["2", "no", "", ""], ["3", "yes", 10.25, "été"]])
    db = fresh("coded.db", "x.db")
    run("-q", "-d", db, "label", "import", path, "--coder", "ann", *encoding_of(form),
        *(["--map", "Beitrag Nr.=post_id", "--map", "Grund=remark"] if mapped else []))
    return sorted((r["post_id"], r["facet"], r["value"]) for r in csv.DictReader(io.StringIO(
        run("-d", db, "export", "--table", "decisions", "--format", "csv"))))


def agreed(form):
    path = write("ratings", form, [["post", "ann", "zoë"], ["1", "größer", "größer"], ["2", "x", "größer"], ["3", 2.5, 2.5],
                                   ["4", "", "x"], ["5", "x", "x"]])
    table = json.loads(run("agree", "--csv", path, "--columns", "ann,zoë", "--format", "json", *encoding_of(form)))
    return [{**t, "rows": [{k: v for k, v in row.items() if k != "source"} for row in t["rows"]]} for t in table]


def derived(form):
    path = write("sample", form, [["post_id", "is_problem", "remark"]] +
                 [[str(n), "yes" if n % 10 == 0 else "no", "größer"] for n in range(121, 300)])
    out = run("-d", "posts.db", "keywords", "derive", "--problems", "yes.txt", "--outside", path, "--recall",
              "--format", "json", *encoding_of(form))
    return json.loads(out)[0]["rows"] if out else None


def studied(form):
    """All tables of a study, with its campaign and its claims."""
    shutil.rmtree("study", ignore_errors=True)
    shutil.copytree(f"{ROOT}/studies/dlperf", "study")
    for path in glob.glob("study/*.csv"):
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        os.remove(path)
        os.rename(write("table", form, rows), path[:-4] + FORMS[form][0].replace(".txt", ".csv"))
    if os.path.exists("s.db"):
        os.remove("s.db")
    with open("study/disambiguation.csv" if form == "windows-1252" else "unread.txt", "ab") as file:
        file.write(b"\xf6\n")  # a study is published, and is UTF-8
    if run("-q", "-d", "s.db", "init", "--study", "study", "--published", form=form) is None:
        return None
    return [run("-d", "s.db", *words, "--format", "csv") for words in (
        ("stats",), ("codebook", "list"), ("agree", "--all"), ("campaign", "report"), ("verify",))]


def verified(form):
    path = write("claims", form, [["where", "statistic", "arguments", "value", "tolerance"],
                                  ["größer", "problems", "", "224", ""], ["RQ1", "posts", "", "210", ""],
                                  ["kappa", "agreement", "symptom", 0.906, 0.001]])
    out = run("-d", "published.db", "verify", path, "--format", "csv", *encoding_of(form))
    return out and out.replace('"0,906"', "0.906")  # it is shown as it was written


with open("posts.ndjson", "w", encoding="utf-8") as out:
    for n in range(1, 301):
        words = "it is slower" if n <= 120 else "the loop crawls"
        out.write(json.dumps({"post_id": n, "title": f"question {n}", "body_html": f"<p>{words}</p>", "tags": ["keras"],
                              "created_at": "2020-01-01T00:00:00Z"}) + "\n")
with open("yes.txt", "w", encoding="utf-8") as out:
    out.writelines(f"{n}\n" for n in range(3, 121, 3))
os.mkdir("minutes")
for name, text in (("study.ini", "name = w\ntitle = W\ntags = keras*\n"), ("keywords.txt", "slower\n"), (
        "facets.csv", "facet,about,kind,most,required,asks,agreement,min\nrelevance,post,yes/no,,,rel?,,\n"
        "minutes,problem,number,,no,minutes,,\nremark,problem,text,,no,remark,,\n")):
    with open(f"minutes/{name}", "w", encoding="utf-8") as out:
        out.write(text)
run("-q", "-d", "coded.db", "init", "--study", "minutes")
run("-q", "-d", "coded.db", "load", "posts.ndjson")
run("-q", "-d", "posts.db", "init")
run("-q", "-d", "posts.db", "load", "posts.ndjson")
with open("slower.txt", "w", encoding="utf-8") as out:
    out.write("slower\n")
run("-q", "-d", "posts.db", "match", "--keywords", "slower.txt", "--replace")
run("-q", "-d", "published.db", "init", "--published")

DOORS = (imported, lambda form: imported(form, True), agreed, derived, studied, verified)
for door, name in zip(DOORS, ("label import", "label import --map", "agree --csv", "derive --outside", "init --study", "verify")):
    want = door("csv")
    if not want:
        complain(name, "took nothing")
    for form in FORMS:
        got = door(form)
        if got is not None and got != want:
            complain(name, form, "gave", got, "and CSV", want)
print("six doors, eight forms")

# Of merged cells all but one are empty, which is said.
path = write("merged", "xlsx", [["post_id", "is_relevance", "minutes"], ["1", "yes", 2.5], ["2", "yes", ""]])
with zipfile.ZipFile(path) as z:
    parts = {name: z.read(name) for name in z.namelist()}
with zipfile.ZipFile(path, "w") as z:
    for part, content in parts.items():
        z.writestr(part, content.replace(b"</sheetData>", b'</sheetData><mergeCells><mergeCell ref="C2:C3"/></mergeCells>'))
done = subprocess.run([PPMINE, "-d", fresh("coded.db", "x.db"), "label", "import", path, "--coder", "ann"],
                      capture_output=True, text=True, check=False)
if done.returncode != 0 or "merged.xlsx: the cells C2:C3 are merged" not in done.stderr:
    complain("merged cells:", done.returncode, done.stderr)

# Of two files of one name, an edited one would be passed over.
shutil.copy("study/facets.xlsx", "twice.xlsx")
shutil.copy(f"{ROOT}/studies/dlperf/facets.csv", "study/facets.csv")
done = subprocess.run([PPMINE, "-d", "t.db", "init", "--study", "study"], capture_output=True, text=True, check=False)
if done.returncode != 3 or "facets.csv and study/facets.xlsx: a study has one of them" not in done.stderr:
    complain("two files of one name:", done.returncode, done.stderr)
EOF
