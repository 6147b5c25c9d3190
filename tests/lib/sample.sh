# shellcheck shell=bash
# Databases for tests, read with `.`.

# sample_databases FILE…: the built-in study with the posts of its sample, matched
sample_databases() {
    local file
    for file; do
        ppmine -q -d "$file" init
        ppmine -q -d "$file" load "$ROOT/studies/dlperf/sample/Posts.xml"
        ppmine -q -d "$file" match >/dev/null
    done
}

# labelled_database TEXTS: ppmine.db with the texts of a CSV of tests/lib/labelled_texts.py as posts
labelled_database() {
    python3 - "$1" >Posts.xml <<'PYTHON'
import csv, html, sys
print("<posts>")
for row in csv.DictReader(open(sys.argv[1])):
    body = html.escape(f"<p>{row['body']}</p>")
    print(f'<row Id="{row["id"]}" PostTypeId="1" CreationDate="2018-05-01T00:00:00.000"'
          f' Body="{body}" Title="{row["title"]}" Tags="&lt;tensorflow&gt;" />')
print("</posts>")
PYTHON
    ppmine -q init
    ppmine -q load Posts.xml
}
