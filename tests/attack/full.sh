#!/bin/bash
# Standard output on a full disk is an error with words and exit code 6, whatever a command's answer
# is; files at their allowed size are errors, too, and no command dies of them.
set -eu
. "$ROOT/tests/lib/dump.sh"
[ -c /dev/full ] || { echo "no /dev/full" && exit 77; }

"$PPMINE" -q -d a.db init --published
while read -r command; do
    rc=0
    # shellcheck disable=SC2086 # several words
    "$PPMINE" -q -d a.db $command >/dev/full 2>said || rc=$?
    [ "$rc" -eq 6 ] || fail "$command >/dev/full: exit code $rc: $(cat said)"
    grep -q 'standard output: .*space left' said || fail "$command: $(cat said)"
done <<'END'
codebook history
codebook list
campaign list
stats
agree --all
keywords
export --table problems
check --help
END

for command in 'export --table problems -o file' 'label export --all-coders -o sheet'; do
    rc=0
    # shellcheck disable=SC2086 # several words
    (ulimit -f 1 && exec "$PPMINE" -q -d a.db $command) 2>said || rc=$?
    [ "$rc" -eq 6 ] || fail "$command with small files: exit code $rc: $(cat said)"
    [ "$(ls -A | grep -c unfinished || :)" = 0 ] || fail "$command: left: $(ls -A)"
done

# A device is no database.
rc=0
"$PPMINE" -d /dev/full stats 2>said || rc=$?
[ "$rc" -eq 5 ] || fail "-d /dev/full: exit code $rc"
grep -q '/dev/full: not a file' said || fail "-d /dev/full: $(cat said)"

# Who only reads needs no space; who writes says that there is none, and what to do.
mkdir small
[ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=8m none small 2>/dev/null ||
    { echo "no file system of its own can be made" && exit 77; }
trap 'umount -l small' EXIT
cp a.db small/
"$PPMINE" -q -d a.db stats >roomy
"$PPMINE" -q -d a.db agree --all >>roomy
cat /dev/zero >small/filler 2>/dev/null || :
rc=0
{ "$PPMINE" -q -d small/a.db stats && "$PPMINE" -q -d small/a.db agree --all; } >full 2>said || rc=$?
[ "$rc" -eq 0 ] || fail "reading on a full disk: exit code $rc: $(cat said)"
cmp roomy full || fail "on a full disk other figures are read"
rc=0
"$PPMINE" -q -d small/a.db label set 65160023 --coder ann --problem no 2>said || rc=$?
[ "$rc" -eq 6 ] || fail "label set on a full disk: exit code $rc: $(cat said)"
grep -q 'a.db: no space left on the disk' said || fail "label set on a full disk: $(cat said)"
rm small/filler
"$PPMINE" -q -d small/a.db label set 65160023 --coder ann --problem no || fail "with room again: it fails"
