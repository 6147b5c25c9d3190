#!/bin/bash
# What changed is built again, and no more; who includes what it may not breaks the build.
set -eu

# What is not built yet is built here, as `make test` would.
make -s -C "$ROOT" DEPS=: all >/dev/null
mkdir -p copy/build
for part in "$ROOT"/*; do
    [ "${part##*/}" = build ] || cp -a "$part" copy/
done
cp -a "$ROOT"/build/{release,pic,stamp,grammar,ppmine,ppmine.so} copy/build/
find "$ROOT/build" -maxdepth 1 -type f -name '*.*' -exec cp -a {} copy/build/ \;
cd copy

# made: what make does, a line for each step, without what follows from any change
made() {
    make DEPS=: all >said 2>&1 || { cat said && exit 1; }
    sed -n -e '/ AR /d' -e '/ LD /d' -e 's/^  //p' said | sort
}

# expects TEXT: it does this much and no more
expects() {
    printf '%s' "$1" >expected
    made >steps
    diff -u expected steps
}

expects ''
[ ! -s said ] || { echo 'nothing changed, but make says:' && cat said && exit 1; }
rule=$(ls check/rules/PP303*.c)
touch "$rule"
expects "CC    $rule
"
touch check/rules/PP303.md
expects 'AS    build/rules.S
'
touch schema.sql
expects 'AS    build/studies.S
AS    build/studies.S
'
# A header: all that includes it, as the compiler says, for the program and for the extension.
touch match/set.h
made | sed -n 's/^CC    //p' >steps
for object in release pic; do
    grep -lE '(^| )match/set\.h( |:|$)' -r "build/$object" --include='*.d' |
        sed -e "s,^build/$object/,," -e 's,d$,c,' | grep -v '^tests/'
done | while read -r file; do [ ! -f "$file" ] || echo "$file"; done | sort >expected
diff -u expected steps
[ "$(wc -l <steps)" -ge 4 ] && [ "$(wc -l <steps)" -lt 20 ]

echo '#include "cli/command.h"' >>stem/stem.h
if make DEPS=: all >said 2>&1; then echo 'make takes stem/ including cli/' && exit 1; fi
grep -q '^stem/stem.h:[0-9]*: stem/ may not include cli/; it may: base base/table base/stat base/post base/study$' said || { cat said && exit 1; }
