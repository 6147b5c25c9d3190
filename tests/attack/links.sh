#!/bin/bash
# What a folder holds stays in it: links that lead out of it are named and left alone, and a FIFO
# keeps nobody waiting.
set -eu
. "$ROOT/tests/lib/dump.sh"

code='import tensorflow as tf

ds = tf.data.TFRecordDataset("x").map(tf.io.decode_png)
'
mkdir -p project/inside outside/lib
echo "$code" >outside/other.py
echo "$code" >outside/lib/more.py
echo "$code" >project/inside/mine.py
ln -s ../outside/other.py project/out.py
ln -s ../outside/lib project/lib
ln -s inside/mine.py project/again.py
cp -r outside before
rc=0
timeout 60 "$PPMINE" check --fix --select PP301 project >out 2>said || rc=$?
[ "$rc" -le 1 ] || fail "check --fix: exit code $rc: $(cat said)"
diff -r before outside || fail "check --fix changed what is outside of the folder"
cmp -s project/inside/mine.py before/other.py && fail "nothing was fixed: a weak test"
[ -L project/again.py ] || fail "a link inside was replaced by a file"
grep -q 'project/out.py: left out: a link that leads out of project' said || fail "not said: $(cat said)"
grep -q 'project/lib: left out' said || fail "not said: $(cat said)"
# Who names the link means its target.
"$PPMINE" -q check project/out.py >out 2>&1 || :
grep -q PP301 out || fail "a link that is named is not checked: $(cat out)"
(cd project && "$PPMINE" -q check ../project/lib >../out 2>&1) || :
grep -q PP301 out || fail "a link to a folder that is named is not checked: $(cat out)"

# A study is published with its files.
cp -r "$ROOT/studies/dlperf" own
rm own/keywords.txt
ln -s /etc/passwd own/keywords.txt
rc=0
"$PPMINE" -q -d own.db init --study own 2>said || rc=$?
[ "$rc" -eq 3 ] || fail "a study with a link to /etc/passwd: exit code $rc: $(cat said)"
grep -q 'own/keywords.txt: a link that leads out' said || fail "not said: $(cat said)"
rm own/keywords.txt
cp "$ROOT/studies/dlperf/keywords.txt" own/words.txt
ln -s words.txt own/keywords.txt
"$PPMINE" -q -d own.db init --study own 2>said || fail "a link inside the study: $(cat said)"

mkdir fifo
echo "$code" >fifo/a.py
mkfifo fifo/.gitignore fifo/b.py
rc=0
timeout 20 "$PPMINE" check fifo >out 2>said || rc=$?
[ "$rc" -le 1 ] || fail "a FIFO called .gitignore: exit code $rc: $(cat said)"
grep -q 'gitignore: not a regular file' said || fail "not said: $(cat said)"
rm fifo/.gitignore
mkfifo fifo/pyproject.toml
rc=0
(cd fifo && timeout 20 "$PPMINE" check . >../out 2>../said) || rc=$?
[ "$rc" -eq 3 ] || fail "a FIFO called pyproject.toml: exit code $rc: $(cat said)"
