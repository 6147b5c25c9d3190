#!/bin/bash
# Each study of the library reads small invented files in the shape of its own: every label and every text arrives, every
# claim can be computed and is what a second program computes; and docs/library.md has each study with the number of its
# claims.
set -eu

n=0
tail -n +2 "$ROOT/studies/library.csv" | cut -d, -f1 >names
while read -r name; do
    folder=$ROOT/studies/$name
    mkdir "$name"
    python3 "$ROOT/tests/lib/invented.py" "$folder" "$name" >"$name.given"
    ppmine -q -d "$name.db" init --library "$name" "$name"/*
    sqlite3 -separator $'\t' "$name.db" "SELECT l.facet, iif(k.is_merged, 'merged', l.coder), c.name, count(*) FROM label AS l
        JOIN coder AS k USING (coder) JOIN code AS c USING (code_id) GROUP BY 1, 2, 3" | LC_ALL=C sort >"$name.read"
    LC_ALL=C sort "$name.given" | diff - "$name.read" || { echo "$name: labels are lost or others"; exit 1; }
    if grep -qE '^(title|text) = ' "$folder/mapping.ini"; then
        posts=$(sqlite3 "$name.db" "SELECT count(*) FROM post 
            WHERE coalesce(title, '') || coalesce(body_html, '') LIKE '%training is slow%'")
        [ "$posts" = "$(sqlite3 "$name.db" 'SELECT count(DISTINCT post_id) FROM label')" ] ||
            { echo "$name: $posts posts of the items"; exit 1; }
    fi
    ppmine -q -d "$name.db" verify --format json >"$name.json" || [ $? = 1 ]
    if grep '"cannot be computed"' "$name.json"; then exit 1; fi
    python3 "$ROOT/tests/lib/claims.py" compare "$name.json" "$name.db" >said || { cat said; exit 1; }
    claims=$(tail -n +2 "$folder/claims.csv" | wc -l)
    of_rows=$(grep -cE '^"?((rows|ids|class) of |second program)' "$folder/claims.csv" || :)
    grep -q "^| \[$name\](../studies/$name/README.md) | .* | $claims | $of_rows | [0-9]* reproduced" "$ROOT/docs/library.md" ||
        { echo "docs/library.md: no row of $name with its $claims claims, $of_rows counts of rows"; exit 1; }
    grep -q "$(grep "^$name," "$ROOT/studies/library.csv" | cut -d, -f3)" "$folder/README.md"
    n=$((n + 1))
done <names
[ "$n" -ge 10 ] && [ "$(grep -c '^| \[' "$ROOT/docs/library.md")" = $((n + 1)) ]
# A README says of its study what the list of them says.
python3 - "$ROOT/studies" <<'PYTHON'
import csv
import sys

with open(f"{sys.argv[1]}/library.csv", newline="", encoding="utf-8") as file:
    for row in csv.DictReader(file):
        with open(f"{sys.argv[1]}/{row['study']}/README.md", encoding="utf-8") as page:
            text = page.read()
        for name in ("repository", "licence", "raters"):
            if f"| {name} | {row[name]} |" not in text:
                sys.exit(f"{row['study']}/README.md: no line of the {name}: {row[name]}")
PYTHON
