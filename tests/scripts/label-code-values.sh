#!/bin/bash
# label code in a pseudo-terminal, with facets of numbers, yes/no and texts: a number of several digits is typed as a
# line, y and n answer what is yes/no, and each answer is undone by one key.
set -eu
. "$ROOT/tests/lib/dump.sh"
need sqlite3 python3
export PYTHONPATH=$ROOT/tests/lib PPMINE_DB=v.db
mkdir study
printf 'name = slow\ntags = python\n' >study/study.ini
printf 'slow\n' >study/keywords.txt
cat >study/facets.csv <<'END'
facet,about,kind,most,required,agreement
relevance,post,yes/no,,,
cause,problem,codes,,yes,
hours lost,problem,number,,no,
regression,problem,yes/no,,no,
quote,problem,text,,no,
END
printf 'facet,category,code,short_name,definition,aliases\ncause,,disk,,,\ncause,,cpu,,,\n' >study/codebook.csv
ppmine -q init --study study
cat >Posts.xml <<'XML'
<posts>
<row Id="1" PostTypeId="1" CreationDate="2020-01-01T00:00:00.000" Score="1" Title="Slow" Tags="&lt;python&gt;" Body="&lt;p&gt;slow&lt;/p&gt;" />
</posts>
XML
ppmine -q load Posts.xml
ppmine -q match >/dev/null
cat >keys.py <<'PYTHON'
import sqlite3
from keyboard import Keyboard

def current():
    connection = sqlite3.connect("v.db")
    try:
        return connection.execute("SELECT facet, code1 FROM coding WHERE coder = 'ann' ORDER BY facet").fetchall()
    finally:
        connection.close()

k = Keyboard(["ppmine", "label", "code", "--coder", "ann", "--no-pager"], rows=40)
def key(asked, text):
    k.wait_for(asked)
    k.wait_raw(True)
    k.type(text)
def line(asked, text):
    k.wait_for(asked)
    k.wait_raw(False)
    k.type(text + "\n")

key(r"relevance \(y, n, a code;", "2")
line(r"hours lost \(a number,", "12.5")
key(r"regression \(y, n,", "n")
line(r"quote \(a text,", "no wait; it # waits")
key(r"next post \(", "o")
line(r"quote \(a text,", "undo")
key(r"regression \(y, n,", "y")
line(r"quote \(a text,", "q")
assert k.end() == 0, k.status
assert current() == [("cause", "cpu"), ("hours lost", "12.5"), ("regression", "yes")], current()
PYTHON
timeout 60 python3 keys.py
