#!/bin/bash
# A comment that is longer than any row is passed over, wherever it is; one that does not end is named.
set -eu
. "$ROOT/tests/lib/dump.sh"

python3 - <<'END'
big = "c" * (17 << 20)


def row(number):
    return (f'  <row Id="{number}" PostTypeId="1" CreationDate="2019-01-01T00:00:00.000" Title="slow {number}"'
            ' Body="&lt;p&gt;slow&lt;/p&gt;" Tags="&lt;keras&gt;" />\n')


head = '<?xml version="1.0" encoding="utf-8"?>\n'
files = {
    "before-root": f"{head}<!--{big}-->\n<posts>\n{row(1)}{row(2)}</posts>\n",
    "before-rows": f"{head}<posts>\n<!--{big}-->\n{row(1)}{row(2)}</posts>\n",
    "between": f"{head}<posts>\n{row(1)}<!--{big}-->\n{row(2)}</posts>\n",
    "dashes": f"{head}<posts>\n{row(1)}<!--{'-' * len(big)}-->\n{row(2)}</posts>\n",
    "with-a-row": f"{head}<posts>\n{row(1)}<!--{big}{row(7)}{big}-->\n{row(2)}</posts>\n",
    "instruction": f"{head}<posts>\n{row(1)}<?x {big}?>\n{row(2)}</posts>\n",
    "after-rows": f"{head}<posts>\n{row(1)}{row(2)}<!--{big}-->\n</posts>\n",
    "open": f"{head}<posts>\n{row(1)}{row(2)}<!--{big}\n</posts>\n",
}
for name, text in files.items():
    with open(f"{name}.xml", "w", encoding="utf-8") as file:
        file.write(text)
END
for file in *.xml; do
    rm -f x.db
    ppmine -q -d x.db init
    rc=0
    ppmine -d x.db load --all-tags "$file" 2>err || rc=$?
    ids=$(sqlite3 x.db "SELECT group_concat(post_id) FROM (SELECT post_id FROM post ORDER BY post_id)")
    wanted=0
    [ "$file" != open.xml ] || wanted=3
    [ "$rc $ids" = "$wanted 1,2" ] || fail "$file: exit code $rc, posts $ids: $(cat err)"
    [ "$rc" -eq 0 ] || grep -q 'ends inside a comment or other markup: the file is truncated' err ||
        fail "$file: $(cat err)"
done
