#!/bin/bash
# What label export writes goes back in and comes out the same, byte for byte, whatever the words of
# the codebook, the coders and the titles are; Python's csv module and openpyxl read the same in it
# as SQLite; and nothing that strangers write becomes a formula.
set -eu

python=/usr/bin/python3
$python -c 'import openpyxl' 2>/dev/null || {
    echo 'no python3-openpyxl'
    exit 77
}
export PYTHONDONTWRITEBYTECODE=1

cat >make.py <<'PY'
"""A study with a nasty codebook, a dump with nasty titles, and a database full of decisions."""
import csv, json, os, random, sqlite3, sys, unicodedata
from xml.sax.saxutils import quoteattr

seed = int(sys.argv[1])
r = random.Random(seed)
os.mkdir("study")
open("study/study.ini", "w").write("name = nasty\ntags = a\n")
open("study/keywords.txt", "w").write("slow\n")
pieces = ["a", "Zz", " ", "  ", ",", ";", '"', "'", "=1+1", "+", "-", "@x", "|", "\u00e9", "e\u0301", "\u20ac",
          "\u738b", "\U0001f600", "\u202e", "\u00a0", "1", "0.5", "TRUE", "yes", "#", "%s", "\\", "{}", "_"]

def words(extra=()):
    return "".join(r.choice(pieces + list(extra)) for _ in range(r.randint(1, 6)))

codes = {}
with open("study/codebook.csv", "w", newline="", encoding="utf-8") as f:
    out = csv.writer(f)
    out.writerow(["facet", "category", "code", "short_name", "definition", "aliases"])
    for facet in ("symptom", "root cause", "stage"):
        folded, codes[facet] = set(), []
        while len(codes[facet]) < 9:
            # The same but for blanks around and case of ASCII letters would be the same code.
            name = words(["\n", "\t"]).strip(" \t\r\n\f\v")
            key = " ".join(name.split(" ")).replace("\t", " ").replace("\n", " ")
            key = " ".join(key.split()).lower()
            if not key or key in folded or ";" in name:
                continue
            folded.add(key)
            codes[facet].append(name)
            out.writerow([facet, "", name, "", "", ""])

titles = {}
with open("Posts.xml", "w", encoding="utf-8") as f:
    f.write("<posts>\n")
    for post in r.sample(range(1, 2**31), 60):
        titles[post] = words(["\n", "\t", "=cmd|' /C calc'!A0", "slow"])
        f.write('<row Id="%d" PostTypeId="1" CreationDate="2020-01-01T00:00:00.000" Title=%s Tags="&lt;a&gt;"'
                ' Body="&lt;p&gt;so slow&lt;/p&gt;" />\n'
                % (post, quoteattr(titles[post], {"\n": "&#10;", "\t": "&#9;"})))
    f.write("</posts>\n")

coders = []
while len(coders) < 3:
    name = unicodedata.normalize("NFC", words()).replace("\u202e", "")
    if name and name == name.strip() and name[0] not in "=+-@" and name not in coders:
        coders.append(name)

facets = {"symptom": "symptom", "root cause": "root cause", "introducing stage": "stage",
          "exposing stage": "stage"}
json.dump({"codes": codes, "coders": coders, "facets": facets, "seed": seed}, open("plan.json", "w"))
PY

# Files of a coder, who changes her mind and takes back; in no order of time.
cat >decide.py <<'PY'
import csv, json, os, random, sys
sys.path.insert(0, os.environ["ROOT"] + "/tests/lib")
import formulas
plan, coder = json.load(open("plan.json")), int(sys.argv[1])
r = random.Random(plan["seed"] * 10 + coder)
all_posts = [int(line) for line in open("posts")]
posts = r.sample(all_posts, 40) + r.sample(range(1, 2**31), 10)
def typed(code):
    """With an apostrophe before a formula, as the program writes it, or without, as people do."""
    return formulas.guarded(code) if "'" in code or r.random() < .5 else code
