"""Small invented files in the shape of a study of the library: invented.py STUDY_FOLDER OUT [COUNT]

Writes into OUT the files that the study's mapping.ini reads, with random labels of its codebook, and prints how often each
facet was given each code by whom: the lines `facet TAB coder TAB code TAB n`.
"""
import collections
import csv
import json
import os
import random
import re
import sys
import zipfile
from xml.sax.saxutils import escape

STUDY, OUT = sys.argv[1:3]
COUNT = int(sys.argv[3]) if len(sys.argv) > 3 else 24
draw = random.Random(STUDY)


def read(name):
    with open(f"{STUDY}/{name}", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def sections():
    """(table, {key: value}) of mapping.ini"""
    found = []
    with open(f"{STUDY}/mapping.ini", encoding="utf-8") as file:
        for line in file:
            line = line.strip()
            if line.startswith("["):
                found.append((line[1:-1].replace("*", "some"), {}))
            elif "=" in line and not line.startswith("#"):
                key, value = line.split("=", 1)
                key = key.strip() if key.strip() != "text" else f"text {value.strip()}"  # several make one text
                found[-1][1][key] = value.strip()
    return found


def xlsx(path, sheets):
    def cells(rows):
        return "".join("<row>" + "".join(f'<c t="inlineStr"><is><t xml:space="preserve">{escape(c)}</t></is></c>' for c in row)
                       + "</row>" for row in rows)

    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    rel = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    with zipfile.ZipFile(path, "w") as z:
        z.writestr("[Content_Types].xml", f'<Types xmlns="{package}/content-types"><Default Extension="xml" ContentType='
                   '"application/xml"/></Types>')
        z.writestr("_rels/.rels", f'<Relationships xmlns="{package}/relationships"><Relationship Id="r" Type='
                   f'"{rel}/officeDocument" Target="xl/workbook.xml"/></Relationships>')
        z.writestr("xl/workbook.xml", f'<workbook xmlns="{main}" xmlns:r="{rel}"><sheets>' + "".join(
            f'<sheet name="{escape(name)}" sheetId="{i}" r:id="r{i}"/>' for i, name in enumerate(sheets, 1)) +
            "</sheets></workbook>")
        z.writestr("xl/_rels/workbook.xml.rels", f'<Relationships xmlns="{package}/relationships">' + "".join(
            f'<Relationship Id="r{i}" Type="{rel}/worksheet" Target="worksheets/s{i}.xml"/>'
            for i in range(1, len(sheets) + 1)) + "</Relationships>")
        for i, rows in enumerate(sheets.values(), 1):
            z.writestr(f"xl/worksheets/s{i}.xml", f'<worksheet xmlns="{main}"><sheetData>{cells(rows)}</sheetData></worksheet>')


def main():
    kinds = {row["facet"]: row["kind"] for row in read("facets.csv")}
    codes = collections.defaultdict(list)
    if os.path.exists(f"{STUDY}/codebook.csv"):
        for row in read("codebook.csv"):
            codes[row["facet"]].append(row["code"])
    books, given, number = collections.defaultdict(dict), collections.Counter(), 0
    start = 0
    for table, of in sections():
        labels = {column: re.fullmatch(r"code (.+?)(?: by (.+))?", key).groups()
                  for key, column in of.items() if key.startswith("code ")}
        raters = len({coder for _, coder in labels.values()} - {None})
        if not (raters == 1 and books): # files of two raters are about the same items
            start = number
        heads = list(labels)
        extra = re.search(r"\{(.+)\}", of.get("site", ""))
        texts = [value for key, value in of.items() if key in ("title", "author") or key.startswith("text ")]
        heads = [h for h in (of.get("link"), of.get("date"), of.get("tags"), extra and extra[1]) if h] + texts + heads
        rows = [heads]
        for i in range(COUNT):
            item = number = start + i + 1
            row = []
            for head in heads:
                if head in labels:
                    facet, coder = labels[head]
                    value = draw.choice(["yes", "no"] if kinds[facet] == "yes/no" else codes[facet])
                    given[facet, coder or "merged", value] += 1
                    row.append(value)
                elif head == of.get("link"):
                    row.append(str(item) if "site" in of else f"https://github.com/invented/project/issues/{item}")
                elif head in texts:
                    row.append(f"{head} {item}: the training is slow")
                else:
                    row.append("2020-01-02" if head == of.get("date") else "invented")
            rows.append(row)
        book, _, sheet = table.partition("#")
        books[book][sheet] = rows
    for name, sheets in books.items():
        path = f"{OUT}/{name}"
        if name.endswith(".xlsx"):
            xlsx(path, sheets)
        elif name.endswith(".json"):
            with open(path, "w", encoding="utf-8") as file:
                json.dump([dict(zip(sheets[""][0], row)) for row in sheets[""][1:]], file)
        else:
            with open(path, "w", newline="", encoding="utf-8") as file:
                csv.writer(file).writerows(sheets[""])
    for (facet, coder, code), n in sorted(given.items()):
        print(facet, coder, code, n, sep="\t")


main()
