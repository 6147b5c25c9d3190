#!/bin/bash
# label code in a pseudo-terminal: keys, the pager, marks, a kill after each answer; what is stored is what
# `label set` stores; nothing of other coders is shown.
set -eu
. "$ROOT/tests/lib/dump.sh"
need sqlite3 python3
export PYTHONPATH=$ROOT/tests/lib PPMINE_DB=s.db
ppmine -q init
ppmine -q load "$ROOT/studies/dlperf/sample/Posts.xml"
ppmine -q match >/dev/null
ppmine -q sample --n 15 --seed 3 --format csv >sample.csv
first=$(sed -n 2p sample.csv | cut -d, -f1)
ppmine -q label set "$first" --coder bob --symptom 'program hang' --note secretofbob --reason reasonofbob
cat >pager <<'SH'
#!/bin/sh
cat >>paged
printf 'PAGED'
read -r key </dev/tty
SH
chmod +x pager
cp s.db empty.db

cat >keys.py <<'PYTHON'
import re, signal, sqlite3, subprocess, sys
from keyboard import Keyboard

first = sys.argv[1]

def start(**more):
    return Keyboard(["ppmine", "label", "code", "--coder", "ann", "--posts", "sample.csv"],
                    rows=12, PAGER="./pager", **more)

def rows(query, *values):
    connection = sqlite3.connect("s.db")
    try:
        return connection.execute(query, values).fetchall()
    finally:
        connection.close()

def current():
    return rows("SELECT facet, value FROM decision AS d WHERE coder = 'ann' AND undoes IS NULL AND NOT EXISTS"
                " (SELECT 1 FROM decision AS u WHERE u.undoes = d.decision_id) ORDER BY decided_at, facet")

# A post with codes of all four facets, from its page in the pager to the next post.
k = start()
k.wait_for("PAGED")
k.type("\n")
shown = k.wait_for(r"\[1 of 15\] " + first + r".*\r\nproblem \(y, n, a code; \? help, q quit\)\? ")
for key, asked in [("1", "symptom"), ("\n", "root cause"), ("w", "introducing stage"),
                   ("5", "exposing stage"), ("5", "next post"), ("\n", None)]:
    k.wait_raw(True)
    k.type(key)
    if asked:
        k.wait_for(r"\r\n" + asked + r" \(")
k.wait_for("PAGED|2 of 15")
n_keys = k.n_keys
assert n_keys <= 10, n_keys
print(f"{n_keys} keys for a post with codes of four facets")
assert current() == [("identification", "true"), ("symptom", '["slow execution time"]'),
                     ("root cause", '["improper hyper parameter"]'), ("introducing stage", '["training"]'),
                     ("exposing stage", '["training"]')], current()
k.kill()
text = open("paged").read()
assert "[1 of 15]" in text and "\033[7m" in text and "\033[27m" in text, text
for secret in ["secretofbob", "reasonofbob", "bob", "program hang"]:
    assert secret not in re.sub(r"fit_generator hangs.*", "", text + shown).replace("4 program hang", ""), secret

# Ctrl-C at a question: the terminal is as before, the answers are there.
k = start()
k.wait_for("PAGED"); k.type("\n")
k.wait_for(r"problem \("); k.wait_raw(True)
k.type("y")
k.wait_for(r"symptom \("); k.wait_raw(True)
k.type("\x03")
assert k.end() == -signal.SIGINT, k.status
assert not k.is_raw(), "the terminal stays raw"
assert len(current()) == 6, current()

# Two symptoms by key, one taken away again; a name after '/'; a note; undo; Escape ends.
k = start()
k.wait_for("PAGED"); k.type("\n")
for key, shown in [("4", "program hang"), ("6", "program hang and memory leak"), ("j", "first post"),
                   ("o", "undone: .*memory leak"), ("5", "program hang and out of memory")]:
    k.wait_raw(True); k.type(key); k.wait_for(shown)
k.wait_for(r"root cause \("); k.wait_raw(True)
k.type("/"); k.wait_for("code: "); k.type("improper hyper\n"); k.wait_for("root cause improper hyper parameter")
k.wait_for(r"introducing stage \("); k.wait_raw(True)
k.type("m"); k.wait_for("note: "); k.type("look again\n"); k.wait_for("noted")
k.wait_for(r"introducing stage \("); k.wait_raw(True); k.type("\033[A") # an arrow is no Escape
k.wait_for(r"introducing stage \("); k.wait_raw(True); k.type("\033")
assert k.end() == 0, k.status
assert rows("SELECT text FROM note WHERE coder = 'ann'") == [("look again",)]
assert current()[-2:] == [("symptom", '["program hang","out of memory"]'),
                          ("root cause", '["improper hyper parameter"]')], current()

