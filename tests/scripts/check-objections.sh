#!/bin/bash
# What maintainers answered to reports of this kind, and where the checker before failed: small
# programs after each, with all that is to be said of them (tests/data/check). Then what no line of a
# program shows: notebooks, bad files, suppression, machine-readable output, who made the report.
set -eu

stories() {
    python3 "$ROOT/tests/lib/check_stories.py" "$PPMINE" "$ROOT/tests/data/check/$1.py"
}
stories objections
stories failures

fail() {
    echo "$1"
    exit 1
}

# Every objection that a program can show has one.
for n in 2 3 4 5 6 7 8 9; do
    grep -q "^# --- case: $n " "$ROOT/tests/data/check/objections.py" || fail "objection $n has no story"
done

loop='import tensorflow as tf
for step in range(10000):
    print(step * tf.eye(100))'

# Objection 8: the message speaks of the numbers and of the order that would change.
cat >random.py <<'EOF'
import tensorflow as tf


def flip(path):
    return tf.image.random_flip_left_right(tf.io.decode_png(tf.io.read_file(path)))


ds = tf.data.Dataset.list_files("*.png").map(flip).batch(32).prefetch(1)
EOF
ppmine check random.py >said || true
grep -q 'random' said || fail "nothing is said of random numbers: $(cat said)"
ppmine check --format json random.py >found.json || true
python3 - <<'EOF'
import json
[found] = json.load(open("found.json"))["findings"]
assert found["rule"] == "PP301" and found["fix"] is None, found
EOF
rm random.py found.json

# Objection 10: a report says what made it, in every form that people read or hand on.
echo "$loop" >train.py
for format in sarif html; do
    ppmine check --format $format train.py >report || true
    grep -q 'ppmine' report || fail "$format does not say that ppmine made it"
done
ppmine check train.py 2>&1 >/dev/null | grep -q '^ppmine: 1 finding' || fail "the summary is not ours"

# One file that cannot be read, one that is no Python, one in another encoding: the rest is checked.
printf '\377\376garbage\0\0' >binary.py
printf '# -*- coding: latin-1 -*-\nimport tensorflow as tf\n\351t\351 = 1\n%s\n' "$loop" >latin.py
ln -s nowhere.py dangling.py
printf '{"cells": [' >broken.ipynb
ppmine check --format json . >found.json 2>said || true
python3 - <<'EOF'
import json
found = json.load(open("found.json"))["findings"]
files = {f["file"] for f in found if f["rule"] == "PP101"}
assert {"train.py", "latin.py"} <= files, files
EOF
rm -f binary.py latin.py dangling.py broken.ipynb

# Notebooks are read.
python3 - "$loop" <<'EOF'
import json, sys
cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None,
        "source": ["%matplotlib inline\n"] + sys.argv[1].splitlines(True)}
json.dump({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5},
          open("book.ipynb", "w"))
EOF
ppmine check book.ipynb | grep -q 'PP101 medium' || fail "the notebook's loop was not found"

# Exit code, suppression, fix: said once here as a story, in detail by other tests.
mkdir tests
cp train.py tests/
code=0; ppmine -q check --fail-on medium tests >/dev/null || code=$?
[ $code = 0 ] || fail "a finding in a test gives exit code $code"
code=0; ppmine -q check train.py >/dev/null || code=$?
[ $code = 0 ] || fail "a finding of medium impact gives exit code $code"
code=0; ppmine -q check --fail-on medium train.py >/dev/null || code=$?
[ $code = 1 ] || fail "a finding of medium impact, asked for, gives exit code $code"
sed 's/$/  # ppmine: ignore[PP101] measured, it is nothing/' train.py >quiet.py
ppmine -q check --fail-on medium quiet.py || fail "the comment hides nothing"
cp train.py fixed.py
ppmine -q check --fix fixed.py >/dev/null || true
ppmine -q check --fail-on medium fixed.py || fail "what was fixed is reported again"
python3 -m py_compile fixed.py

# An op behind a call: in the editor as on the command line, and no fix that nobody has proved.
cat >behind.py <<'EOF'
import tensorflow as tf


@tf.function
def forward(x):
    return x


def mask(n):
    return tf.linalg.band_part(tf.ones([n, n]), -1, 0)


for step in range(100000):
    forward(mask(64))
EOF
cp behind.py before.py
ppmine -q check --fix behind.py >said || true
cmp -s behind.py before.py || fail "--fix changed an op behind a call"
grep -q 'The loop in line 13 calls mask()' said || fail "the loop is not named: $(cat said)"
python3 - "$PPMINE" <<'EOF'
import json, subprocess, sys

def message(**m):
    body = json.dumps({"jsonrpc": "2.0", **m}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)

text = open("behind.py").read()
item = {"uri": "file:///w/behind.py", "languageId": "python", "version": 1, "text": text}
asked = (message(id=1, method="initialize", params={"capabilities": {}}) +
         message(method="textDocument/didOpen", params={"textDocument": item}) +
         message(id=2, method="textDocument/codeAction", params={
             "textDocument": {"uri": item["uri"]}, "context": {"diagnostics": []},
             "range": {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}}) +
         message(id=3, method="shutdown") + message(method="exit"))
done = subprocess.run([sys.argv[1], "-q", "check", "--lsp", "--no-config"], input=asked,
                      stdout=subprocess.PIPE, check=True)
answers = [json.loads(part.split(b"\r\n\r\n", 1)[1])
           for part in done.stdout.split(b"Content-Length: ")[1:]]
[said] = [a["params"]["diagnostics"] for a in answers if "params" in a]
[found] = [d for d in said if d["code"] == "PP101"]
assert found["range"]["start"]["line"] == 9, found
[actions] = [a["result"] for a in answers if a.get("id") == 2]
assert not [a for a in actions if "PP101" in json.dumps(a)], actions
EOF
