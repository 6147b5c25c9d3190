#!/bin/bash
# New databases, what is beside them, and lists of links are for their owner alone, whatever the umask is; exports are not.
set -eu
. "$ROOT/tests/lib/dump.sh"
need sqlite3

mode() { stat -c %a "$1"; }
is() { [ "$(mode "$1")" = "$2" ] || fail "umask $(umask): $1: mode $(mode "$1"), expected $2"; }
for mask in 022 077 000; do
    umask "$mask"
    rm -f ./*.db* coders table.csv
    "$PPMINE" -q -d a.db init --published
    "$PPMINE" -q -d a.db load "$ROOT/studies/dlperf/sample/Posts.xml"
    "$PPMINE" -q -d a.db match >/dev/null
    is a.db 600
    { echo 'BEGIN IMMEDIATE; CREATE TABLE x (y); COMMIT;'; echo '.shell stat -c %a a.db-wal a.db-shm | sort -u'; } |
        sqlite3 a.db >said
    [ "$(cat said)" = 600 ] || fail "umask $mask: the log: $(cat said)"
    "$PPMINE" -q -d a.db serve --coders coders --invite ann >/dev/null
    is coders 600
    "$PPMINE" -q -d a.db export --table problems -o table.csv
    is table.csv "$(printf %o $((0666 & ~mask)))"
    PPMINE_FILE_MODE=660 "$PPMINE" -q -d b.db init
    is b.db 660
    # What is there keeps its mode.
    : >c.db
    chmod 640 c.db coders
    "$PPMINE" -q -d c.db init
    is c.db 640
    "$PPMINE" -q -d a.db serve --coders coders --invite bob >/dev/null
    is coders 640
    chmod 644 a.db
    "$PPMINE" -q -d a.db label set 140 --coder ann --problem yes
    is a.db 644
    "$PPMINE" -q -d a.db screen --coder ann --next >/dev/null
    is a.db-screen 600
done

# A file is private from its first moment: who opens it before keeps it open.
umask 000
if command -v strace >/dev/null && strace -qq -o trace true 2>/dev/null; then
    rm -f b.db* coders a.db-screen
    for line in '-d b.db init' '-d a.db serve --coders coders --invite ann' '-d a.db serve --coders coders --invite bob' \
        '-d a.db screen --coder ann --next'; do
        # shellcheck disable=SC2086 # several words
        strace -f -qq -o trace -e trace=openat "$PPMINE" -q $line >/dev/null
        ! grep 'O_CREAT.*O_EXCL' trace | grep -v 'O_EXCL.*0600)' || fail "$line: made for all"
        grep -q 'O_CREAT.*O_EXCL.*0600)' trace || fail "$line: $(cat trace)"
    done
fi

# Nor can others look into a package before what is private is taken out of it.
umask 022
"$PPMINE" -q -d a.db label set 140 --coder ann --problem yes --note private
mkdir bin
# shellcheck disable=SC2016 # the program's
printf '#!/bin/sh\nstat -c %%a "$PLACE"/package.*-unfinished >>"$PLACE/seen"\nexit 1\n' >bin/gnuplot
chmod +x bin/gnuplot
PLACE=$PWD PATH=$PWD/bin:$PATH "$PPMINE" -q -d a.db export --open --package package 2>said || :
[ "$(sort -u seen)" = 700 ] || fail "a package in work has the modes $(sort -u seen): $(cat said)"
"$PPMINE" -q -d a.db export --open --no-plots --package package2
is package2 755
rc=0
PPMINE_FILE_MODE=rw "$PPMINE" -d d.db init 2>said || rc=$?
[ "$rc" -eq 2 ] || fail "no mode: exit code $rc"
grep -q "PPMINE_FILE_MODE 'rw' is not a mode from 600 to 666" said || fail "not said: $(cat said)"
[ ! -e d.db ] || fail "made with no mode"
