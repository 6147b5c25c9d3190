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
label code-history
label codes
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
    # 5: it is the log of the database that is too large
    [ "$rc" -eq 5 ] || [ "$rc" -eq 6 ] || fail "$command with small files: exit code $rc: $(cat said)"
    [ "$(ls -A | grep -c unfinished || :)" = 0 ] || fail "$command: left: $(ls -A)"
done
