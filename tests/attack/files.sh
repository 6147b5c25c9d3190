#!/bin/bash
# Files that commands write are there whole or not at all: each command is killed before each fsync,
# rename, link and unlink; what stands under the file's name is then the old content or the new, and
# the next run takes away what was left. Nothing takes its place before it is synced.
set -eu
. "$ROOT/tests/lib/dump.sh"
need cc sqlite3
skip_when_slow

cc -shared -fPIC -O1 -o cut.so "$ROOT/tests/preload/power_cut.c" -ldl
mkdir work
cd work
"$PPMINE" -q -d p.db init --published
printf 'import tensorflow as tf\nds = tf.data.TFRecordDataset("x").map(tf.io.decode_png)\n' >code.py
"$PPMINE" -q check code.py >said || [ $? -eq 1 ]
grep -q PP301 said || fail "no finding: a weak test: $(cat said)"

run() { # NAME
    case $1 in
    table) "$PPMINE" -q -d p.db export --table problems -o file ;;
    baseline) "$PPMINE" -q check code.py --write-baseline file >/dev/null || [ $? -le 1 ] ;;
    sheet) "$PPMINE" -q -d p.db label export --all-coders --force -o file ;;
    esac
}

for name in table baseline sheet; do
    rm -rf file* ../loses
    (export LD_PRELOAD=$PWD/../cut.so COUNT_STEPS=$PWD/../steps POWER_CUT_LOSES=$PWD/../loses KILL_AT_STEP=0
        run "$name") >../said 2>&1 || fail "$name: $(cat ../said)"
    [ ! -s ../loses ] || fail "$name: a power cut loses it: $(cat ../loses)"
    steps=$(cat ../steps)
    [ "$steps" -ge 3 ] || fail "$name: only $steps steps are seen: a weak test"
    cp file ../new
    echo old >../old
    for ((n = 1; n <= steps; n++)); do
        cp ../old file
        (export LD_PRELOAD=$PWD/../cut.so KILL_AT_STEP=$n; run "$name") >../said 2>&1 || :
        cmp -s file ../old || cmp -s file ../new || fail "$name, step $n: neither the old file nor the new"
        run "$name" >../said 2>&1 || fail "$name, step $n, then again: $(cat ../said)"
        cmp -s file ../new || fail "$name, step $n, then again: not the new file"
        [ "$(ls -A | grep -c unfinished || :)" = 0 ] || fail "$name, step $n, then again: $(ls -A)"
    done
done

# A database and a package are made under another name as well.
made() { # NAME OUT
    case $1 in
    init) "$PPMINE" -q -d "$2" init ;;
    package) "$PPMINE" -q -d p.db export --open --package "$2" ;;
    esac
}
what() { # NAME OUT: its content in words
    case $1 in
    init) sqlite3 "$2" 'PRAGMA integrity_check; SELECT count(*) FROM study_file' ;;
    package) (cd "$2" && sha256sum -c --quiet SHA256SUMS && wc -l <SHA256SUMS) ;;
    esac
}
export PPMINE_NOW=2026-11-01T00:00:00.000Z
for name in init package; do
    rm -rf out* ../loses
    (export LD_PRELOAD=$PWD/../cut.so COUNT_STEPS=$PWD/../steps POWER_CUT_LOSES=$PWD/../loses KILL_AT_STEP=0
        made "$name" out) >../said 2>&1 || fail "$name: $(cat ../said)"
    [ ! -s ../loses ] || fail "$name: a power cut loses it: $(cat ../loses)"
    steps=$(cat ../steps)
    [ "$steps" -ge 3 ] || fail "$name: only $steps steps are seen: a weak test"
    what "$name" out >../new
    for ((n = 1; n <= steps; n += 1 + steps / 12)); do
        rm -rf out
        (export LD_PRELOAD=$PWD/../cut.so KILL_AT_STEP=$n; made "$name" out) >../said 2>&1 || :
        if [ -e out ]; then
            what "$name" out | cmp -s - ../new || fail "$name, step $n: not whole: $(ls -A)"
            made "$name" out >../said 2>&1 && fail "$name, step $n: it was replaced"
        else
            made "$name" out >../said 2>&1 || fail "$name, step $n, then again: $(cat ../said)"
            what "$name" out | cmp -s - ../new || fail "$name, step $n, then again: not whole: $(ls -A)"
        fi
        [ "$(ls -A | grep -c unfinished || :)" = 0 ] || fail "$name, step $n, then again: $(ls -A)"
    done
done
rm -rf out
# What another process is making stays.
(exec 9>out.0123456789abcdef-unfinished && flock 9 && touch ../locked && exec sleep 60) &
other=$!
for ((n = 0; n < 600; n++)); do [ -e ../locked ] && break; sleep 0.05; done
made init out
kill "$other"
wait "$other" 2>/dev/null || :
[ -e out.0123456789abcdef-unfinished ] || fail "what another process was making is gone"
rm -rf out
made init out
[ ! -e out.0123456789abcdef-unfinished ] || fail "what a killed process left is still there"

# What --fix writes into the files that were named.
rm -f ../loses
(export LD_PRELOAD=$PWD/../cut.so COUNT_STEPS=$PWD/../steps POWER_CUT_LOSES=$PWD/../loses KILL_AT_STEP=0
    "$PPMINE" -q check --fix code.py) >../said 2>&1 || fail "check --fix: $(cat ../said)"
[ "$(cat ../steps)" -ge 3 ] || fail "check --fix: only $(cat ../steps) steps are seen: a weak test"
[ ! -s ../loses ] || fail "check --fix: a power cut loses it: $(cat ../loses)"

# A name that is known before: a link there would be written through.
echo untouched >../victim
for n in $(seq $$ $(($$ + 300))); do ln -s ../victim "file.$n-unfinished"; ln -s ../victim "file.$n"; done
run table
[ "$(cat ../victim)" = untouched ] || fail "a link under a name known before was written through"
# What the file was allowed to stays, and a link to it stays one.
rm -f file*
echo old >real
chmod 640 real
ln -s real file
run table
[ "$(head -c 10 real)" = problem_id ] || fail "the link's target is not written: $(head -c 200 real)"
[ -L file ] || fail "the link is gone"
[ "$(stat -c %a real)" = 640 ] || fail "the mode is $(stat -c %a real)"
