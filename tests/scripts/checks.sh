#!/bin/bash
# The checks of make lint find what they are for, and nothing in what is fine.
set -eu

mkdir -p scripts base stem match db cli tests/unit
cp "$ROOT"/scripts/check-layers "$ROOT"/scripts/check-banned scripts/

cat >stem/stem.h <<'EOF'
#include "base/base.h"
#include <libxml/HTMLparser.h>
EOF
cat >match/set.c <<'EOF'
#include "match/set.h"
#include "stem/stem.h"
/* strcpy(a, b); is fine in a comment, // also
   sprintf(here) */
static const char *text = "malloc(1) \" free(2)"; // system("x")
static char quote = '"';
x->free(y), z.system(1), my_free(a), freed(b), free_ctx(c), free = 1;
EOF
cat >tests/unit/test_match.c <<'EOF'
#include "match/set.h"
EOF
echo 'void *p = malloc(1);' >base/mem.c
scripts/check-layers
scripts/check-banned

cat >base/bad.c <<'EOF'
#include "stem/stem.h"
EOF
cat >match/bad.c <<'EOF'
#include <sqlite3.h>
# include "stem/lower.h"
#include "set.h"
#include "db/db.h"
EOF
cat >cli/bad.c <<'EOF'
char a[9]; strcpy (a, "x"); /* one */ sprintf(a, "y"); /* two
*/ free(a);
qsort_with(free);
int n = atoi("sscanf(1)");
EOF
if scripts/check-layers >found; then echo 'check-layers missed all' && exit 1; fi
cat >expected <<'EOF'
base/bad.c:1: base/ may not include stem/; it may: nothing
match/bad.c:1: <sqlite3.h> is for db tests only
match/bad.c:2: "stem/lower.h" belongs to stem/ alone; include stem/stem.h
match/bad.c:3: "set.h": write the room before the file: room/file.h
match/bad.c:4: match/ may not include db/; it may: base stem
EOF
diff -u expected found
if scripts/check-banned >found; then echo 'check-banned missed all' && exit 1; fi
cat >expected <<'EOF'
cli/bad.c:1: strcpy is banned; use buf_add_text or memcpy
cli/bad.c:1: sprintf is banned; use buf_addf or snprintf
cli/bad.c:2: free is banned; use mem_free
cli/bad.c:3: free is banned; use mem_free
cli/bad.c:4: atoi is banned; use span_i64
EOF
diff -u expected found
