#!/bin/bash
# A package is there and complete, or it is not there: a full disk, a signal at any time, a gnuplot that
# fails. The same database gives the same bytes.
set -eu
. "$ROOT/tests/lib/dump.sh"
need sqlite3 python3

"$PPMINE" -q -d study.db init --published

# Where the package is made and what it is called leave no trace.
mkdir a a/b
"$PPMINE" -q -d study.db export --open --package one
(cd a/b && "$PPMINE" -q -d ../../study.db export --open --package ../two/)
diff -r one a/two || fail "two packages of one database differ"
PPMINE_NOW=2027-01-02T03:04:05.678Z "$PPMINE" -q -d study.db export --open --package later
diff -rq one later >differences || :
# README.md, PARAMETERS.json, CITATION.cff, what archives read, SHA256SUMS
[ "$(grep -c differ differences)" = 7 ] || { cat differences && fail "another time changes other files than seven"; }
if command -v gnuplot >/dev/null; then
    [ -f one/statistics/plots/symptoms.svg ] || fail "there are no plots"
fi

nothing_but() { # FOLDER NAMES: each with a blank behind it
    [ "$(ls -A "$1" | tr '\n' ' ')" = "$2" ] || { ls -lA "$1" && fail "this was left in $1"; }
}

mkdir limited
for blocks in 100 1000 1800 2300; do # KiB; the database has 2432
    rc=0
    (trap '' XFSZ; ulimit -f "$blocks"; "$PPMINE" -q -d study.db export --open --package limited/out) \
        2>said || rc=$?
    [ "$rc" = 6 ] || { cat said && fail "exit code $rc with a limit of $blocks KiB"; }
    grep -q 'limited/out: not made: .*no space left' said || { cat said && fail "other words"; }
    nothing_but limited ""
done

mkdir small
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=1m none small 2>/dev/null; then
    trap 'umount -l small' EXIT
    for size in 1 2 3 4 5; do
        mount -o "remount,size=${size}m" small
        rc=0
        "$PPMINE" -q -d study.db export --open --package small/out 2>said || rc=$?
        [ "$rc" = 6 ] || [ "$size" -ge 4 ] || { cat said && fail "exit code $rc with $size MB"; }
        [ "$rc" = 0 ] || nothing_but small ""
        [ "$rc" = 6 ] || { (cd small/out && sha256sum -c --quiet SHA256SUMS); rm -r small/out; }
    done
fi

# Stopped in the middle, where gnuplot is called. Its parent is the program, or its wrapper.
mkdir bin stopped
with_gnuplot() { # SCRIPT EXPECTED_RC
    local rc=0
    printf '#!/bin/sh\n%s\n' "$1" >bin/gnuplot
    chmod +x bin/gnuplot
    PATH=$PWD/bin:$PATH "$PPMINE" -q -d study.db export --open --package stopped/out 2>said || rc=$?
    [ "$rc" = "$2" ] || { cat said && fail "exit code $rc where gnuplot does: $1"; }
}
with_gnuplot 'exit 3' 6
grep -q 'stopped/out: not made: gnuplot failed' said || { cat said && fail "other words"; }
nothing_but stopped ""
with_gnuplot 'kill -TERM $PPID' 143
nothing_but stopped ""
# Once: a second SIGINT ends the program on the spot.
with_gnuplot '[ -e asked ] || { : >asked; kill -INT $PPID; }' 130
nothing_but stopped ""
if [ -z "${TEST_WRAPPER-}" ]; then
    with_gnuplot 'kill -KILL $PPID' 137
    [ ! -e stopped/out ] || fail "a package that was killed has its name"
fi

# Without gnuplot there are no plots, and words about it.
mkdir none
ln -s "$(command -v sh)" "$(command -v env)" none/
PATH=$PWD/none "$PPMINE" -d study.db export --open --package without-gnuplot 2>said
grep -q 'gets no plots' said || { cat said && fail "no word about gnuplot"; }
[ ! -e without-gnuplot/statistics/plots ]
python3 without-gnuplot/check.py >said || { cat said && fail "check.py finds faults"; }
