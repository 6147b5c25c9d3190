#!/bin/bash
# ppcheck prints what ppmine check prints, byte for byte, with the same exit code; it is one file that needs the C library.
set -eu

fail() { echo "$*"; exit 1; }
mkdir project
for rule in PP301 PP303 PP405 PP601 PP603; do cp "$ROOT/tests/check/$rule/bad.py" "project/$rule.py"; done
cat >project/cells.ipynb <<'END'
{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "code", "metadata": {}, "source": [
 "import tensorflow as tf\n", "ds = tf.data.TFRecordDataset('x').map(lambda r: tf.io.decode_png(r))\n"]}]}
END
printf 'x = (\n\xff\n' >project/broken.py

n=0
both() { # ARGUMENT…: standard output, exit code, and what is said but for the program's name
    local rc_a=0 rc_b=0
    ppmine check "$@" >a 2>a.err || rc_a=$?
    ppcheck "$@" >b 2>b.err || rc_b=$?
    cmp a b || fail "ppcheck $*: other output"
    [ "$rc_a" -eq "$rc_b" ] || fail "ppcheck $*: exit code $rc_b, not $rc_a"
    diff <(sed 's/^ppmine: //; s/^error: check: /error: /; s/ppmine check --help/--help/' a.err) \
        <(sed 's/^ppcheck: //; s/^error: check: /error: /; s/^error: ppcheck: /error: /; s/ppcheck --help/--help/' b.err) ||
        fail "ppcheck $*: says something else"
    n=$((n + $(wc -c <a)))
}
for format in text json sarif github csv html; do
    both --all --format "$format" project
done
[ "$n" -gt 100000 ] || fail "little was compared: $n bytes"
both project/PP301.py
both --diff project
both --statistics --all project
both --rules
both --explain PP301
both --format nothing project
both --select PP999 project
both --fix --diff project
both nowhere.py
both --no-such-option
both --baseline nowhere.csv project
printf '[tool.ppmine]\nselect = ["PP301"]\n' >pyproject.toml
both --format json project

# --fix and baselines write the same files; standard input is read.
cp -r project other
ppmine -q check --no-config --fail-on never --fix project >a
ppcheck -q --no-config --fail-on never --fix other >b
diff -r project other && ! cmp -s project/PP301.py "$ROOT/tests/check/PP301/bad.py" || fail '--fix writes other files'
ppmine -q check --no-config --all --fail-on never --write-baseline a.csv project
ppcheck -q --no-config --all --fail-on never --write-baseline b.csv project
cmp a.csv b.csv && [ "$(wc -l <a.csv)" -gt 20 ] || fail 'another baseline'
cmp <(ppmine -q check --no-config - <project/PP303.py || :) <(ppcheck -q --no-config - <project/PP303.py || :) || fail 'standard input'

# What it leaves to ppmine is refused by name.
for option in --try --project=x -d; do
    rc=0
    ppcheck "$option" project >a 2>&1 || rc=$?
    [ "$rc" -eq 2 ] && grep -q "unknown option ${option%%=*}" a || fail "ppcheck $option: $rc: $(cat a)"
done
ppcheck --version | grep -q '^ppcheck [0-9]' || fail '--version'

# The program has no library but those of C; the wheel is small.
[ "$TEST_FLAVOUR" = release ] || exit 0
readelf -d "$TEST_BUILD/ppcheck" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -vE '^lib(c|m|pthread|gcc_s)\.so|^ld-linux' >needed || :
[ ! -s needed ] || fail "ppcheck needs: $(cat needed)"
size=$(strip -o stripped "$TEST_BUILD/ppcheck" && gzip -c stripped | wc -c)
[ "$size" -lt 4000000 ] || fail "the wheel of ppcheck would have $size bytes"