code = {f: lambda f=f: typed(r.choice(plan["codes"][f] + [""])) for f in plan["codes"]}
remarks = sum(plan["codes"].values(), []) + ["two\nlines", "=2+2\n=3+3", "it's \"slow\", it says"]
for n in range(8):
    with open("said.%d.csv" % n, "w", newline="", encoding="utf-8") as f:
        out = csv.writer(f, delimiter=r.choice(",;\t"))
        out.writerow(["problem_id", "is_problem", "symptom1", "symptom2", "root_cause",
                      "introducing_stage", "exposing_stage", "reason", "note", "decided_at"])
        judgements, seen = {}, set()
        for post in r.sample(posts, 30):
            for suffix in r.sample(["", "_1", "_2", "_10"], r.randint(1, 3)):
                judgement = judgements.setdefault(post, r.choice(["yes", "no", ""]))
                symptoms = [code["symptom"](), code["symptom"]()]
                if not symptoms[0] or formulas.unguarded(symptoms[0]) == formulas.unguarded(symptoms[1]):
                    symptoms[1] = ""
                time = "2024-%02d-%02dT%02d:%02d:%02d.%03dZ" % (r.randint(1, 12), r.randint(1, 28),
                    r.randint(0, 23), r.randint(0, 59), r.randint(0, 59), r.randint(0, 999))
                row = [str(post) + suffix, judgement, *symptoms, code["root cause"](), code["stage"](),
                       code["stage"]()]
                reason = typed(r.choice(remarks)) if any(row[1:]) and r.random() < .4 else ""
                note = typed(r.choice(remarks)) if r.random() < .2 else ""
                out.writerow(row + [reason, note, time])
        unsaid = r.choice(sorted(set(all_posts) - set(posts)))
        out.writerow(["%d_1" % unsaid] + [""] * 7 + ["later", ""])
PY

cat >oracle.py <<'PY'
"""label export against what the decisions say, worked out here."""
import csv, json, os, sqlite3, subprocess, sys
import openpyxl
sys.path.insert(0, os.environ["ROOT"] + "/tests/lib")
import formulas

plan = json.load(open("plan.json"))
columns = ["problem_id", "post_id", "is_problem", "symptom1", "symptom2", "root_cause",
           "introducing_stage", "exposing_stage", "reason", "note", "decided_at"]
db = sqlite3.connect("one.db")
newest, given, notes = {}, {}, {}
for place, (coder, subject, post, facet, value, time, reason) in enumerate(db.execute(
        "SELECT coder, subject, post_id, facet, value, decided_at, reason FROM decision"
        " ORDER BY decided_at, decision_id")):
    newest[coder, subject, facet] = (post, json.loads(value), time)
    given[coder, subject, facet] = (place, reason or "")
noes = {}  # the last one of a coder about a post withdraws older codes
for coder, post, time in db.execute("SELECT coder, post_id, decided_at FROM decision WHERE value = 'false'"):
    noes[coder, post] = max(time, noes.get((coder, post), ""))
for (coder, subject, facet), (post, _, time) in list(newest.items()):
    if facet != "identification" and time < noes.get((coder, post), ""):
        del newest[coder, subject, facet], given[coder, subject, facet]
for coder, subject, post, text in db.execute(
        "SELECT coder, subject, post_id, text FROM note ORDER BY written_at, note_id"):
    notes.setdefault((coder, post, subject), []).append(text)

def reason_of(coder, subject):
    return max((g for (c, s, _), g in given.items() if (c, s) == (coder, subject) and g[1]), default=(0, ""))[1]

def expected(coder):
    judged = {p: (v, t) for (c, _, f), (p, v, t) in newest.items() if c == coder and f == "identification"}
    rows, coded = {}, set()
    for (c, subject, facet), (post, value, time) in newest.items():
        if c == coder and facet != "identification" and value:
            row = rows.setdefault((post, len(subject), subject), {})
            row[facet] = value
            row["time"] = max(time, row.get("time", ""))
            coded.add(post)
    for post, (_, time) in judged.items():
        if post not in coded:
            rows[post, len(str(post)), str(post)] = {"time": time}
    for c, post, subject in notes:
        if c == coder:
            rows.setdefault((post, len(subject), subject), {"time": judged.get(post, ("", ""))[1]})
    for (post, _, subject), row in sorted(rows.items()):
        symptoms = row.get("symptom", []) + ["", ""]
        judgement = {True: "yes", False: "no", None: ""}[judged.get(post, (None,))[0]]
        yield [subject, str(post), judgement, symptoms[0], symptoms[1],
               *(row.get(f, [""])[0] for f in ("root cause", "introducing stage", "exposing stage")),
               reason_of(coder, subject) if len(row) > 1 or judgement and subject == str(post) else "",
               "\n".join(notes.get((coder, post, subject), [])), row["time"]]

