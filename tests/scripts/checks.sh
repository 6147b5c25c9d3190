#!/bin/bash
# The checks of make lint find what they are for, and nothing in what is fine.
set -eu

mkdir -p scripts base stem match db cli check/facts check/rules tests/unit build/made
cp "$ROOT"/scripts/check-layers "$ROOT"/scripts/check-banned "$ROOT"/scripts/check-english scripts/

# refuses CHECK EXPECTED: it fails, and says just that
refuses() {
    if "$1" >found 2>&1; then echo "$1 missed all" && exit 1; fi
    diff -u "$2" found
}

cat >stem/stem.h <<'EOF'
#include "base/base.h"
#include <libxml/HTMLparser.h>
EOF
cat >match/set.c <<'EOF'
/* set: fine. */
#include "match/set.h"
#include "base/map.h"
#include "stem/stem.h"
/* strcpy(a, b); is fine in a comment, // also
   sprintf(here) */
static const char *text = "malloc(1) \" free(2)"; // system("x")
static char quote = '"';
x->free(y), z.system(1), my_free(a), freed(b), free_ctx(c), free = 1;
EOF
cat >tests/unit/test_match.c <<'EOF'
/* Fine. */
#include "match/set.h"
#include "check/facts/project.h"
EOF
cat >check/rules/rule.c <<'EOF'
/* rule: fine. */
#include "check/check.h"
#include "check/facts/facts.h"
#include "check/facts/shape.h"
#include "check/rules/rule.h"
EOF
printf '/* mem: fine. */\nvoid *p = malloc(1);\n' >base/mem.c
echo 'free(strcpy); /* not ours */' >build/made/made.c
scripts/check-layers
scripts/check-banned

# --- the picture: the arrows that are there, once each, and no others ---

cat >expected <<'EOF'
digraph rooms {
    rankdir = BT
    node [shape = box, fontname = "sans-serif"]
    "base"
    "stem"
    "match"
    subgraph "cluster_check" { "check"; "check/rules" }
    "stem" -> "base"
    "match" -> "base"
    "match" -> "stem"
    "check/rules" -> "check"
    "check/rules" -> "check/facts"
}
EOF
scripts/check-layers --dot >found
diff -u expected found
! command -v dot >dot.path || dot -Tsvg found >found.svg

# --- what is wrong ---

cat >base/bad.c <<'EOF'
#include "stem/stem.h"
EOF
cat >match/bad.c <<'EOF'
#include <sqlite3.h>
# include "stem/lower.h"
#include "set.h"
#include "db/db.h"
EOF
cat >check/facts/bad.c <<'EOF'
#include "check/rules/rules.h"
EOF
cat >check/rules/bad.c <<'EOF'
#include "check/facts/project.h"
EOF
cat >cli/bad.c <<'EOF'
#include "check/facts/facts.h"
char a[9]; strcpy (a, "x"); /* one */ sprintf(a, "y"); /* two
*/ free(a);
qsort_with(free);
int n = atoi("sscanf(1)");
EOF
mkdir attic
echo >attic/old.c
cat >expected <<'EOF'
attic/old.c:1: this folder is in no room of scripts/check-layers
base/bad.c:1: base/ may not include stem/; it may: nothing
check/facts/bad.c:1: check/facts/ may not include check/rules/; it may: base check/python
check/rules/bad.c:1: "check/facts/project.h" belongs to check/facts/ alone; include check/facts/facts.h
match/bad.c:1: <sqlite3.h> is for db tests only
match/bad.c:2: "stem/lower.h" belongs to stem/ alone; include stem/stem.h
match/bad.c:3: "set.h": write the room before the file: room/file.h
match/bad.c:4: match/ may not include db/; it may: base base/table base/stat base/post base/study stem
EOF
if scripts/check-layers >found; then echo 'check-layers missed all' && exit 1; fi
grep -v '^cli/bad.c:1: cli/ may not include check/facts/; it may: base ' found | diff -u expected -
[ "$(wc -l <found)" -eq 9 ]
if scripts/check-layers --dot >picture 2>said; then echo '--dot hides what is wrong' && exit 1; fi
diff -u found said

cat >expected <<'EOF'
attic/old.c:1: open with a comment of a line on what the file is for
base/bad.c:1: open with a comment of a line on what the file is for
check/facts/bad.c:1: open with a comment of a line on what the file is for
check/rules/bad.c:1: open with a comment of a line on what the file is for
cli/bad.c:1: open with a comment of a line on what the file is for
cli/bad.c:2: strcpy is banned; use buf_add_text or memcpy
cli/bad.c:2: sprintf is banned; use buf_addf or snprintf
cli/bad.c:3: free is banned; use mem_free
cli/bad.c:4: free is banned; use mem_free
cli/bad.c:5: atoi is banned; use span_i64
match/bad.c:1: open with a comment of a line on what the file is for
EOF
refuses scripts/check-banned expected
rm -r attic check/facts/bad.c */bad.c check/rules/bad.c