# Keys that are pressed ahead, or pasted, answer nothing about a post that was not shown yet.
k = Keyboard(["ppmine", "label", "code", "--coder", "hasty", "--posts", "sample.csv", "--no-pager"])
k.wait_for(r"problem \("); k.wait_raw(True); k.type("nnnnn")
k.wait_for(r"\[2 of 15\]"); k.wait_for(r"problem \("); k.wait_raw(True); k.type("q")
assert k.end() == 0 and rows("SELECT count(*) FROM judgement WHERE coder = 'hasty'") == [(1,)], k.seen

# q quits at every question, as in screen and resolve: it is the key of no code.
for asked, keys in [("problem", ""), ("symptom", "y"), ("root cause", "y\n")]:
    before = rows("SELECT * FROM label")
    k = Keyboard(["ppmine", "label", "code", "--coder", "quitter", "--posts", "sample.csv", "--no-pager"])
    for key in keys:
        k.wait_for(r"\("); k.wait_raw(True); k.type(key)
    k.wait_for(r"\r\n" + asked + r" \("); k.wait_raw(True); k.type("q")
    assert k.end() == 0, (asked, k.status)
    assert rows("SELECT * FROM label") == before, asked
PYTHON
python3 keys.py "$first"

# Killed after each answer: what was confirmed is stored, and the next start goes on there.
cat >killed.py <<'PYTHON'
import shutil, sqlite3, subprocess, sys
from keyboard import Keyboard
answers = [("y", "symptom"), ("4", "symptom"), ("5", "root cause"), ("z", "introducing stage"),
           ("3", "exposing stage"), ("3", "next post")]
for n in range(len(answers) + 1):
    shutil.copy("empty.db", "s.db")
    asked = "problem"
    for key, after in [(None, asked)] + answers[:n]:
        if key is None:
            k = Keyboard(["ppmine", "label", "code", "--coder", "ann", "--posts", "sample.csv", "--no-pager"])
        else:
            k.type(key)
        k.wait_for(r"\r\n" + after + r" \(")
        k.wait_raw(True)
        asked = after
    k.kill()
    connection = sqlite3.connect("s.db")
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    stored = connection.execute("SELECT count(*) FROM decision WHERE coder = 'ann'").fetchone()[0]
    assert stored == n, (n, stored)
    connection.close()
    if asked != "next post":
        out = subprocess.run(["ppmine", "label", "code", "--coder", "ann", "--posts", "sample.csv"],
                             stdin=subprocess.DEVNULL, capture_output=True, text=True).stderr
        # after one symptom the next start asks for the root cause: there may be one alone
        want = "root cause" if n == 2 else asked
        assert f"\n{want} (" in out, (n, want, out)
PYTHON
python3 killed.py

# The same answers by lines and by label set: the same judgements and labels.
cp empty.db a.db
cp empty.db b.db
printf 'y\n1;5\nw\ntraining\nr\n\nn\n' | ppmine -q -d a.db label code --coder ann --posts sample.csv >/dev/null
second=$(sed -n 3p sample.csv | cut -d, -f1)
ppmine -q -d b.db label set "$first" --coder ann --symptom 'slow execution time' --symptom 'out of memory' \
    --root-cause 'improper hyper parameter' --introducing-stage training --exposing-stage unknown
ppmine -q -d b.db label set "$second" --coder ann --problem no
for db in a b; do
    sqlite3 $db.db "SELECT post_id, coder, is_problem FROM judgement ORDER BY 1, 2;
        SELECT subject, facet, coder, place, code_id FROM label ORDER BY 1, 2, 3, 4" >$db.txt
done
cmp a.txt b.txt

# No key of a code is one of a command, so a key never has two meanings.
printf '?\n' | ppmine -d empty.db label code --coder ann 2>&1 >menus | sed -n 's/^ppmine: \(.\), [a-z]*: .*/\1/p' >commands
test "$(wc -l <commands)" -ge 11
for key in 1 2 3 4 5 6 7 w e r t a s d f g z x c v b; do
    ! grep -qxF "$key" commands
done