titles = dict(db.execute("SELECT post_id, title FROM post"))
for n, coder in enumerate(plan["coders"]):
    want = list(expected(coder))
    assert len(want) > 40, len(want)
    said = {int(row[1]) for row in want if any(row[2:8])}
    assert len(said) < len({row[1] for row in want}), "no post that has but a note"
    assert sum(row[8] != "" for row in want) > 10 and sum("\n" in row[9] for row in want) > 3
    got = list(csv.reader(open("%d.csv" % n, encoding="utf-8", newline="")))
    assert got[0] == columns
    cells = [[formulas.guarded(text) for text in row] for row in want]
    if got[1:] != cells:
        sys.exit("CSV: %s" % [(g, w) for g, w in zip(got[1:], cells) if g != w][:2])
    objects = [json.loads(line) for line in open("%d.ndjson" % n, encoding="utf-8")]
    assert [[str(o[c]) if o[c] is not None else "" for c in columns] for o in objects] == want
    # The template: these rows and the candidates that are not in them, as texts in both forms.
    rows = {row[0]: row for row in cells}
    template = list(csv.DictReader(open("%d.template.csv" % n, encoding="utf-8", newline="")))
    candidates = {p for p, in db.execute("SELECT post_id FROM candidate_post")}
    assert len(template) == len(set(rows) | {str(post) for post in candidates - said}) > len(want)
    sheet = openpyxl.load_workbook("%d.xlsx" % n)["labels"]
    cells = list(sheet.iter_rows())
    assert [c.value for c in cells[0]] == columns + ["url", "title"]
    assert len(cells) == len(template) + 1
    n_formulas = 0
    for row, line in zip(template, cells[1:]):
        assert [row[c] for c in columns] == rows.get(row["problem_id"], [row["problem_id"], row["post_id"]] + [""] * 9)
        title = titles.get(int(row["post_id"])) or ""
        n_formulas += formulas.is_formula(title)
        assert row["title"] == formulas.guarded(title), (row, title)
        assert [str(c.value) if c.value is not None else "" for c in line] == \
            [formulas.in_workbook(formulas.unguarded(row[c])) for c in columns + ["url", "title"]], row
        assert all(c.data_type in "sn" for c in line) and line[0].data_type == "s", row
    assert n_formulas > 0
    # --raw: the texts as they are, and still no cell that a spreadsheet would run.
    raw = list(openpyxl.load_workbook("%d.raw.xlsx" % n)["labels"].iter_rows())
    assert len(raw) == len(cells)
    for line, guarded in zip(raw[1:], cells[1:]):
        assert all(c.data_type in "sn" for c in line), [c.value for c in line]
        assert [formulas.in_workbook(str(c.value)) if c.value is not None else "" for c in line] == \
            [str(c.value) if c.value is not None else "" for c in guarded], line
    lists = openpyxl.load_workbook("%d.xlsx" % n)["lists"]
    for validation in sheet.data_validations.dataValidation:
        column = str(validation.sqref)[0]
        choices = [c[0].value for c in lists[validation.formula1.split("!")[1]]]
        name = columns["ABCDEFGHI".index(column)]
        facet = {"is_problem": None, "symptom1": "symptom", "symptom2": "symptom", "root_cause": "root cause",
                 "introducing_stage": "stage", "exposing_stage": "stage"}[name]
        codes = [formulas.in_workbook(code) for code in plan["codes"][facet]] if facet else []
        assert choices == (codes or ["yes", "no"]), (name, choices)
PY

coder() { $python -c "import json; print(json.load(open('plan.json'))['coders'][$1], end='')"; }

for seed in 1 2 3 4; do
    mkdir "$seed"
    cd "$seed"
    $python ../make.py "$seed"
    for db in one two; do
        ppmine -q -d $db.db init --study study
        ppmine -q -d $db.db load Posts.xml
        ppmine -q -d $db.db match >matched
    done
    sqlite3 one.db 'SELECT post_id FROM post' >posts
    for n in 0 1 2; do
        $python ../decide.py $n
        for said in said.*.csv; do
            ppmine -q -d one.db label import "$said" --coder "$(coder $n)" --keep-times
        done
    done
    for n in 0 1 2; do
        name=$(coder $n)
        ppmine -d one.db label export --coder "$name" >$n.csv
        ppmine -d one.db label export --coder "$name" --format ndjson >$n.ndjson
        ppmine -d one.db label export --coder "$name" --template >$n.template.csv
        ppmine -d one.db label export --coder "$name" --template -o $n.xlsx
        ppmine -d one.db label export --coder "$name" --template --raw -o $n.raw.xlsx
        # Into the other database and out again; the template goes in as well.
        ppmine -q -d two.db label import $n.csv --coder "$name" --keep-times
        ppmine -d two.db label export --coder "$name" | cmp - $n.csv
        decisions=$(sqlite3 two.db 'SELECT (SELECT count(*) FROM decision), (SELECT count(*) FROM note)')
        ppmine -q -d two.db label import $n.template.csv --coder "$name"
        ppmine -q -d two.db label import - --coder "$name" --keep-times <$n.csv
        [ "$decisions" = "$(sqlite3 two.db 'SELECT (SELECT count(*) FROM decision), (SELECT count(*) FROM note)')" ]
        ppmine -d two.db label export --coder "$name" --template | cmp - $n.template.csv
    done
    $python ../oracle.py
    cd ..
done