# --- lines of a test that never run ---

printf "exec python3 - <<'PYTHON'\nprint(1)\nPYTHON\n\n" >tests/whole.sh
scripts/check-banned
printf "exec python3 - <<'PYTHON'\nprint(1)\nPYTHON\n\nprint(2)\nprint(3)\n" >tests/late.sh
echo 'tests/late.sh:5: never runs: exec does not come back; put it before PYTHON' >expected
refuses scripts/check-banned expected
rm tests/whole.sh tests/late.sh

# --- words that readers stumble over ---

english() { scripts/check-english README.md docs/man/ppmine-x.1 match/words.c match/words.h schema.sql; }
mkdir -p docs/man
printf 'Posts that have a keyword.\n```\nwhat stands there\n```\nThe flag `stands in` is met, behind 2.\n' >README.md
printf '.Nm x\nis no number, and there is none.\n.Dl $ echo held\n' >docs/man/ppmine-x.1
printf '/* words: of its own */\nconst char *a = "is too much", *b = "there is no name";\nint anew;\n' >match/words.c
printf '/* Whoever\n * calls it. */\nint held;\n' >match/words.h
printf 'SELECT met; -- made anew\n' >schema.sql
cat >expected <<'EOF'
README.md:5: "behind": write after
README.md:5: "met": write occurred
docs/man/ppmine-x.1:2: "is no number": write is not a
match/words.c:2: "is too much": write unexpected argument
match/words.h:1: "Whoever": write anyone who
schema.sql:1: "anew": write again, new
EOF
refuses english expected
printf 'Posts.\n' | tee README.md docs/man/ppmine-x.1 >match/words.c
scripts/check-english README.md docs/man/ppmine-x.1 match/words.c
rm -r match/words.[ch] README.md docs schema.sql

# --- rules that allow a circle ---

sed -i 's/^check:  base$/check:  base check\/rules/; s/^base:$/base: cellar/' scripts/check-layers
cat >expected <<'EOF'
the rules of base/ name cellar/, which is no room
the rules allow a circle: report > check/campaign > check > check/rules > check
EOF
refuses scripts/check-layers expected
sed -i 's/^check:  base check\/rules$/check:  base/; s/^base: cellar$/base:/; s/^label\/coding: BASE stem label db$/& match\/corpus/' scripts/check-layers
cat >expected <<'EOF'
the rules allow a circle of folders through match/
the rules allow a circle of folders through label/
EOF
refuses scripts/check-layers expected

# --- what was found clean is remembered by what was read, and what was not is not ---

if command -v clang-tidy >/dev/null; then
    cp "$ROOT/.clang-tidy" .
    cp "$ROOT/scripts/tidy" scripts/
    printf 'int twice(int n);\n' >stem/twice.h
    printf '#include "stem/twice.h"\nint twice(int n)\n{\n    return 2 * n;\n}\n' >stem/twice.c
    export TIDY_CACHE=$PWD/cache
    mkdir tools # one that counts its runs
    # shellcheck disable=SC2016
    printf '#!/bin/sh\n[ "$1" = --version ] || echo >>%s\nexec %s "$@"\n' "$PWD/runs" "$(command -v clang-tidy)" >tools/clang-tidy
    chmod +x tools/clang-tidy
    PATH=$PWD/tools:$PATH
    tidy() { scripts/tidy stem/twice.c twice.stamp -std=c17 -I. -Wall -Wextra >found 2>&1; }
    runs() { [ "$(wc -l <runs)" = "$1" ] || { echo "runs: $(wc -l <runs), not $1" && exit 1; }; }
    tidy
    runs 1
    [ -e twice.stamp ]
    grep -q 'stem/twice.h' twice.stamp.d
    tidy
    runs 1
    printf 'int twice(int amount);\n' >stem/twice.h
    rm twice.stamp
    for n in 2 3; do
        if tidy; then echo 'tidy missed it' && exit 1; fi
        runs "$n"
    done
    grep -q readability-inconsistent-declaration-parameter-name found
    [ ! -e twice.stamp ]
    printf 'int twice(int n);\n' >stem/twice.h
    tidy
    runs 3
    printf 'static int unused;\n' >>stem/twice.c # a warning of the compiler
    if tidy; then echo 'tidy missed a warning of clang' && exit 1; fi
    grep -q clang-diagnostic-unused-variable found
fi
